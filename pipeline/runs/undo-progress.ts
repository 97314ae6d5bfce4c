// What an undo can take back, and what it has left. Counts only: undoes nothing.

import type { Outcomes, Report } from "../model/outcomes.ts";
import type { UndoCounts } from "../sending/journal.ts";

/** Without rows of which it is not known what their records were before. */
export function undoableRows({ created, updated }: Outcomes, lasting: Report["lasting"]): number {
  return created + updated - (lasting ? lasting.created + lasting.updated : 0);
}

/** Rows that an undo which was cut off has not come to. */
export function leftToUndo(counts: Outcomes, lasting: Report["lasting"], { reversed, kept, failed }: UndoCounts): number {
  return undoableRows(counts, lasting) - reversed - kept - failed;
}

/** Rows that the upload stored or changed and that still are so, as far as the undo goes. */
export function notUndone({ created, updated }: Outcomes, { reversed }: UndoCounts): number {
  return created + updated - reversed;
}
