// Puts outcomes into the groups that the messages of the command name.

import { OUTCOMES, type Outcome, type Outcomes } from "../../pipeline/model/outcomes.ts";

export type OutcomeGroup = "created" | "updated" | "asBefore" | "refused" | "inDoubt" | "notSent";

export const GROUP_OF: Record<Outcome, OutcomeGroup> = {
  created: "created",
  updated: "updated",
  unchanged: "asBefore",
  skipped: "asBefore",
  failed: "refused",
  inDoubt: "inDoubt",
  notSent: "notSent",
};

export function groupOutcomes(counts: Outcomes): Record<OutcomeGroup, number> {
  const groups = { created: 0, updated: 0, asBefore: 0, refused: 0, inDoubt: 0, notSent: 0 };
  for (const outcome of OUTCOMES) groups[GROUP_OF[outcome]] += counts[outcome];
  return groups;
}

/** Records that the service refused. */
export function countRefused(counts: Outcomes): number {
  return groupOutcomes(counts).refused;
}

/** Records that the service has, from this run or from before. */
export function countStored(counts: Outcomes): number {
  const { created, updated, asBefore } = groupOutcomes(counts);
  return created + updated + asBefore;
}
