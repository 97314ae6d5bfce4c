// Holds records to the rules of their collection, which look at several fields at once. All who check records ask here.

import { CONDITIONALS, type Conditional, type Problem } from "../contract/problems.ts";
import { beginPass, endPass, type Run, type Scope } from "./expression-values.ts";
import { compileExpression, type Expression } from "./expressions.ts";
import type { Field } from "./fields.ts";
import { KIND_TRAITS, type Value } from "./kinds.ts";
import { CONDITIONS } from "./read-conditions.ts";
import type { Rule } from "./rule.ts";
import { type Fields, isProblem, missing, notAmong, validateValue } from "./validate.ts";

interface WithRules {
  name: string;
  fields: readonly Field[];
  rules?: readonly Rule[];
}

/** A rule, or a condition of a field, that is compiled. */
interface Check {
  /** Its name, if it is a rule. */
  rule?: string;
  /** The word of the field, if it is a condition. */
  constraint?: Conditional;
  /** Names the field then. */
  field?: string;
  /** All fields whose change can break it. */
  reads: ReadonlySet<string>;
  /** Nobody can say of a stored record alone that it breaks this. */
  isOfChange: boolean;
  /** Only who knows the person or program that writes can ask this. */
  readsMe: boolean;
  /** Whoever writes may confirm that the record is meant so. */
  isWarning: boolean;
  isBroken(scope: Scope): boolean;
  problems(scope: Scope): Problem[];
}

/** `fields`: those at which its message stands. */
export type BrokenRule = { fields: readonly string[] } & ({ rule: string; constraint?: never } | { constraint: Conditional; rule?: never });

/** Says what a field with conditions is for a record as it stands. */
export interface FieldState {
  isVisible: boolean;
  isRequired: boolean;
  /** The values that it may have; undefined where no list depends on others now. */
  choices: readonly Value[] | undefined;
}

const compiled = new WeakMap<WithRules, readonly Check[]>();

/** Compiles the rules of a collection once. */
function checksOf(collection: WithRules): readonly Check[] {
  const known = compiled.get(collection);
  if (known) return known;
  const { rules = [], fields } = collection;
  const checks = [...conditionsOf(fields).flatMap(checksOfField), ...rules.map((rule) => checkOfRule(rule, fields))];
  compiled.set(collection, checks);
  return checks;
}

function checkOfRule({ name, when, must, severity, message, fields }: Rule, all: readonly Field[]): Check {
  const [demand, applies] = [compile(must, all), when === undefined ? undefined : compile(when, all)];
  const parts = applies ? [demand, applies] : [demand];
  const isWarning = severity === "warning";
  const code = isWarning ? "WARNING" : "RULE";
  return {
    isWarning,
    rule: name,
    reads: new Set(parts.flatMap(({ reads }) => [...reads])),
    isOfChange: parts.some(readsChange),
    readsMe: parts.some(({ readsMe }) => readsMe),
    isBroken: breaking(demand.run, applies?.run),
    problems: () => (fields ?? [...demand.reads]).map((field) => ({ field, code, message, rule: name })),
  };
}

/** A record breaks a rule where `demand` is false. Where `applies` is given and not true, nothing is demanded. */
function breaking(demand: Run, applies: Run | undefined): Check["isBroken"] {
  if (!applies) return (scope) => demand(scope) === false;
  return (scope) => applies(scope) === true && demand(scope) === false;
}

interface Conditions {
  field: Field;
  isVisible(scope: Scope): boolean;
  isRequired(scope: Scope): boolean;
  choices(scope: Scope): readonly Value[] | undefined;
  default: Expression | undefined;
  /** The expressions behind each condition that a record can break. */
  parts: Readonly<Partial<Record<Conditional, readonly Expression[]>>>;
}

const WORDS = [...CONDITIONS, "default"] as const;

const compiledConditions = new WeakMap<readonly Field[], readonly Conditions[]>();

/** Compiles the conditions and defaults of fields once, for those that have some. */
function conditionsOf(fields: readonly Field[]): readonly Conditions[] {
  const known = compiledConditions.get(fields);
  if (known) return known;
  const own = fields.filter((field) => field.choicesIf !== undefined || WORDS.some((word) => field[word] !== undefined));
  const conditions = own.map((field) => compileConditions(field, fields));
  compiledConditions.set(fields, conditions);
  return conditions;
}

function compileConditions(field: Field, all: readonly Field[]): Conditions {
  const [visible, required, initial] = WORDS.map((word) => (field[word] === undefined ? undefined : compile(field[word], all)));
  const lists = field.choicesIf?.map(({ when, values }) => ({ when: compile(when, all), values }));
  const isVisible = (scope: Scope) => !visible || visible.run(scope) === true;
  return {
    field,
    isVisible,
    isRequired: (scope) => required?.run(scope) === true && isVisible(scope),
    choices(scope) {
      const held = lists?.filter(({ when }) => when.run(scope) === true) ?? [];
      return held.length > 0 ? [...new Set(held.flatMap(({ values }) => values))] : undefined;
    },
    default: initial,
    parts: {
      ...(required && { requiredIf: visible ? [required, visible] : [required] }),
      ...(lists && { choicesIf: lists.map(({ when }) => when) }),
    },
  };
}

