// Asks the rules over several fields, whose language is loaded only where some collection has some.

import type { Problem } from "../contract/problems.ts";
import { currentCatalogue } from "../i18n/translate.ts";
import type { Collection } from "./collections.ts";
import type { Scope } from "./expression-values.ts";

let rules: typeof import("./rules.ts") | undefined;

/** Loads what `askRules` needs for this collection, once. */
export async function loadRules({ hasRules }: Pick<Collection, "hasRules">): Promise<void> {
  if (hasRules) rules ??= await import("./rules.ts");
}

/** Does as `problemsOfRules`, after `loadRules`, in the reader's language. Nothing is asked of a collection without rules. */
export function askRules(collection: Collection, scope: Scope, changed?: ReadonlySet<string>): Problem[] {
  if (!collection.hasRules) return [];
  if (!rules) throw new Error(`the rules of ${collection.name} are not loaded`);
  const problems = rules.problemsOfRules(collection, scope, changed);
  return problems.map((problem) => ({ ...problem, message: ruleMessage(collection, problem.message) }));
}

/** Returns the names of the fields that a rule reads, after `loadRules`. */
export function fieldsRead(collection: Collection, rule: string): string[] {
  return [...(rules?.fieldsOfRule(collection, rule) ?? [])];
}

/** Returns the sentence of a rule, which is in the language of the data package, in the reader's. Other sentences stay as they are. */
export function ruleMessage({ rules: all = [] }: Pick<Collection, "rules">, sentence: string): string {
  const rule = all.find(({ message }) => message === sentence);
  return rule?.translations?.[currentCatalogue().language]?.message ?? sentence;
}
