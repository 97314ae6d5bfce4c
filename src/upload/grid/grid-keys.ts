// Says what each key does in the grid, as in a spreadsheet: move, edit, clear.

import type { KeyboardEvent } from "react";
import type { CellPlace } from "../../../pipeline/correction/correction-state.ts";

export type GridCommand =
  | { is: "edit"; text?: string | undefined }
  | { is: "clear" }
  | { is: "fillDown" }
  | { is: "next"; by: 1 | -1 }
  /** Selects whole rows, whole columns, or everything. */
  | { is: "select"; what: "rows" | "columns" | "all" }
  /** Leaves one cell selected. */
  | { is: "collapse" }
  /** `extends`: the selection grows to the new cell. */
  | { is: "move"; rows: number; fields: number; extends?: boolean };

const BEYOND_EDGE = 1_000_000; // more than any number of rows or fields
const PAGE = 10; // rows

const MOVES: Record<string, [rows: number, fields: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [PAGE, 0],
  PageUp: [-PAGE, 0],
  Home: [0, -BEYOND_EDGE],
  End: [0, BEYOND_EDGE],
};

/** Returns the command of a key on a cell that is not being edited. */
export function readKey(event: KeyboardEvent): GridCommand | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key === "F8") return undefined; // a shortcut of the page
  if (altKey && !ctrlKey && !metaKey && (key === "ArrowDown" || key === "ArrowUp")) return { is: "next", by: key === "ArrowDown" ? 1 : -1 };
  const move = MOVES[key];
  if (ctrlKey || metaKey) return altKey ? undefined : readWithControl(key, move, shiftKey);
  if (altKey) return undefined;
  if (key === "Enter" || key === "F2") return { is: "edit" };
  if (key === "Delete" || key === "Backspace") return { is: "clear" };
  if (key === "Escape") return { is: "collapse" };
  if (move) return { ...moveBy(...move), extends: shiftKey };
  if (key === " " && shiftKey) return { is: "select", what: "rows" };
  return [...key].length === 1 ? { is: "edit", text: key } : undefined;
}

function readWithControl(key: string, move: [number, number] | undefined, shiftKey: boolean): GridCommand | undefined {
  if (key === "Home" || key === "End") {
    const by = key === "Home" ? -BEYOND_EDGE : BEYOND_EDGE;
    return { ...moveBy(by, by), extends: shiftKey };
  }
  if (move) return { ...moveBy(move[0] * BEYOND_EDGE, move[1] * BEYOND_EDGE), extends: shiftKey };
  if (key === " ") return { is: "select", what: "columns" };
  if (key === "a") return { is: "select", what: "all" };
  return key === "d" ? { is: "fillDown" } : undefined;
}

/** Returns the command of a key while a cell is edited. `keeps`: save the text, otherwise discard it. */
export function readEditKey({ key, shiftKey, nativeEvent }: KeyboardEvent): { keeps: boolean; move: GridCommand } | undefined {
  if (nativeEvent.isComposing) return undefined; // Enter accepts a suggestion of an input method
  if (key === "Enter") return { keeps: true, move: moveBy(shiftKey ? -1 : 1, 0) };
  if (key === "Tab") return { keeps: true, move: moveBy(0, shiftKey ? -1 : 1) };
  if (key === "Escape") return { keeps: false, move: moveBy(0, 0) };
  return undefined;
}

export function moveBy(rows: number, fields: number): Extract<GridCommand, { is: "move" }> {
  return { is: "move", rows, fields };
}

/** Returns the cell that a move leads to, clamped to the grid. */
export function targetCell(
  at: CellPlace,
  { rows, fields }: { rows: number; fields: number },
  rowCount: number,
  fieldCount: number,
): CellPlace {
  return { index: clamp(at.index + rows, rowCount), field: clamp(at.field + fields, fieldCount) };
}

function clamp(n: number, count: number): number {
  return Math.max(0, Math.min(count - 1, n));
}