function checksOfField({ field, isRequired, choices, parts }: Conditions): Check[] {
  const valueIn = ({ record }: Scope) => (record[field.name] ?? null) as Value | null;
  const isOutside = (value: Value | null, among: readonly Value[] | undefined) => value !== null && among?.includes(value) === false;
  const asks: Record<Conditional, Pick<Check, "isBroken" | "problems">> = {
    requiredIf: {
      isBroken: (scope) => valueIn(scope) === null && isRequired(scope),
      problems: () => [{ ...missing(field), constraint: "requiredIf" }],
    },
    choicesIf: {
      isBroken: (scope) => isOutside(valueIn(scope), choices(scope)),
      problems: (scope) => [{ ...notAmong(field, choices(scope) ?? []), constraint: "choicesIf" }],
    },
  };
  return CONDITIONALS.flatMap((constraint) => {
    const expressions = parts[constraint];
    if (!expressions) return [];
    const reads = new Set([field.name, ...expressions.flatMap(({ reads }) => [...reads])]);
    const readsMe = expressions.some((one) => one.readsMe);
    const isOfChange = expressions.some(readsChange);
    return [{ constraint, field: field.name, reads, isOfChange, readsMe, isWarning: false, ...asks[constraint] }];
  });
}

function readsChange({ readsOld, readsMe }: Expression): boolean {
  return readsOld || readsMe;
}

function compile(source: string, fields: readonly Field[]): Expression {
  const expression = compileExpression(source, fields);
  if (expression.status === "wrong") throw new Error(`a rule of the dictionary was not checked: ${source} ${expression.message}`);
  return expression;
}

/**
 * Returns a problem for each field of each rule that the record breaks. `changed`: the names of the fields that a save changes, which is held
 * to the rules that read them and to no other; without it all are asked. `isWhole`: all errors are asked even so, as of a PUT; of a warning nobody
 * is asked again before a field that it reads changes. Without `scope.me` nothing is asked that reads it, which the service asks of every write.
 */
export function problemsOfRules(collection: WithRules, scope: Scope, changed?: ReadonlySet<string>, isWhole = false): Problem[] {
  const checks = scope.me === null ? checksWithoutMe(collection) : checksOf(collection);
  if (changed === undefined) return problemsOf(checks, scope);
  return problemsOf(checks, scope, (check) => (isWhole && !check.isWarning) || readsOneOf(check, changed));
}

/** Does so of new records of which nobody knows who saves them. A file asks a million times, so it finds the rules once. */
export function problemsOfNew(collection: WithRules): (record: Scope["record"], today: string) => Problem[] {
  const checks = checksWithoutMe(collection);
  return (record, today) => problemsOf(checks, { record, old: null, me: null, today });
}

function problemsOf(checks: readonly Check[], scope: Scope, isAsked?: (check: Check) => boolean): Problem[] {
  const broken = brokenAmong(checks, scope, isAsked);
  return broken.length === 0 ? [] : broken.flatMap((check) => check.problems(scope));
}

/** A file, or a scan, asks a million times, mostly in vain. */
function brokenAmong(checks: readonly Check[], scope: Scope, isAsked?: (check: Check) => boolean): Check[] {
  const broken: Check[] = [];
  beginPass();
  try {
    for (let i = 0; i < checks.length; i++) {
      const check = checks[i] as Check;
      if ((!isAsked || isAsked(check)) && check.isBroken(scope)) broken.push(check);
    }
  } finally {
    endPass();
  }
  return broken;
}

const compiledWithoutMe = new WeakMap<WithRules, readonly Check[]>();

/** Leaves out those that read who saves. */
function checksWithoutMe(collection: WithRules): readonly Check[] {
  const known = compiledWithoutMe.get(collection);
  if (known) return known;
  const checks = checksOf(collection).filter(({ readsMe }) => !readsMe);
  compiledWithoutMe.set(collection, checks);
  return checks;
}

function readsOneOf({ reads }: Pick<Check, "reads">, names: ReadonlySet<string>): boolean {
  for (const name of reads) if (names.has(name)) return true;
  return false;
}

/** Lists the rules that read one of these fields. */
export function rulesReading(collection: WithRules, names: ReadonlySet<string>): string[] {
  return checksOf(collection).flatMap((check) => (check.rule !== undefined && readsOneOf(check, names) ? [check.rule] : []));
}

/** Lists the rules and conditions that a stored record breaks. Those about a change, which read `old` or `me`, say nothing about it. */
export function brokenRules(collection: WithRules, record: Scope["record"], today: string): BrokenRule[] {
  const scope = { record, old: null, me: null, today };
  return brokenAmong(checksOf(collection), scope, (check) => !check.isOfChange).map((check) => {
    const { rule, constraint } = check;
    return { ...(rule === undefined ? { constraint } : { rule }), fields: check.problems(scope).map(({ field }) => field) } as BrokenRule;
  });
}

