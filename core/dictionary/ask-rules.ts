// Asks the rules, conditions and defaults of records, whose language is loaded only where some collection has some.

import type { Problem } from "../contract/problems.ts";
import { currentCatalogue } from "../i18n/translate.ts";
import type { Collection } from "./collections.ts";
import type { Scope } from "./expression-values.ts";
import type { FieldState } from "./rules.ts";
import type { Fields } from "./validate.ts";

type Rules = Pick<
  typeof import("./rules.ts"),
  | "problemsOfRules"
  | "problemsOfNew"
  | "fieldStates"
  | "defaultsOf"
  | "withDefaults"
  | "defaultsOfService"
  | "fieldsOfRule"
  | "fieldsOfNew"
  | "fillsRecords"
> &
  Pick<typeof import("./computed.ts"), "compute" | "formulasOf">;

let loaded: Rules | undefined;

/** Loads what the others need for this collection, once. */
export async function loadRules({ hasRules }: Pick<Collection, "hasRules">): Promise<void> {
  if (!hasRules || loaded) return;
  const [rules, computed] = await Promise.all([import("./rules.ts"), import("./computed.ts")]);
  loaded = { ...rules, ...computed };
}

/** Says whether `loadRules` has nothing to do any more. */
export function areRulesLoaded({ hasRules }: Pick<Collection, "hasRules">): boolean {
  return !hasRules || loaded !== undefined;
}

function rulesOf({ name }: Collection): Rules {
  if (!loaded) throw new Error(`the rules of ${name} are not loaded`);
  return loaded;
}

/** Does as `compute`, after `loadRules`. Nothing is computed in a collection without formulas. */
export function setComputed(
  collection: Collection,
  record: Record<string, unknown>,
  today: string,
  changed?: ReadonlySet<string>,
): Problem[] {
  return collection.hasRules ? rulesOf(collection).compute(collection, record, today, changed) : [];
}

/** Does as `problemsOfRules`, after `loadRules`, in the reader's language. Nothing is asked of a collection without rules. */
export function askRules(collection: Collection, scope: Scope, changed?: ReadonlySet<string>): Problem[] {
  if (!collection.hasRules) return [];
  return inLanguage(collection, rulesOf(collection).problemsOfRules(collection, scope, changed));
}

function inLanguage(collection: Collection, problems: Problem[]): Problem[] {
  return problems.length === 0 ? problems : problems.map((problem) => ({ ...problem, message: ruleMessage(collection, problem.message) }));
}

/** Makes what does as `askRulesOfNew` for many records, after `loadRules`. */
export function createAskOfNew(collection: Collection): (record: Fields, today: string) => Problem[] {
  if (!collection.hasRules || rulesOf(collection).fillsRecords(collection))
    return (record, today) => askRulesOfNew(collection, record, today);
  const ask = rulesOf(collection).problemsOfNew(collection);
  return (record, today) => inLanguage(collection, ask(record, today));
}

/**
 * Asks the rules of a new record with its defaults and computed values, for who does not know which person or program will save it: what depends
 * on that is left to the service.
 */
export function askRulesOfNew(collection: Collection, record: Fields, today: string): Problem[] {
  if (!collection.hasRules) return [];
  const rules = rulesOf(collection);
  const scope = { record, old: null, me: null, today };
  if (!rules.fillsRecords(collection)) return askRules(collection, scope);
  const filled = rules.withDefaults(collection, scope);
  if (filled.problems.length > 0) return filled.problems;
  const computed = rules.compute(collection, filled.record, today);
  const ofRules = askRules(collection, { ...scope, record: filled.record });
  if (computed.length + ofRules.length === 0) return ofRules;
  const broken = [...computed, ...ofRules];
  const open = rules.defaultsOfService(collection).filter((name) => !Object.hasOwn(record, name));
  if (open.length === 0) return broken;
  const following = rules.formulasOf(collection).filter(({ reads }) => open.some((name) => reads.has(name)));
  const unknown = [...open, ...following.map(({ field }) => field.name)];
  return broken.filter((problem) => !unknown.some((name) => name === problem.field || rules.fieldsOfRule(collection, problem).has(name)));
}

/** Does as `fieldsOfNew`, after `loadRules`. */
export function fieldsAskedOfNew(collection: Collection): ReadonlySet<string> | undefined {
  return collection.hasRules ? rulesOf(collection).fieldsOfNew(collection) : new Set();
}

/** Does as `fieldStates`, after `loadRules`. */
export function askStates(collection: Collection, scope: Scope): ReadonlyMap<string, FieldState> {
  return collection.hasRules ? rulesOf(collection).fieldStates(collection, scope) : new Map();
}

/** Does as `defaultsOf`, after `loadRules`. */
export function askDefaults(collection: Collection, scope: Scope): Fields {
  return collection.hasRules ? rulesOf(collection).defaultsOf(collection, scope) : {};
}

/** Returns the names of the fields that a rule reads, after `loadRules`. */
export function fieldsRead(collection: Collection, rule: string): string[] {
  return [...rulesOf(collection).fieldsOfRule(collection, { rule, field: "" })];
}

/** Returns the sentence of a rule, which is in the language of the data package, in the reader's. Other sentences stay as they are. */
export function ruleMessage({ rules: all = [] }: Pick<Collection, "rules">, sentence: string): string {
  const rule = all.find(({ message }) => message === sentence);
  return rule?.translations?.[currentCatalogue().language]?.message ?? sentence;
}
