// Counts and finds stored records that break rules: in SQL where that can say it, otherwise by reading values.

import type { Broken, Constraint, ViolationCount } from "../../core/contract/violations.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { MOST_LISTED } from "../../core/dictionary/rule-impact.ts";
import { brokenRules, fieldsOfRules } from "../../core/dictionary/rules.ts";
import { brokenBy } from "../../core/dictionary/violations.ts";
import { dayIn } from "../../core/forms/time-zones.ts";
import { type Cell, columnOf, isFolded, quoted, tableOf, toCell, toValue } from "./columns.ts";
import { exceptedBetween, exceptedRules, exceptionName } from "./exceptions.ts";
import type { Condition } from "./filter-sql.ts";
import { heldColumns, isOf, readKnownFields } from "./known-fields.ts";
import { ask, type Script } from "./script/script.ts";

/** Says which records are looked at, and how long. */
export interface ViolationQuery {
  /** The collections to which this one refers, as far as the caller knows them. */
  parents: readonly Collection[];
  /** Records that do not meet it are left out. */
  only?: Condition | undefined;
}

export type BrokenCount = Broken & Pick<ViolationCount, "count" | "exceptions">;

export interface BrokenCounts {
  /** Has only what some record breaks, in the order of the fields. */
  counts: BrokenCount[];
  /** Everything was read. Otherwise there may be more than was counted. */
  complete: boolean;
}

export interface FindQuery extends ViolationQuery {
  broken: Broken;
  /** Asks for those that are exceptions instead of those that are none. */
  isExcepted?: boolean;
  /** Records with a greater key. */
  after: number;
  /** Records with no greater key than this. */
  last?: number;
  limit: number;
}

export interface FoundBroken {
  /** The keys in their order. */
  ids: number[];
  /** There may be others after this key; undefined at the end. */
  next: number | undefined;
}

/** The part of the time of a read in which values are read, so that what was found by then is answered. */
export const SCANNED = 0.7;

const COUNTED_AT_ONCE = 500; // conditions; the engines take fewer than 1,700 columns in a statement
const AT_ONCE = 20_000; // records that are read at once where SQL cannot say it
const FEW_AT_ONCE = 5_000; // records, where somebody waits for the first figure

/** `ms`: about how long values are read that SQL cannot judge. */
export function* countBroken(collection: Collection, query: ViolationQuery, ms: number): Script<BrokenCounts> {
  const until = Date.now() + ms;
  const inSql = collection.fields.flatMap((field) => conditionsOf(collection, field, query.parents));
  const found = new Map<string, BrokenCount>();
  const add = ({ isExcepted, ...one }: Found, count: number) => {
    const before = found.get(nameOf(one)) ?? { ...one, count: 0 };
    const exceptions = (before.exceptions ?? 0) + count;
    if (count > 0) found.set(nameOf(one), isExcepted ? { ...before, exceptions } : { ...before, count: before.count + count });
  };
  const excepted = yield* exceptedRules(collection.name);
  for (let at = 0; at < inSql.length; at += COUNTED_AT_ONCE) {
    const places = new Places();
    const some = inSql.slice(at, at + COUNTED_AT_ONCE);
    const counts = some.map(({ where }) => `count(CASE WHEN ${where(places)} THEN 1 END)`).join(", ");
    const { rows } = yield* ask(`SELECT ${counts} FROM ${tableOf(collection)}${whereOf(query, places)}`, ...places.params);
    for (const [i, { constraint, field, where }] of some.entries()) {
      const one = { constraint, field };
      const all = Number(rows[0]?.[i] ?? 0);
      const onPurpose = all > 0 && excepted.has(exceptionName(collection, one)) ? yield* countExcepted(collection, query, one, where) : 0;
      add(one, all - onPurpose);
      add({ ...one, isExcepted: true }, onPurpose);
    }
  }
  const checked = { fields: collection.fields.filter(isReadToKnow), hasRules: true };
  const end = yield* scan(collection, query, { ...checked, after: 0, until }, (_, broken) => {
    for (const one of broken) add(one, 1);
    return true;
  });
  const counts = collection.fields.flatMap(({ name }) => [...found.values()].filter(({ field }) => field === name));
  return { counts, complete: end === undefined };
}

