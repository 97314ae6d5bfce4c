import type { Outcomes } from "../../pipeline/model/outcomes.ts";

/** Rows of which it is known that they stand in the store. */
export function storedRows(counts: Outcomes): number {
  return counts.created + counts.updated + counts.unchanged;
}
