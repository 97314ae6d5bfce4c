// Whether a row has the cells that its heading has. Judges no cell. Refuses: rows of another width, and rows that could not be cut into cells.

import { tCount } from "../../core/i18n/translate.ts";

/** A problem of the row as such. */
export interface ShapeProblem {
  field: "";
  code: "CELLS" | "QUOTES" | "RECORD";
  message: string;
}

/** `torn`: why the row could not be cut into cells; it goes under `code`. */
export function wrongShape(
  cells: readonly string[],
  malformed: string | undefined,
  width: number,
  code: "QUOTES" | "RECORD" = "QUOTES",
): ShapeProblem | undefined {
  if (malformed !== undefined) return { field: "", code, message: malformed };
  return cells.length !== width && !isOnlyPadded(cells, width) ? wrongWidth(cells.length, width) : undefined;
}

/** Spreadsheets end rows with delimiters too many; empty cells past the heading lose nothing. */
function isOnlyPadded(cells: readonly string[], width: number): boolean {
  return cells.length > width && cells.slice(width).every((cell) => cell.trim() === "");
}

function wrongWidth(cells: number, width: number): ShapeProblem {
  const message = tCount(cells, "This row has {n} cell; the heading has {width}.", "This row has {n} cells; the heading has {width}.", {
    width,
  });
  return { field: "", code: "CELLS", message };
}
