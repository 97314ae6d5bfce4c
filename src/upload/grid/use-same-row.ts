// Keeps the focus on the same row when rows before it appear or disappear.

import { useLayoutEffect, useRef } from "react";
import type { CellPlace, GridRow } from "../../../pipeline/correction/correction-state.ts";
import type { GridRows } from "./use-grid-rows.ts";

export function useSameRow(
  gridRows: Pick<GridRows, "total" | "isOfFilter" | "indexOf"> & { rowAt(index: number): Pick<GridRow, "row"> | undefined },
  at: CellPlace,
  move: (place: CellPlace) => void,
): {
  /** Call it with the row's number when the focus moves. */
  rememberRow(row: number | undefined): void;
} {
  const row = useRef<number>(undefined);
  const now = gridRows.rowAt(at.index)?.row;
  // It is no effect that comes later: a key that is pressed in between would look like rows that have moved.
  useLayoutEffect(() => {
    if (!gridRows.isOfFilter) return; // the focus is already where the new filter's rows will be
    const index = row.current === undefined || row.current === now ? -1 : gridRows.indexOf(row.current);
    if (index !== -1) move({ ...at, index });
    else if (gridRows.total > 0 && at.index >= gridRows.total) move({ ...at, index: 0 });
    else row.current = now;
  });
  return {
    rememberRow(next) {
      row.current = next;
    },
  };
}
