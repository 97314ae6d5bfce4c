// A plan that was made before a field got another name: what it reads by today's names, and sends by its own.

import type { Collection } from "../../core/dictionary/collections.ts";
import { currentName } from "../../core/dictionary/column-name.ts";
import type { Corrected, Corrections } from "./corrections.ts";
import type { Plan } from "./plan.ts";

type Rename = (name: string) => string;

/** Returns the same plan where no name of it is a former one. */
export function withNamesOfToday(plan: Plan, collection: Collection): Plan {
  const { columns, decimalSigns, unsurePoints, asStored, fixes } = plan;
  const rename: Rename = (name) => currentName(collection, name) ?? name;
  const now = columns.map((name) => name && rename(name));
  if (now.every((name, i) => name === columns[i])) return plan;
  const keyed = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [rename(name), value]));
  return {
    ...plan,
    columns: now,
    ...(plan.matchBy !== undefined && { matchBy: plan.matchBy.split(",").map(rename).join() }),
    ...(decimalSigns && { decimalSigns: keyed(decimalSigns) }),
    ...(unsurePoints && { unsurePoints: unsurePoints.map(rename) }),
    ...(asStored && { asStored: keyed(asStored) }),
    ...(fixes && { fixes: renamedFixes(fixes, rename) }),
  };
}

/** Returns the corrections of a file that waits, with all their steps. */
export function correctedToday(corrected: Corrected, collection: Collection): Corrected {
  const { history } = corrected;
  const fixesOf = (fixes: Corrections) => renamedFixes(fixes, (name) => currentName(collection, name) ?? name);
  const stepsOf = (steps: Corrected["history"]["past"]) => steps.map((step) => ({ ...step, fixes: fixesOf(step.fixes) }));
  return {
    ...corrected,
    history: { fixes: fixesOf(history.fixes), past: stepsOf(history.past), future: stepsOf(history.future) },
  };
}

function renamedFixes(fixes: Corrections, rename: Rename): Corrections {
  const inRules = <Rule extends { field: string }>(rules: readonly Rule[]) => rules.map((rule) => ({ ...rule, field: rename(rule.field) }));
  const { leftOutGroups, autoFixes, values, parents } = fixes;
  return {
    ...fixes,
    ...{ leftOutGroups: inRules(leftOutGroups), autoFixes: inRules(autoFixes) },
    ...(values && { values: inRules(values) }),
    ...(parents && { parents: inRules(parents) }),
  };
}

/**
 * Says under which names records are sent: those with which the upload began, so that a batch that got no answer goes again byte for byte
 * under its key. The service understands them. Undefined where the plan has the names of today.
 */
export function namesToSend(begun: Plan, now: Plan): ReadonlyMap<string, string> | undefined {
  if (begun === now) return undefined;
  return new Map(now.columns.flatMap((name, i) => (name && begun.columns[i] ? [[name, begun.columns[i]] as const] : [])));
}
