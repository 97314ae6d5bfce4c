import type { UndoCounts } from "../../core/contract/history.ts";
import { isStored, OUTCOMES, type Outcomes } from "../model/outcomes.ts";

/** Rows that the upload stored. */
export function storedBy(counts: Readonly<Outcomes>): number {
  return OUTCOMES.filter(isStored).reduce((total, outcome) => total + counts[outcome], 0);
}

/** The rows that an interrupted undo has not reached. */
export function leftToUndo(counts: Outcomes, { reversed, kept, failed }: UndoCounts): number {
  return storedBy(counts) - reversed - kept - failed;
}

/** The rows that are still stored as the upload stored them, as far as the undo knows. */
export function notUndone(counts: Outcomes, { reversed }: UndoCounts): number {
  return storedBy(counts) - reversed;
}