function* countExcepted(collection: Collection, query: ViolationQuery, one: Broken, where: Where): Script<number> {
  const places = new Places();
  const chosen = whereOf(query, places, [where(places), isException(collection, one, true, places)]);
  return Number((yield* ask(`SELECT count(*) FROM ${tableOf(collection)}${chosen}`, ...places.params)).rows[0]?.[0] ?? 0);
}

/** Finds the records that break one constraint of a field, or one rule, in the order of their keys. */
export function* findBroken(collection: Collection, query: FindQuery, ms: number): Script<FoundBroken> {
  const { broken: wanted, isExcepted = false, after, last, limit } = query;
  const field = collection.byName.get(wanted.field);
  if (!field) return { ids: [], next: undefined };
  const places = new Places();
  const inSql = conditionsOf(collection, field, query.parents).find(({ constraint }) => constraint === wanted.constraint);
  const key = columnOf(collection.key);
  const ids: number[] = [];
  if (inSql) {
    const bounds = [`${key} > ${places.of(after)}`, ...(last === undefined ? [] : [`${key} <= ${places.of(last)}`])];
    const chosen = whereOf(query, places, [inSql.where(places), isException(collection, wanted, isExcepted, places), ...bounds]);
    const { rows } = yield* ask(`SELECT ${key} FROM ${tableOf(collection)}${chosen} ORDER BY 1 LIMIT ${limit + 1}`, ...places.params);
    ids.push(...rows.map(([id]) => Number(id)));
  } else {
    const isOfRecord = wanted.rule !== undefined || wanted.constraint === "requiredIf" || wanted.constraint === "choicesIf";
    const fields = !isOfRecord && isReadToKnow(field) ? [field] : [];
    const checked = { fields, hasRules: isOfRecord, exceptedFrom: isExcepted ? wanted : undefined, after, last, until: Date.now() + ms };
    const next = yield* scan(withRules(collection, [wanted]), query, checked, (id, broken) => {
      const isWanted = (one: Found) => nameOf(one) === nameOf(wanted) && (one.isExcepted ?? false) === isExcepted;
      if (broken.some(isWanted)) ids.push(id);
      return ids.length <= limit;
    });
    if (ids.length <= limit) return { ids, next };
  }
  const page = ids.slice(0, limit);
  return { ids: page, next: ids.length > limit ? page.at(-1) : undefined };
}

/** Counts the values of a field that break a rule of values, with the keys of a few. Values of `except` are left out. */
export function* countBrokenValues(
  collection: Collection,
  field: Field,
  { except = [], most }: { except?: readonly Cell[]; most: number },
): Script<{ count: number; examples: number[] }> {
  const places = new Places();
  const key = columnOf(collection.key);
  const inSql = conditionsOf(collection, field, []).filter(({ constraint }) => constraint !== "required");
  const left = except.length > 0 ? [`${columnOf(field)} NOT IN (${except.map((cell) => places.of(cell)).join(", ")})`] : [];
  if (!isReadToKnow(field)) {
    if (inSql.length === 0) return { count: 0, examples: [] };
    const from = `FROM ${tableOf(collection)} WHERE ${[`(${inSql.map(({ where }) => where(places)).join(" OR ")})`, ...left].join(" AND ")}`;
    const count = Number((yield* ask(`SELECT count(*) ${from}`, ...places.params)).rows[0]?.[0] ?? 0);
    if (count === 0) return { count, examples: [] };
    const { rows } = yield* ask(`SELECT ${key} ${from} ORDER BY 1 LIMIT ${most}`, ...places.params);
    return { count, examples: rows.map(([id]) => Number(id)) };
  }
  const found = { count: 0, examples: [] as number[] };
  const out = new Set(except);
  const checked = { fields: [field], hasRules: false, after: 0, until: Number.POSITIVE_INFINITY };
  yield* scan(collection, { parents: [] }, checked, (id, broken, cells) => {
    if (broken.length === 0 || out.has(cells[0] ?? null)) return true;
    found.count++;
    if (found.examples.length < most) found.examples.push(id);
    return true;
  });
  return found;
}