/** Returns the names of the fields that must be known to tell which rules and conditions a stored record breaks. */
export function fieldsOfRules(collection: WithRules): ReadonlySet<string> {
  return new Set(checksOf(collection).flatMap(({ reads, isOfChange }) => (isOfChange ? [] : [...reads])));
}

/** Names a rule, or a condition of `field`. */
type Meant = Pick<Problem, "rule" | "field"> & { constraint?: string | undefined };

function meantOf(collection: WithRules, { rule, constraint, field }: Meant): Check[] {
  const isMeant = (check: Check) => (rule === undefined ? check.constraint === constraint && check.field === field : check.rule === rule);
  return checksOf(collection).filter(isMeant);
}

/** Returns the names of the fields that a rule reads, or a condition of a field. */
export function fieldsOfRule(collection: WithRules, meant: Meant): ReadonlySet<string> {
  return new Set(meantOf(collection, meant).flatMap(({ reads }) => [...reads]));
}

/** Says whether a rule or a condition is about a change, because it reads `old` or `me`: then it says nothing of stored records. */
export function isOfChange(collection: WithRules, meant: Meant): boolean {
  return meantOf(collection, meant).some((check) => check.isOfChange);
}

/** Says of each field with conditions what it is for the record of `scope`. */
export function fieldStates({ fields }: WithRules, scope: Scope): ReadonlyMap<string, FieldState> {
  return new Map(
    conditionsOf(fields).map(({ field, isVisible, isRequired, choices }) => [
      field.name,
      { isVisible: isVisible(scope), isRequired: isRequired(scope), choices: choices(scope) },
    ]),
  );
}

/**
 * Lists the fields that keep a value although the record of `scope` hides them: what the write has hidden, and what it has written there.
 * `changed`: the names of the fields that it changes; without it all are new.
 */
export function leftBehind({ fields }: WithRules, scope: Scope, changed?: ReadonlySet<string>): string[] {
  return conditionsOf(fields).flatMap(({ field, isVisible }) => {
    const { name, visibleIf, computed } = field;
    const mayBe = visibleIf !== undefined && computed === undefined && (scope.record[name] ?? null) !== null;
    if (!mayBe || isVisible(scope)) return [];
    const wasHidden = changed && !changed.has(name) && scope.old && !isVisible({ ...scope, record: scope.old });
    return wasHidden ? [] : [name];
  });
}

/**
 * Returns the values with which a new record begins in fields that it leaves out, as `scope.record` does with them. They may break the rules
 * of their fields. A field that is not asked for begins empty.
 */
export function defaultsOf({ fields }: WithRules, scope: Scope): Fields {
  const own = conditionsOf(fields).filter((one) => one.default && !Object.hasOwn(scope.record, one.field.name));
  if (own.length === 0) return {};
  const given: [Conditions, Value | null][] = own.map((one) => {
    const value = one.default?.run(scope) ?? null;
    return [one, value === null ? null : (KIND_TRAITS[one.field.kind].fromJson(value) ?? value)];
  });
  const named = (some: typeof given): Fields => Object.fromEntries(some.map(([{ field }, value]) => [field.name, value]));
  const always = named(given.filter(([{ field }]) => field.visibleIf === undefined));
  const record = { ...scope.record, ...always };
  return { ...always, ...named(given.filter(([one]) => one.field.visibleIf !== undefined && one.isVisible({ ...scope, record }))) };
}

/** Fills what a new record leaves out with its defaults, which are held to the rules of their fields like other values. */
export function withDefaults(collection: WithRules, scope: Scope & { record: Readonly<Fields> }): { record: Fields; problems: Problem[] } {
  const record = { ...scope.record };
  const problems: Problem[] = [];
  const initial = defaultsOf(collection, scope);
  for (const { field } of conditionsOf(collection.fields)) {
    const value = initial[field.name] ?? null;
    if (value === null) continue;
    const validated = validateValue({ ...field, readOnly: false }, value, "json");
    if (isProblem(validated)) problems.push(validated);
    else record[field.name] = validated;
  }
  return { record, problems };
}

/** Says whether a new record has defaults or computed values to be filled with. */
export function fillsRecords({ fields }: WithRules): boolean {
  const known = filling.get(fields);
  if (known !== undefined) return known;
  const fills = conditionsOf(fields).some((one) => one.default) || fields.some(({ computed }) => computed !== undefined);
  filling.set(fields, fills);
  return fills;
}

const filling = new WeakMap<readonly Field[], boolean>();

/** Returns the names of the fields that the rules ask of a new record; undefined where defaults and computed values may read others. */
export function fieldsOfNew(collection: WithRules): ReadonlySet<string> | undefined {
  return fillsRecords(collection) ? undefined : new Set(checksWithoutMe(collection).flatMap(({ reads }) => [...reads]));
}

/** Lists the fields whose default only the service knows, because it reads `me`. */
export function defaultsOfService({ fields }: WithRules): string[] {
  return conditionsOf(fields).flatMap((one) => (one.default?.readsMe ? [one.field.name] : []));
}
