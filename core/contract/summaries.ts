// Holds what may be asked of a summary, which counts and sums a list in groups.

/** Returns where the records of a collection are counted and summed. */
export function summaryPath(collection: string): string {
  return `/${collection}/summary`;
}

/** Days and moments are cut to these. A week is named by its Monday (ISO 8601), the others as 2026, 2026-Q4, 2026-11 and 2026-11-27. */
export const PERIODS = ["day", "week", "month", "quarter", "year"] as const;
export type Period = (typeof PERIODS)[number];

/** These are said of the records of a group. All but `count` are of a field, and leave out records without a value there. */
export const MEASURES = ["count", "sum", "avg", "min", "max", "distinct"] as const;
export type Measure = (typeof MEASURES)[number];

export const MOST_GROUP_FIELDS = 3;
export const MOST_MEASURES = 10;
export const MOST_GROUPS = 10_000;
export const AVERAGE_DECIMALS = 10; // digits behind the point of an average, which is rounded there
