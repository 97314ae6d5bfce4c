import type { Outcomes } from "../../pipeline/model/outcomes.ts";

/** The number of rows that are known to be stored. */
export function storedRows(counts: Outcomes): number {
  return counts.created + counts.updated + counts.unchanged;
}
