// The state of the grid: the focused cell, the cell being edited, the rows in sight.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { CellPlace, shownFields } from "../../../../pipeline/correction/correction-state.ts";
import { useServices } from "../../../context/services.ts";
import { type GridCommand, targetCell } from "./grid-keys.ts";
import { type GridRows, useGridRows } from "./use-grid-rows.ts";

export interface Editing {
  /** The text of the input when it opens; undefined: the cell's text. */
  text?: string | undefined;
}

interface Grid {
  group: string | undefined;
  revision: number;
  shown: ReturnType<typeof shownFields>;
}

export function useGrid(scroller: RefObject<HTMLElement | null>, { group, revision, shown }: Grid) {
  const { uploadManager } = useServices();
  const [at, setAt] = useState<CellPlace>({ index: 0, field: 0 });
  const [editing, setEditing] = useState<Editing>();
  const [total, setTotal] = useState(0);
  const rows = useRowsInSight(scroller, total, at.index);
  // New rows while someone types would put another row under the text.
  const inSight = { first: rows.range?.startIndex ?? 0, last: rows.range?.endIndex ?? FIRST_ROWS, isFrozen: editing !== undefined };
  const gridRows = useGridRows(group, revision, inSight);
  useEffect(() => setTotal(gridRows.total), [gridRows.total]);
  const rememberRow = useSameRow(gridRows, at, setAt);
  const focusCell = useFocus(scroller, at, editing !== undefined);

  function go(place: CellPlace, edit?: Editing): void {
    rememberRow(gridRows.rowAt(place.index)?.row);
    setAt(place);
    setEditing(edit);
    focusCell(edit ? undefined : place);
    rows.scrollToIndex(place.index, { align: "auto" });
  }

  async function goToNext(by: 1 | -1): Promise<void> {
    const { at: next } = await uploadManager.query({ for: "next", group, at, by });
    if (next) go(next);
    else scroller.current?.focus();
  }

  function handle(command: GridCommand): void {
    const buttons = 1 + Number(gridRows.rowAt(at.index)?.isOfOtherShape ?? false);
    if (command.is === "edit") setEditing({ text: command.text });
    else if (command.is === "next") void goToNext(command.by);
    else if (command.is === "move") go(targetCell(at, command, total, shown.length + buttons));
  }

  function write({ index, field }: CellPlace, text: string): void {
    const [row, column] = [gridRows.rowAt(index)?.row, shown[field]?.column];
    if (row !== undefined && column !== undefined) uploadManager.act({ do: "edit", row, column, text });
  }

  return { at, editing, total, rows, gridRows, go, goToNext, handle, write, leave: () => setEditing(undefined) };
}

const ROW_HEIGHT = 44; // px, until it is measured
const FIRST_ROWS = 20; // before the height of the grid is known

function useRowsInSight(scroller: RefObject<HTMLElement | null>, total: number, focusedIndex: number) {
  return useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    useFlushSync: false,
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const drawn = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
      // Always render the focused row, so that scrolling does not remove the focus.
      if (focusedIndex < count && (focusedIndex < from || focusedIndex > to)) drawn.push(focusedIndex);
      return drawn.sort((a, b) => a - b);
    },
  });
}

/** Keeps the focus on the same row when rows before it appear or disappear. Call the result with the row's number. */
function useSameRow(gridRows: GridRows, at: CellPlace, setAt: (place: CellPlace) => void): (row: number | undefined) => void {
  const row = useRef<number>(undefined);
  const now = gridRows.rowAt(at.index)?.row;
  useEffect(() => {
    const index = row.current === undefined || row.current === now ? -1 : gridRows.indexOf(row.current);
    if (index !== -1) setAt({ ...at, index });
    else if (gridRows.total > 0 && at.index >= gridRows.total) setAt({ ...at, index: 0 });
    else row.current = now;
  });
  return (next) => {
    row.current = next;
  };
}

/** Returns a function that focuses a cell as soon as it is rendered. */
function useFocus(scroller: RefObject<HTMLElement | null>, at: CellPlace, isEditing: boolean): (place: CellPlace | undefined) => void {
  const wanted = useRef<CellPlace>(undefined);
  useEffect(() => {
    if (isEditing || wanted.current?.index !== at.index || wanted.current.field !== at.field) return;
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-place="${at.index} ${at.field}"]`);
    if (!cell) return;
    wanted.current = undefined;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return (place) => {
    wanted.current = place;
  };
}