/** Asks which records would break rules, or conditions of fields, that a collection may get. */
export interface RuleQuery {
  rules: readonly Broken[];
  /** Records with a greater key. */
  after: number;
  /** Says for about how many ms records are read. */
  ms: number;
}

/** `examples`: the keys of the first of them. */
export type RuleCount = Broken & { count: number; examples: readonly number[] };

export interface RuleCounts {
  /** They come in the order in which they were asked for. */
  counts: readonly RuleCount[];
  /** There may be others after this key; undefined at the end. */
  next: number | undefined;
}

/** Counts the records that would break some rules of a collection, of which the tables may lack fields, or all. */
export function* countRules(collection: Collection, { rules, after, ms }: RuleQuery): Script<RuleCounts> {
  const known = (yield* readKnownFields()).filter((field) => field.collection === collection.name);
  const counts = rules.map((one) => ({ ...one, count: 0, examples: [] as number[] }));
  if (known.length === 0) return { counts, next: undefined };
  const isStored = (field: Field) => known.some((one) => isOf(one, collection, field));
  const checked = { fields: [], hasRules: true, after, until: Date.now() + ms, isStored, atOnce: FEW_AT_ONCE };
  const next = yield* scan(withRules(collection, rules), { parents: [] }, checked, (id, broken) => {
    for (const found of counts) {
      if (!broken.some((one) => nameOf(one) === nameOf(found) && !one.isExcepted)) continue;
      found.count++;
      if (found.examples.length < MOST_LISTED) found.examples.push(id);
    }
    return true;
  });
  return { counts, next };
}

/** Returns the collection with those of its rules alone that are asked for. */
function withRules(collection: Collection, asked: readonly Broken[]): Collection {
  return { ...collection, rules: collection.rules?.filter(({ name }) => asked.some(({ rule }) => rule === name)) ?? [] };
}

/** Collects the parameters of a statement. */
class Places {
  readonly params: Cell[] = [];

  of(cell: Cell): string {
    this.params.push(cell);
    return `$${this.params.length}`;
  }
}

/** Makes a condition, with the parameters of its statement. PostgreSQL refuses a parameter that is not used. */
type Where = (places: Places) => string;

interface SqlRule {
  constraint: Constraint;
  field: string;
  where: Where;
}

/** A record breaks this. `isExcepted`: on purpose. */
type Found = Broken & { isExcepted?: boolean };

/** One rule may stand at several fields. */
export function nameOf({ constraint, rule, field }: Broken): string {
  return constraint === undefined ? `rule ${rule}` : `${constraint} ${field}`;
}

/** Is true where the collection, as its caller knows it, holds records to this today: otherwise no number of it is told. */
export function isHeld(collection: Collection, { constraint, rule, field: name }: Broken, parents: readonly Collection[]): boolean {
  if (rule !== undefined) return collection.rules?.some((one) => one.name === rule) ?? false;
  const field = collection.byName.get(name);
  if (!field || field.masked) return false;
  if (constraint === "requiredIf" || constraint === "choicesIf") return field[constraint] !== undefined;
  return constraint !== "foreignKey" || conditionsOf(collection, field, parents).some((one) => one.constraint === constraint);
}

/** Says whether a value has to be read to know whether it keeps the rules. */
function isReadToKnow({ pattern, format, item }: Field): boolean {
  return item !== undefined || pattern !== undefined || (format !== undefined && format !== "multiline");
}

/** Returns the constraints of a field that SQL can judge, of which a row meets one at most. They are in the order in which a save names them. */
function conditionsOf(collection: Collection, field: Field, parents: readonly Collection[]): SqlRule[] {
  if (field.masked) return []; // its column is of another kind, and nobody finds out what a mask covers
  const column = columnOf(field);
  const conditions = isReadToKnow(field) ? [] : valueConditions(field, column);
  const exclusive = conditions.map(([constraint, where], i) => {
    const before = conditions.slice(0, i).map(([, earlier]) => earlier);
    const notBefore: Where = (places) => ` AND NOT (${before.map((earlier) => earlier(places)).join(" OR ")})`;
    return { constraint, where: (places: Places) => `(${where(places)}${before.length > 0 ? notBefore(places) : ""})` };
  });
  const required = field.required ? [{ constraint: "required" as const, where: () => `${column} IS NULL` }] : [];
  const parent = parents.find(({ name }) => name === field.reference?.collection);
  const differs = parent && disagreement(collection, field, parent, heldColumns(collection, field, [parent]));
  const held = differs ? [{ constraint: "foreignKey" as const, where: () => differs }] : [];
  return [...required, ...exclusive, ...held].map((one) => ({ ...one, field: field.name }));
}

