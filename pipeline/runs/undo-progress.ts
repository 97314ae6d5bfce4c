import { isStored, OUTCOMES, type Outcomes, type Report } from "../model/outcomes.ts";
import type { UndoCounts } from "../sending/journal.ts";

/** The rows that an undo takes back: all that were stored, except those that last. */
export function undoableRows(counts: Outcomes, lasting: Report["lasting"]): number {
  return storedRows(counts) - lastingRows(lasting);
}

/** The rows that an interrupted undo has not reached. */
export function leftToUndo(counts: Outcomes, lasting: Report["lasting"], { reversed, kept, failed }: UndoCounts): number {
  return undoableRows(counts, lasting) - reversed - kept - failed;
}

/** The rows that are still stored as the upload stored them, as far as the undo knows. */
export function notUndone(counts: Outcomes, { reversed }: UndoCounts): number {
  return storedRows(counts) - reversed;
}

/** The rows that no undo takes back. */
export function lastingRows(lasting: Report["lasting"]): number {
  return Object.values(lasting ?? {}).reduce((total, count) => total + count, 0);
}
/** Rows that the upload stored. */
function storedRows(counts: Readonly<Outcomes>): number {
  return OUTCOMES.filter(isStored).reduce((total, outcome) => total + counts[outcome], 0);
}
