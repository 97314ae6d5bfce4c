import type { RunPart, UndoCounts } from "../../core/contract/history.ts";
import { countStored, type Outcomes } from "../model/outcomes.ts";

/** Counts the rows that an interrupted undo has not reached. */
export function leftToUndo(counts: Outcomes, { reversed, kept, failed }: UndoCounts): number {
  return countStored(counts) - reversed - kept - failed;
}

/** Counts the rows that are still stored as the upload stored them, as far as the undo knows. */
export function notUndone(counts: Outcomes, { reversed }: UndoCounts): number {
  return countStored(counts) - reversed;
}

/** Counts the changes that a run made in a collection, and those that its undo made there. */
export interface RunSizes {
  made: number;
  undone: number;
}

export function runSizes(parts: readonly RunPart[], collection: string): RunSizes {
  const sizes: RunSizes = { made: 0, undone: 0 };
  for (const part of parts) if (part.collection === collection) sizes[part.source.type === "undo" ? "undone" : "made"] += part.size;
  return sizes;
}

/** An undo takes several changes of one record back by one change. Then it is whole with fewer changes than the run, and this says no. */
export function isWhollyUndone({ made, undone }: RunSizes): boolean {
  return made > 0 && undone >= made;
}
