// The outcomes in the order and the words in which every bar, legend and report shows them.

import type { BarPart } from "../ui/outcome-bar.tsx";
import type { UndoCounts } from "../upload/journal.ts";
import type { Outcome, Outcomes } from "../upload/report.ts";
import { notUndone } from "../upload/undo-left.ts";

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
export function partsAfterUndo(counts: Outcomes, undo: UndoCounts): BarPart[] {
  const [, , ...rest] = outcomeParts(counts);
  return [
    { outcome: "undone", label: "Undone", count: undo.reversed },
    { outcome: "created", label: "Not undone", count: notUndone(counts, undo) },
    ...rest,
  ];
}

/** Rows of which it is known that they stand in the store. */
export function storedRows(counts: Outcomes): number {
  return counts.created + counts.updated + counts.unchanged;
}
