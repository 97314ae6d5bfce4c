// The rows of the checked file that are in sight, fetched from the worker in windows as they are needed. Keeps no others.

import { useEffect, useRef, useState } from "react";
import type { GridRow } from "../upload/mending-state.ts";
import { useDeps } from "./deps.ts";

interface Window {
  group: string | undefined;
  revision: number;
  from: number;
  rows: GridRow[];
  /** Of the list, not of the window. */
  total: number;
}

const AROUND = 60; // rows before and behind those in sight

const NONE: Window = { group: undefined, revision: -1, from: 0, rows: [], total: 0 };

/** What is shown stays until what is newer has come; a row that has not come yet is undefined. */
export function useGridRows(
  group: string | undefined,
  revision: number,
  first: number,
  last: number,
): Pick<Window, "total" | "revision"> & { rowAt: (index: number) => GridRow | undefined } {
  const { desk } = useDeps();
  const [shown, setShown] = useState(NONE);
  const latest = useRef(0);
  const isFresh = shown.group === group && shown.revision === revision;
  const isCovered = shown.from <= first && (last < shown.from + shown.rows.length || shown.from + shown.rows.length >= shown.total);
  const isWanted = !isFresh || !isCovered;
  useEffect(() => {
    if (!isWanted) return;
    const from = Math.max(0, first - AROUND);
    const number = ++latest.current;
    desk.ask({ for: "rows", group, from, to: last + AROUND }).then(({ rows, total }) => {
      if (number === latest.current) setShown({ group, revision, from, rows, total });
    });
  }, [isWanted, desk, group, revision, first, last]);
  return { total: shown.total, revision: shown.revision, rowAt: (index) => shown.rows[index - shown.from] };
}
