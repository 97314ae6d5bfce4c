import type { Corrections } from "./corrections.ts";
import type { Plan } from "./plan.ts";

/** A plan as it may stand in a journal. Version 0.1.0 called two properties by other names. */
export type StoredPlan = Omit<Plan, "fixes"> & {
  fixes?: Omit<Corrections, "autoFixes"> & Partial<Pick<Corrections, "autoFixes">> & { remedies?: Corrections["autoFixes"] };
  torn?: "RECORD";
};

/**
 * The plan of an upload that may have begun under an earlier version, with the names of this one. Applied on every read, so a
 * database needs no upgrade: an upgrade would wait for each open tab of the earlier version.
 */
export function restorePlan({ fixes, torn, ...plan }: StoredPlan): Plan {
  const restored: Plan = { ...plan };
  if (torn) restored.malformed = torn;
  if (fixes) {
    const { remedies, ...corrections } = fixes;
    restored.fixes = { ...corrections, autoFixes: corrections.autoFixes ?? remedies ?? [] };
  }
  return restored;
}
