// Asks the rules over several fields, whose language is loaded only where some collection has some.

import type { Problem } from "../contract/problems.ts";
import { currentCatalogue } from "../i18n/translate.ts";
import type { Collection } from "./collections.ts";
import type { Scope } from "./expression-values.ts";

type Ask = typeof import("./rules.ts").problemsOfRules;
type Compute = typeof import("./computed.ts").compute;

let ask: Ask | undefined;
let computeAll: Compute | undefined;

/** Loads what `askRules` and `setComputed` need for this collection, once. */
export async function loadRules({ hasRules }: Pick<Collection, "hasRules">): Promise<void> {
  if (!hasRules || ask) return;
  const [rules, computed] = await Promise.all([import("./rules.ts"), import("./computed.ts")]);
  [ask, computeAll] = [rules.problemsOfRules, computed.compute];
}

/** Does as `compute`, after `loadRules`. Nothing is computed in a collection without formulas. */
export function setComputed(collection: Collection, ...rest: Rest<Parameters<Compute>>): Problem[] {
  if (!collection.hasRules) return [];
  if (!computeAll) throw new Error(`the formulas of ${collection.name} are not loaded`);
  return computeAll(collection, ...rest);
}

type Rest<All extends unknown[]> = All extends [unknown, ...infer Others] ? Others : never;

/** Does as `problemsOfRules`, after `loadRules`, in the reader's language. Nothing is asked of a collection without rules. */
export function askRules(collection: Collection, scope: Scope, changed?: ReadonlySet<string>): Problem[] {
  if (!collection.hasRules) return [];
  if (!ask) throw new Error(`the rules of ${collection.name} are not loaded`);
  return ask(collection, scope, changed).map((problem) => ({ ...problem, message: ruleMessage(collection, problem.message) }));
}

/** Returns the sentence of a rule, which is in the language of the data package, in the reader's. Other sentences stay as they are. */
export function ruleMessage({ rules = [] }: Pick<Collection, "rules">, sentence: string): string {
  const rule = rules.find(({ message }) => message === sentence);
  return rule?.translations?.[currentCatalogue().language]?.message ?? sentence;
}
