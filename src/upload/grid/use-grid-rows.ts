// Fetches the visible rows of the checked file from the worker, in windows.

import { useEffect, useRef, useState } from "react";
import type { GridRow, RowFilter } from "../../../pipeline/correction/correction-state.ts";
import { useServices } from "../../app/services/services.ts";

interface RowWindow {
  filter: RowFilter | undefined;
  revision: number;
  from: number;
  rows: GridRow[];
  /** All rows of the list, not only those in this window. */
  total: number;
}

const OVERSCAN = 60; // rows before and after the visible ones

const NONE: RowWindow = { filter: undefined, revision: -1, from: 0, rows: [], total: 0 };

export interface GridRows extends Pick<RowWindow, "total" | "revision"> {
  /** These are the rows of the latest filter and revision. */
  isFresh: boolean;
  /** They are of the latest filter; until then a place of that filter is not one of these rows. */
  isOfFilter: boolean;
  rowAt(index: number): GridRow | undefined;
  /** Returns −1 when the row is not in the fetched window. */
  indexOf(row: number): number;
}

/** Keeps showing the old rows until newer ones arrive. While `isFrozen`, nothing is fetched. `first`: the fields that stand first. */
export function useGridRows(
  { filter, first: order }: { filter: RowFilter; first: readonly string[] },
  revision: number,
  inSight: { first: number; last: number; isFrozen: boolean },
): GridRows {
  const { first, last, isFrozen } = inSight;
  const { uploadManager } = useServices();
  const [shown, setShown] = useState(NONE);
  const latest = useRef(0);
  const frozen = useRef(isFrozen);
  frozen.current = isFrozen;
  const isFresh = shown.filter === filter && shown.revision === revision;
  const isCovered = shown.from <= first && (last < shown.from + shown.rows.length || shown.from + shown.rows.length >= shown.total);
  const isWanted = !isFrozen && (!isFresh || !isCovered);
  useEffect(() => {
    if (!isWanted) return;
    const from = Math.max(0, first - OVERSCAN);
    const number = ++latest.current;
    uploadManager.query({ for: "rows", filter, first: order, from, to: last + OVERSCAN }).then(({ rows, total }) => {
      if (number === latest.current && !frozen.current) setShown({ filter, revision, from, rows, total });
    });
  }, [isWanted, uploadManager, filter, order, revision, first, last]);
  return {
    total: shown.total,
    isFresh,
    isOfFilter: shown.filter === filter,
    revision: shown.revision,
    rowAt: (index) => shown.rows[index - shown.from],
    indexOf(row) {
      const place = shown.rows.findIndex((one) => one.row === row);
      return place === -1 ? -1 : shown.from + place;
    },
  };
}
