// Whether a row has as many cells as the heading.

import { tCount } from "../../core/i18n/translate.ts";

/** A problem of the row as a whole. */
export interface ShapeProblem {
  field: "";
  code: "CELLS" | "QUOTES" | "RECORD";
  message: string;
}

/** `malformed`: why the row could not be split into cells. Its problem gets `code`. */
export function wrongShape(
  cells: readonly string[],
  malformed: string | undefined,
  width: number,
  code: "QUOTES" | "RECORD" = "QUOTES",
): ShapeProblem | undefined {
  if (malformed !== undefined) return { field: "", code, message: malformed };
  return cells.length !== width && !isOnlyPadded(cells, width) ? wrongWidth(cells.length, width) : undefined;
}

/** Spreadsheets end rows with too many delimiters. Empty cells beyond the heading lose nothing. */
function isOnlyPadded(cells: readonly string[], width: number): boolean {
  return cells.length > width && cells.slice(width).every((cell) => cell.trim() === "");
}

function wrongWidth(cells: number, width: number): ShapeProblem {
  const message = tCount(cells, "This row has {n} cell; the heading has {width}.", "This row has {n} cells; the heading has {width}.", {
    width,
  });
  return { field: "", code: "CELLS", message };
}
