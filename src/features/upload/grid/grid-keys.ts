// What each key does in the grid, as in a spreadsheet: move, edit, clear.

import type { KeyboardEvent } from "react";
import type { CellPlace } from "../../../../pipeline/correction/correction-state.ts";

export type GridCommand =
  | { is: "edit"; text?: string | undefined }
  | { is: "clear" }
  | { is: "next"; by: 1 | -1 }
  | { is: "move"; rows: number; fields: number };

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

/** The command of a key on a cell that is not being edited. */
export function readKey(event: KeyboardEvent): GridCommand | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key === "F8") return undefined; // a shortcut of the page
  if (altKey && !ctrlKey && !metaKey && (key === "ArrowDown" || key === "ArrowUp")) return { is: "next", by: key === "ArrowDown" ? 1 : -1 };
  if ((ctrlKey || metaKey) && (key === "Home" || key === "End"))
    return moveBy(key === "Home" ? -BEYOND_EDGE : BEYOND_EDGE, key === "Home" ? -BEYOND_EDGE : BEYOND_EDGE);
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === "Enter" || key === "F2") return { is: "edit" };
  if (key === "Delete" || key === "Backspace") return { is: "clear" };
  const move = MOVES[key];
  if (move) return moveBy(...move);
  return [...key].length === 1 && !(key === " " && shiftKey) ? { is: "edit", text: key } : undefined;
}

/** The command of a key while a cell is edited. `keeps`: save the text, otherwise discard it. */
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

/** The cell that a move leads to, clamped to the grid. */
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
