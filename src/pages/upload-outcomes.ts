// The outcomes in the order and the words in which every bar, legend and report shows them.

import type { BarPart } from "../ui/outcome-bar.tsx";
import type { UndoCounts } from "../upload/journal.ts";
import type { Outcome, Outcomes, Report } from "../upload/report.ts";

export const OUTCOME_LABELS: Record<Outcome, string> = {
  created: "Created",
  updated: "Updated",
  unchanged: "Unchanged",
  skipped: "Skipped",
  failed: "Failed",
  inDoubt: "In doubt",
  notSent: "Not sent",
};

export function outcomeParts(counts: Outcomes): BarPart[] {
  return (Object.keys(OUTCOME_LABELS) as Outcome[]).map((outcome) => ({ outcome, label: OUTCOME_LABELS[outcome], count: counts[outcome] }));
}

/** The same after an undo: of what was created and updated, what was taken back and what still stands. */
export function partsAfterUndo(counts: Outcomes, { reversed }: UndoCounts): BarPart[] {
  const [created, updated, ...rest] = outcomeParts(counts);
  const stored = (created?.count ?? 0) + (updated?.count ?? 0);
  return [
    { outcome: "undone", label: "Undone", count: reversed },
    { outcome: "created", label: "Not undone", count: stored - reversed },
    ...rest,
  ];
}

/** Rows that an undo which was cut off has not come to. */
export function leftToUndo(counts: Outcomes, lasting: Report["lasting"], { reversed, kept, failed }: UndoCounts): number {
  const beyondUndo = lasting ? lasting.created + lasting.updated : 0;
  return counts.created + counts.updated - beyondUndo - reversed - kept - failed;
}

/** Rows of which it is known that they stand in the store. */
export function storedRows(counts: Outcomes): number {
  return counts.created + counts.updated + counts.unchanged;
}
