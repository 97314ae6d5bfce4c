// The outcomes in the order and with the labels of every bar, legend and report.

import type { UndoCounts } from "../../../core/contract/history.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { countStored, isStored, type Outcome, type Outcomes } from "../../../pipeline/model/outcomes.ts";
import { notUndone } from "../../../pipeline/runs/undo-progress.ts";
import type { OutcomePart } from "../../values/outcome-bar.tsx";

export const OUTCOME_LABELS: Record<Outcome, string> = {
  created: message("Created"),
  updated: message("Updated"),
  unchanged: message("Unchanged"),
  skipped: message("Skipped"),
  failed: message("Failed"),
  inDoubt: message("In doubt"),
  notSent: message("Not sent"),
};

export function outcomeParts(counts: Outcomes): (OutcomePart & { outcome: Outcome })[] {
  return (Object.keys(OUTCOME_LABELS) as Outcome[]).map((outcome) => ({
    outcome,
    label: t(OUTCOME_LABELS[outcome]),
    count: counts[outcome],
  }));
}

/** Returns the outcomes before and after an undo. Both columns add up to the rows read. */
export function beforeAndNow(counts: Outcomes, undo: UndoCounts): (OutcomePart & { before: number })[] {
  const [undone, standing, ...rest] = partsAfterUndo(counts, undo) as [OutcomePart, OutcomePart, ...OutcomePart[]];
  return [
    { ...standing, label: t("Created or updated"), before: countStored(counts) },
    { ...undone, before: 0 },
    ...rest.map((part) => ({ ...part, before: part.count })),
  ];
}

/** Returns the outcomes after an undo: what the upload stored is split into undone and not undone. */
export function partsAfterUndo(counts: Outcomes, undo: UndoCounts): OutcomePart[] {
  return [
    { outcome: "undone", label: t("Undone"), count: undo.reversed },
    { outcome: "created", label: t("Not undone"), count: notUndone(counts, undo) },
    ...outcomeParts(counts).filter(({ outcome }) => !isStored(outcome)),
  ];
}
