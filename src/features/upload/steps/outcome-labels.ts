// The outcomes in the order and with the labels of every bar, legend and report.

import type { UndoCounts } from "../../../../core/contract/history.ts";
import { message, t } from "../../../../core/i18n/translate.ts";
import type { Outcome, Outcomes } from "../../../../pipeline/model/outcomes.ts";
import { notUndone } from "../../../../pipeline/runs/undo-progress.ts";
import type { OutcomePart } from "../../../components/outcome-bar.tsx";

export const OUTCOME_LABELS: Record<Outcome, string> = {
  created: message("Created"),
  updated: message("Updated"),
  unchanged: message("Unchanged"),
  skipped: message("Skipped"),
  failed: message("Failed"),
  inDoubt: message("In doubt"),
  notSent: message("Not sent"),
};

export function outcomeParts(counts: Outcomes): OutcomePart[] {
  return (Object.keys(OUTCOME_LABELS) as Outcome[]).map((outcome) => ({
    outcome,
    label: t(OUTCOME_LABELS[outcome]),
    count: counts[outcome],
  }));
}

/** The outcomes before and after an undo. Both columns add up to the rows read. */
export function beforeAndNow(counts: Outcomes, undo: UndoCounts): (OutcomePart & { before: number })[] {
  const [undone, standing, ...rest] = partsAfterUndo(counts, undo) as [OutcomePart, OutcomePart, ...OutcomePart[]];
  return [
    { ...standing, label: t("Created or updated"), before: counts.created + counts.updated },
    { ...undone, before: 0 },
    ...rest.map((part) => ({ ...part, before: part.count })),
  ];
}

/** The outcomes after an undo: "created" and "updated" are split into undone and not undone. */
export function partsAfterUndo(counts: Outcomes, undo: UndoCounts): OutcomePart[] {
  const [, , ...rest] = outcomeParts(counts);
  return [
    { outcome: "undone", label: t("Undone"), count: undo.reversed },
    { outcome: "created", label: t("Not undone"), count: notUndone(counts, undo) },
    ...rest,
  ];
}
