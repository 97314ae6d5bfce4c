import type { UndoCounts } from "../../core/contract/history.ts";
import { countStored, type Outcomes } from "../model/outcomes.ts";

/** The rows that an interrupted undo has not reached. */
export function leftToUndo(counts: Outcomes, { reversed, kept, failed }: UndoCounts): number {
  return countStored(counts) - reversed - kept - failed;
}

/** The rows that are still stored as the upload stored them, as far as the undo knows. */
export function notUndone(counts: Outcomes, { reversed }: UndoCounts): number {
  return countStored(counts) - reversed;
}