function valueConditions(field: Field, column: string): [Constraint, Where][] {
  const { kind, minLength, maxLength, minimum, maximum, decimals, format, enum: values } = field;
  const found: [Constraint, Where | undefined][] = [
    ["characters", isFolded(field) && format !== "multiline" ? hasLines(column) : undefined],
    ["maxLength", maxLength === undefined ? undefined : () => `length(${column}) > ${maxLength}`],
    ["minLength", minLength === undefined ? undefined : () => `length(${column}) < ${minLength}`],
    ["decimals", decimals === undefined ? undefined : () => isFiner(column, decimals)],
    ["minimum", minimum === undefined ? undefined : (places) => `${column} < ${places.of(toCell(kind, minimum))}`],
    ["maximum", maximum === undefined ? undefined : (places) => `${column} > ${places.of(toCell(kind, maximum))}`],
    ["enum", values && ((places) => `${column} NOT IN (${values.map((value) => places.of(toCell(kind, value))).join(", ")})`)],
  ];
  // A comparison with no value is neither true nor false, and what stands in NOT has to be false then.
  return found.flatMap(([constraint, where]): [Constraint, Where][] =>
    where ? [[constraint, (places) => `(${column} IS NOT NULL AND ${where(places)})`]] : [],
  );
}

/** Only these control characters may have been stored, under a rule that let lines by. */
function hasLines(column: string): Where {
  return (places) => `(${["\n", "\t"].map((sign) => `${column} LIKE ${places.of(`%${sign}%`)}`).join(" OR ")})`;
}

/** Goes by how decimals are stored: a negative one ends with a sign of its own. */
function isFiner(column: string, decimals: number): string {
  const digits = "_".repeat(decimals + 1);
  return `(${column} LIKE '%.${digits}_%' OR (${column} LIKE '%.${digits}' AND ${column} NOT LIKE '%~'))`;
}

/**
 * Returns the SQL of a record that has another value than its parent in a field in which they must agree. `pairs`: as heldColumns has them. Undefined
 * where there are none. `isThere`: the parent's table has this column.
 */
export function disagreement(
  collection: Collection,
  field: Field,
  parent: Collection,
  pairs: readonly string[],
  isThere: (column: string) => boolean = () => true,
): string | undefined {
  if (pairs.length === 0) return undefined;
  const [child, above] = [tableOf(collection), tableOf(parent)];
  const differ = pairs.map((pair) => {
    const [theirs = "", own = ""] = pair.split(" ");
    const [other, mine] = [`${above}.${quoted(theirs)}`, `${child}.${quoted(own)}`];
    return `(${mine} IS NOT NULL${isThere(theirs) ? ` AND (${other} IS NULL OR ${other} <> ${mine})` : ""})`;
  });
  const match = `${above}.${columnOf(parent.key)} = ${child}.${columnOf(field)}`;
  return `EXISTS (SELECT 1 FROM ${above} WHERE ${match} AND (${differ.join(" OR ")}))`;
}

function whereOf({ only }: ViolationQuery, places: Places, others: readonly string[] = []): string {
  const own = only?.params.map((cell) => places.of(cell)) ?? [];
  const all = only ? [...others, `(${only.where.replaceAll("?", () => own.shift() as string)})`] : others;
  return all.length > 0 ? ` WHERE ${all.join(" AND ")}` : "";
}

interface Checked {
  /** The fields whose values are checked one by one. */
  fields: readonly Field[];
  /** Records are held to the rules of the collection, too. */
  hasRules: boolean;
  /** Reads only records that are exceptions of this. */
  exceptedFrom?: Broken | undefined;
  /** Records with a greater key. */
  after: number;
  /** Records with no greater key than this; undefined: all. */
  last?: number | undefined;
  /** In ms since 1970. */
  until: number;
  /** Says whether the tables have this field; another one is empty in every record. Undefined: they have all. */
  isStored?: (field: Field) => boolean;
  /** Says how many records are read at once. */
  atOnce?: number;
}

