import type { Outcome, Outcomes } from "../../../pipeline/model/outcomes.ts";

/** It stands apart from outcomes.ts, of which the layout of the app needs nothing else. */
const IS_STORED: Record<Outcome, boolean> = {
  created: true,
  updated: true,
  unchanged: true,
  skipped: false,
  failed: false,
  inDoubt: false,
  notSent: false,
};

/** Counts the rows that are known to be stored as the file has them. */
export function storedRows(counts: Outcomes): number {
  return (Object.keys(IS_STORED) as Outcome[]).reduce((sum, outcome) => sum + (IS_STORED[outcome] ? counts[outcome] : 0), 0);
}
