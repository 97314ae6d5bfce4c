import type { Corrections } from "./corrections.ts";
import type { Plan } from "./plan.ts";

/** A plan as it may stand in the browser's journal. Version 0.1.0 called the automatic fixes "remedies". */
export type StoredPlan = Omit<Plan, "fixes"> & {
  fixes?: Omit<Corrections, "autoFixes"> & Partial<Pick<Corrections, "autoFixes">> & { remedies?: Corrections["autoFixes"] };
};

/**
 * The plan of an upload that may have begun under version 0.1.0, with the names of today. Applied on every read, so the
 * database needs no upgrade: an upgrade would wait for each open tab of the earlier version.
 */
export function restorePlan({ fixes, ...plan }: StoredPlan): Plan {
  if (!fixes) return plan;
  const { remedies = [], ...corrections } = fixes;
  return { ...plan, fixes: { autoFixes: remedies, ...corrections } };
}
