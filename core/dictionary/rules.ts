// Holds records to the rules of their collection, which look at several fields at once. All who check records ask here.

import type { Problem } from "../contract/problems.ts";
import type { Scope } from "./expression-values.ts";
import { compileExpression, type Expression } from "./expressions.ts";
import type { Field } from "./fields.ts";
import type { Value } from "./kinds.ts";
import type { Rule } from "./rule.ts";
import { missing, notAmong } from "./validate.ts";

interface WithRules {
  name: string;
  fields: readonly Field[];
  rules?: readonly Rule[];
}

/** A rule, or a condition of a field, that is compiled. */
interface Check {
  /** Its name, if it is a rule. */
  rule?: string;
  /** All fields whose change can break it. */
  reads: ReadonlySet<string>;
  /** Nobody can say of a stored record alone that it breaks this. */
  isOfChange: boolean;
  isBroken(scope: Scope): boolean;
  problems(scope: Scope): Problem[];
}

export interface BrokenRule {
  rule: string;
  /** The fields at which its message stands. */
  fields: readonly string[];
}

const compiled = new WeakMap<WithRules, readonly Check[]>();

/** Compiles the rules of a collection once. */
function checksOf(collection: WithRules): readonly Check[] {
  const known = compiled.get(collection);
  if (known) return known;
  const { rules = [], fields } = collection;
  const checks = [...fields.flatMap((field) => checksOfField(field, fields)), ...rules.map((rule) => checkOfRule(rule, fields))];
  compiled.set(collection, checks);
  return checks;
}

function checkOfRule({ name, when, must, message, fields }: Rule, all: readonly Field[]): Check {
  const [demand, applies] = [compile(must, all), when === undefined ? undefined : compile(when, all)];
  const parts = applies ? [demand, applies] : [demand];
  return {
    rule: name,
    reads: new Set(parts.flatMap(({ reads }) => [...reads])),
    isOfChange: parts.some(({ readsOld, readsMe }) => readsOld || readsMe),
    isBroken: (scope) => (!applies || applies.run(scope) === true) && demand.run(scope) === false,
    problems: () => (fields ?? [...demand.reads]).map((field) => ({ field, code: "RULE", message, rule: name })),
  };
}

function checksOfField(field: Field, all: readonly Field[]): Check[] {
  const { name, visibleIf, requiredIf, choicesIf } = field;
  const valueIn = ({ record }: Scope) => (record[name] ?? null) as Value | null;
  const checks: Check[] = [];
  const add = (expressions: readonly Expression[], check: Pick<Check, "isBroken" | "problems">) =>
    checks.push({
      ...check,
      reads: new Set([name, ...expressions.flatMap(({ reads }) => [...reads])]),
      isOfChange: expressions.some(({ readsOld, readsMe }) => readsOld || readsMe),
    });
  if (requiredIf !== undefined) {
    const conditions = [requiredIf, ...(visibleIf === undefined ? [] : [visibleIf])].map((source) => compile(source, all));
    add(conditions, {
      isBroken: (scope) => valueIn(scope) === null && conditions.every(({ run }) => run(scope) === true),
      problems: () => [missing(field)],
    });
  }
  if (choicesIf) {
    const choices = choicesIf.map(({ when, values }) => ({ when: compile(when, all), values }));
    const allowed = (scope: Scope) => choices.flatMap(({ when, values }) => (when.run(scope) === true ? values : []));
    add(
      choices.map(({ when }) => when),
      {
        isBroken: (scope) => {
          const value = valueIn(scope);
          if (value === null) return false;
          const values = allowed(scope);
          return values.length > 0 && !values.includes(value);
        },
        problems: (scope) => [notAmong(field, [...new Set(allowed(scope))])],
      },
    );
  }
  return checks;
}

function compile(source: string, fields: readonly Field[]): Expression {
  const expression = compileExpression(source, fields);
  if (expression.status === "wrong") throw new Error(`a rule of the dictionary was not checked: ${source} ${expression.message}`);
  return expression;
}

/**
 * Returns a problem for each field of each rule that the record breaks. `changed`: the names of the fields that a save changes, which is held
 * to the rules that read them and to no other; without it all are asked.
 */
export function problemsOfRules(collection: WithRules, scope: Scope, changed?: ReadonlySet<string>): Problem[] {
  const broken: Problem[] = []; // a file asks a million times, mostly in vain
  for (const check of checksOf(collection)) if (check.isBroken(scope) && isAsked(check, changed)) broken.push(...check.problems(scope));
  return broken;
}

function isAsked({ reads }: Check, changed: ReadonlySet<string> | undefined): boolean {
  return changed === undefined || [...reads].some((name) => changed.has(name));
}

/** Lists the rules that a stored record breaks. Rules about a change, which read `old` or `me`, say nothing about it. */
export function brokenRules(collection: WithRules, record: Scope["record"], today: string): BrokenRule[] {
  const scope = { record, old: null, me: null, today };
  const broken: BrokenRule[] = []; // a scan asks a million times, mostly in vain
  for (const { rule, isOfChange, isBroken, problems } of checksOf(collection))
    if (rule !== undefined && !isOfChange && isBroken(scope)) broken.push({ rule, fields: problems(scope).map(({ field }) => field) });
  return broken;
}

/** Returns the names of the fields that a rule reads. */
export function fieldsOfRule(collection: WithRules, rule: string): ReadonlySet<string> {
  return checksOf(collection).find((check) => check.rule === rule)?.reads ?? new Set();
}

/** Says whether a rule is about a change, because it reads `old` or `me`: then it says nothing of stored records. */
export function isAboutChange(collection: WithRules, rule: string): boolean {
  return checksOf(collection).some((check) => check.rule === rule && check.isOfChange);
}
