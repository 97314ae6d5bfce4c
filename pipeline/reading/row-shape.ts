// Finds out whether a row has as many cells as the heading.

import { t, tCount } from "../../core/i18n/translate.ts";
import type { Malformed, SuspectCode } from "../model/plan.ts";

/** A problem of the row as a whole. */
export interface ShapeProblem {
  field: "";
  code: "CELLS" | "QUOTES" | "BYTES" | "RECORD" | SuspectCode;
  message: string;
}

interface Shape {
  /** Says why the row could not be split into cells. Its problem gets `code`. */
  malformed: Malformed | undefined;
  code?: "QUOTES" | "RECORD" | undefined;
  /** Counts the columns of the heading, with those that rules add. */
  width: number;
  /** Says how many columns rules add. In a row they stand between the cells under the heading and any surplus ones. */
  added?: number;
  /** See `Dialect.padding`. */
  padding: number | undefined;
}

export function wrongShape(
  cells: readonly string[],
  { malformed, code = "QUOTES", width, added = 0, padding }: Shape,
): ShapeProblem | undefined {
  if (typeof malformed === "object") return { field: "", ...malformed };
  if (malformed !== undefined) return { field: "", code, message: malformed };
  if (cells.length === width)
    return padding && isBlank(cells.at(-1 - added)) ? unpadded(cells.length - added + padding, cells.length - added) : undefined;
  const isPadded = cells.length > width && (padding === undefined || cells.length === width + padding);
  return isPadded && cells.slice(width).every(isBlank) ? undefined : wrongWidth(cells.length - added, width - added);
}

function isBlank(cell: string | undefined): boolean {
  return cell?.trim() === "";
}

/** Is true of a row of nothing but empty cells. */
export function isEmptyRow(cells: readonly string[]): boolean {
  return cells.every(isBlank);
}

/** In a file whose rows all end with empty cells, a separator may lack in this one, although it is as wide as the heading. */
function unpadded(others: number, cells: number): ShapeProblem {
  const message = t("This row has {cells} cells; most rows have {others}. Perhaps a separator is missing.", { cells, others });
  return { field: "", code: "CELLS", message };
}

function wrongWidth(cells: number, width: number): ShapeProblem {
  const message = tCount(cells, "This row has {n} cell; the heading has {width}.", "This row has {n} cells; the heading has {width}.", {
    width,
  });
  return { field: "", code: "CELLS", message };
}
