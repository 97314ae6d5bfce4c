// The state of the grid: the focused cell, the selected block, the cell being edited, the rows in sight.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { CellPlace, RowFilter, shownFields } from "../../../pipeline/correction/correction-state.ts";
import { useServices } from "../../app/services/services.ts";
import { blockOf, wholeOf } from "../../values/cell-block.ts";
import { meantText } from "./cell-text.ts";
import { type GridCommand, targetCell } from "./grid-keys.ts";
import { useGridRows } from "./use-grid-rows.ts";
import { useMoves } from "./use-moves.ts";
import { useSameRow } from "./use-same-row.ts";

export interface Editing {
  /** The text of the input when it opens; undefined: the cell's text. */
  text?: string | undefined;
}

export interface GridSource {
  filter: RowFilter;
  /** The names of the fields that stand first. */
  first: readonly string[];
  revision: number;
  shown: ReturnType<typeof shownFields>;
}

export function useGrid(scroller: RefObject<HTMLElement | null>, source: GridSource) {
  const { filter, first, revision, shown } = source;
  const { uploadManager } = useServices();
  const [at, setAt] = useState<CellPlace>({ index: 0, field: 0 });
  const [range, setRange] = useState<[from: CellPlace, to: CellPlace]>();
  const [editing, setEditing] = useState<Editing>();
  const [total, setTotal] = useState(0);
  const rows = useRowsInSight(scroller, total, at.index);
  // New rows while someone types would put another row under the text.
  const inSight = { first: rows.range?.startIndex ?? 0, last: rows.range?.endIndex ?? FIRST_ROWS, isFrozen: editing !== undefined };
  const gridRows = useGridRows({ filter, first }, revision, inSight);
  useEffect(() => setTotal(gridRows.total), [gridRows.total]);
  const latest = useRef(gridRows); // what was asked of the worker is answered later
  latest.current = gridRows;
  const { rememberRow } = useSameRow(gridRows, at, (place) => {
    setAt(place);
    setRange(undefined); // other rows may stand between
  });
  const focusCell = useFocus(scroller, at, editing !== undefined);
  const { noteMove, watchMoves } = useMoves();
  const selected = blockOf(range?.[1] ?? at, range?.[0], shown.length);

  /** `isExtended`: the selection grows to this cell. */
  function go(place: CellPlace, { edit, isExtended = false }: { edit?: Editing | undefined; isExtended?: boolean } = {}): void {
    noteMove();
    rememberRow(latest.current.isOfFilter ? latest.current.rowAt(place.index)?.row : undefined);
    setRange(isExtended ? [range?.[0] ?? at, place] : undefined);
    setAt(place);
    setEditing(edit);
    focusCell(edit ? undefined : place);
    rows.scrollToIndex(place.index, { align: "auto" });
  }

  /** `given`: the cell to begin after, instead of the focused one. */
  async function goToNext(by: 1 | -1, given?: CellPlace): Promise<void> {
    const isInside = scroller.current?.contains(document.activeElement);
    const after = given ?? (isInside ? at : { ...at, field: at.field - by }); // from outside, the cell itself may be next
    const hasMoved = watchMoves();
    const { at: next } = await uploadManager.query({ for: "next", filter, first, at: after, by });
    if (hasMoved()) return;
    if (next) go(next);
    else scroller.current?.focus();
  }

  function handle(command: GridCommand): void {
    if (command.is !== "next") noteMove();
    const buttons = 1 + Number(gridRows.rowAt(at.index)?.isOfOtherShape ?? false);
    if (command.is === "edit") setEditing({ text: command.text });
    else if (command.is === "next") void goToNext(command.by);
    else if (command.is === "select") setRange(wholeOf(command.what, selected, { rows: total, fields: shown.length }));
    else if (command.is === "collapse") setRange(undefined);
    else if (command.is === "move") {
      const isExtended = command.extends === true;
      go(targetCell(at, command, total, shown.length + (isExtended ? 0 : buttons)), { isExtended });
    }
  }

  function write({ index, field }: CellPlace, text: string): void {
    const [row, at] = [gridRows.rowAt(index)?.row, shown[field]];
    if (row !== undefined && at) uploadManager.act({ do: "edit", row, column: at.column, text, meant: meantText(at.field, text) });
  }

  const leave = () => setEditing(undefined);
  return { at, selected, editing, total, rows, gridRows, go, goToNext, select: setRange, watchMoves, handle, write, leave };
}

const ROW_HEIGHT = 36; // px, until it is measured
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