/**
 * Reads what SQL cannot judge, record after record, until `visit` says false. Returns the key up to which it has read where that, or the time,
 * ended it. `cells`: those of `fields` first.
 */
function* scan(
  collection: Collection,
  query: ViolationQuery,
  { fields, hasRules, exceptedFrom, after, last: upTo, until, isStored = () => true, atOnce = AT_ONCE }: Checked,
  visit: (id: number, broken: readonly Found[], cells: readonly Cell[]) => boolean,
): Script<number | undefined> {
  const asked = hasRules ? fieldsOfRules(collection) : new Set();
  const asksRules = asked.size > 0;
  const checked = fields.map((field) => ({ ...field, required: false, readOnly: false })); // SQL judges what is missing
  const read = [...fields, ...collection.fields.filter((field) => asked.has(field.name) && !fields.includes(field))].filter(isStored);
  if (read.length === 0 && !asksRules) return undefined;
  const today = dayIn(collection.timeZone ?? "UTC", Date.now());
  const key = columnOf(collection.key);
  const columns = read.map(columnOf);
  const isFilled = asksRules ? [] : [`(${columns.map((column) => `${column} IS NOT NULL`).join(" OR ")})`]; // a rule may ask for a value
  for (let last = after; ; ) {
    const places = new Places();
    const among = exceptedFrom === undefined ? [] : [isException(collection, exceptedFrom, true, places)];
    const bounds = [`${key} > ${places.of(last)}`, ...(upTo === undefined ? [] : [`${key} <= ${places.of(upTo)}`])];
    const chosen = whereOf(query, places, [...bounds, ...among, ...isFilled]);
    const sql = `SELECT ${[key, ...columns].join(", ")} FROM ${tableOf(collection)}${chosen} ORDER BY 1 LIMIT ${atOnce}`;
    const { rows } = yield* ask(sql, ...places.params);
    const excepted = rows.length > 0 ? yield* exceptedBetween(collection.name, last, Number(rows.at(-1)?.[0])) : NONE;
    for (const [id, ...cells] of rows as [Cell, ...Cell[]][]) {
      last = Number(id);
      const values = read.map(({ kind }, i) => toValue(kind, cells[i] ?? null));
      const broken = checked.flatMap((field, i): Found[] => {
        const constraint = brokenBy(field, values[i] ?? null);
        return constraint ? [{ constraint, field: field.name }] : [];
      });
      if (asksRules) broken.push(...rulesBrokenBy(collection, read, values, today));
      if (excepted.size > 0) for (const one of broken) if (excepted.has(`${last} ${exceptionName(collection, one)}`)) one.isExcepted = true;
      if (!visit(last, broken, cells)) return last;
    }
    if (rows.length < atOnce) return undefined;
    if (Date.now() > until) return last;
  }
}

const NONE: ReadonlySet<string> = new Set();

function isException(collection: Collection, broken: Broken, isExcepted: boolean, places: Places): string {
  const [name, rule] = [places.of(collection.name), places.of(exceptionName(collection, broken))];
  const among = `(SELECT id FROM exceptions WHERE collection = ${name} AND rule = ${rule})`;
  return `${columnOf(collection.key)} ${isExcepted ? "IN" : "NOT IN"} ${among}`;
}

function rulesBrokenBy(collection: Collection, fields: readonly Field[], values: readonly (Value | null)[], today: string): Found[] {
  const record = Object.fromEntries(fields.map(({ name }, i) => [name, values[i] ?? null]));
  return brokenRules(collection, record, today).flatMap(({ rule, constraint, fields: [name = collection.key.name] }): Found[] => {
    if (rule !== undefined) return [{ rule, field: name }];
    const field = fields.find((one) => one.name === name);
    return field && brokenBy(field, record[name] ?? null) ? [] : [{ constraint, field: name }]; // a field counts once, with the first
  });
}
