// Counts the stored records that stand against another dictionary, or break a rule that it narrows.

import { canonical } from "../../core/dictionary/canonical.ts";
import { allowsLess } from "../../core/dictionary/changes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Field, ReferenceField } from "../../core/dictionary/fields.ts";
import { titlesOf } from "../../core/dictionary/unique-keys.ts";
import { brokenBy } from "../../core/dictionary/violations.ts";
import { caseFold } from "../../core/text/case-fold.ts";
import { ASCII } from "../../core/text/fold.ts";
import { columnOf, quoted, tableOf, toCell, toValue } from "./columns.ts";
import {
  columnPlace,
  gone,
  heldColumns,
  isOf,
  type KnownField,
  lostFields,
  markOf,
  markOfKey,
  placeOf,
  type Rules,
  readKnownFields,
  readRules,
  rulesOf,
} from "./known-fields.ts";
import { ask, type Cell, type Script } from "./script/script.ts";
import { countBrokenValues, disagreement } from "./violations.ts";

/** Says what a dictionary means for stored records. */
export interface Finding {
  /** The kind of change that is to blame. */
  kind: "retired" | "converted" | "unique" | "reference" | "required" | "narrowed";
  /** The collection, or collection and field with a dot between. */
  place: string;
  /** Records that it concerns. */
  count: number;
  /** Keys of a few of them. */
  examples: readonly number[];
  /** Follows the place, as the end of a sentence. */
  text: string;
}

/** Lists what a dictionary would do. "stands": stored values break a rule and stay as they are. */
export interface StoredImpact {
  refused: readonly Finding[];
  stands: readonly Finding[];
}

/** Is read before anything is changed. If the select counts records, the change is refused. */
interface Check {
  kind: Finding["kind"];
  /** The collection, or collection and field with a dot between. */
  place: string;
  select: string;
  /** Selects the keys of the records, without their order. */
  keys?: string;
  /** Selects the keys of two records that share their values, for a few of them. */
  twins?: string;
  /** Returns what follows the place and the number of records. */
  reason(isOne: boolean): string;
}

/** Reads what another dictionary would do to stored records. Changes nothing. */
export function* impactOf(collections: readonly Collection[]): Script<StoredImpact> {
  const known = yield* readKnownFields();
  const refused = yield* findRefused(collections, known);
  return { refused, stands: yield* findNarrowed(collections, known, yield* readRules()) };
}

export function toSentence({ place, text }: Finding): string {
  return `${place}: ${text}`;
}

/** `hasIndexes`: what is unique now is not counted, because its index holds it or cannot be made. */
export function* findRefused(
  collections: readonly Collection[],
  known: readonly KnownField[],
  { hasIndexes = false } = {},
): Script<Finding[]> {
  const found: Finding[] = [];
  for (const { kind, place, select, keys, twins, reason } of checksOf(collections, known)) {
    if (hasIndexes && kind === "unique") continue;
    const count = Number((yield* ask(select)).rows[0]?.[0] ?? 0);
    if (count === 0) continue;
    const pairs = twins === undefined ? [] : (yield* ask(twins)).rows.map((pair) => pair.map(Number));
    const examples = keys === undefined ? pairs.flat() : yield* readExamples(keys);
    const named = pairs.length > 0 ? ` (${pairs.map((pair) => pair.join(" and ")).join(", ")})` : "";
    found.push({ kind, place, count, examples, text: `${countRecords(count)} ${reason(count === 1)}${named}` });
  }
  for (const collection of hasIndexes ? [] : collections)
    for (const field of collection.fields) {
      const old = known.find((one) => isOf(one, collection, field));
      if (old && field.caseless && !old.isCaseless) found.push(...(yield* findCaseTwins(collection, field)));
    }
  return found;
}

/** Writes the condition of a text that has more than ASCII, on both engines. */
export function notAscii(column: string): string {
  return `octet_length(${column}) <> length(${column})`;
}

/** Finds the records whose values differ from those of others at most in the case of their letters. SQL folds ASCII; the other values are folded here. */
function* findCaseTwins(collection: Collection, field: Field): Script<Finding[]> {
  const [table, key, column] = [tableOf(collection), columnOf(collection.key), columnOf(field)];
  const plain = `FROM ${table} WHERE octet_length(${column}) = length(${column})`;
  const shared = `SELECT lower(${column}) AS folded, count(*) AS n, min(${key}) AS first, max(${key}) AS last ${plain} GROUP BY lower(${column}) HAVING count(*) > 1`;
  const sum = yield* ask(`SELECT sum(n) FROM (${shared}) AS shared`);
  const first = yield* ask(`SELECT first, last FROM (${shared}) AS shared ORDER BY first LIMIT ${MOST_EXAMPLES}`);
  let count = Number(sum.rows[0]?.[0] ?? 0);
  const pairs = first.rows.map(([one, other]) => [Number(one), Number(other)] as const);
  const others = new Map<string, number[]>();
  const { rows } = yield* ask(`SELECT ${key}, ${column} FROM ${table} WHERE ${notAscii(column)} ORDER BY ${key}`);
  for (const [id, value] of rows) {
    const folded = caseFold(String(value));
    others.set(folded, [...(others.get(folded) ?? []), Number(id)]);
  }
  for (const [folded, keys] of others) {
    // ß and the sign of Kelvin fold to what is plain.
    const same = ASCII.test(folded) ? (yield* ask(`SELECT ${key} ${plain} AND lower(${column}) = $1 ORDER BY 1 LIMIT 2`, folded)).rows : [];
    const all = [...same.map(([id]) => Number(id)), ...keys];
    if (all.length < 2) continue;
    count += keys.length + (same.length === 1 ? 1 : 0); // two of them are counted already
    pairs.push([all[0] as number, all[1] as number]);
  }
  if (count === 0) return [];
  const shown = pairs.slice(0, MOST_EXAMPLES);
  const named = shown.map(([one, other]) => `${one} and ${other}`).join(", ");
  const text = `${countRecords(count)} share their values with others, whatever the case, but the field is unique now: ${named}${pairs.length > shown.length ? " …" : ""}`;
  return [{ kind: "unique", place: placeOf(collection, field), count, examples: shown.flat().slice(0, MOST_EXAMPLES), text }];
}

export const MOST_EXAMPLES = 5;

/** `keys`: selects one column. */
function* readExamples(keys: string, ...parameters: readonly Cell[]): Script<number[]> {
  const { rows } = yield* ask(`${keys} ORDER BY 1 LIMIT ${MOST_EXAMPLES}`, ...parameters);
  return rows.map(([key]) => Number(key));
}

const STAY = "they stay as they are until they are next changed";

/** Counts what breaks a rule that is another one than at the last start. Values are named only if the dictionary named them before. */
export function* findNarrowed(collections: readonly Collection[], known: readonly KnownField[], before: Rules = {}): Script<Finding[]> {
  const found: Finding[] = [];
  for (const collection of collections) {
    for (const field of collection.fields) {
      const place = placeOf(collection, field);
      const old = before[columnPlace(collection, field)];
      const isStored = known.some((one) => isOf(one, collection, field));
      const [column, keys] = [columnOf(field), `SELECT ${columnOf(collection.key)} FROM ${tableOf(collection)}`];
      if (field.required && !old?.required && known.some((one) => one.collection === collection.name)) {
        const empty = isStored ? ` WHERE ${column} IS NULL` : "";
        const count = Number((yield* ask(`SELECT count(*) FROM ${tableOf(collection)}${empty}`)).rows[0]?.[0] ?? 0);
        const text = `${haveRecords(count)} no value, but the field is required now; ${STAY}`;
        if (count > 0) found.push({ kind: "required", place, count, text, examples: yield* readExamples(keys + empty) });
      }
      if (!old || !isStored) continue;
      found.push(...(yield* findUnheld(collection, field, collections, known, old.held)));
      if (!isStricter(old, rulesOf(field))) continue;
      const lost = (old.enum ?? []).filter((value) => brokenBy(field, value)).map((value) => toCell(field.kind, value));
      const all = yield* countBrokenValues(collection, field, { most: lost.length > 0 ? 0 : MOST_EXAMPLES });
      if (all.count === 0) continue;
      const [chosen, values] = [lost.map((_, i) => `$${i + 1}`).join(", "), `SELECT ${column}, count(*) FROM ${tableOf(collection)}`];
      const { rows } =
        lost.length > 0 ? yield* ask(`${values} WHERE ${column} IN (${chosen}) GROUP BY ${column} ORDER BY 1`, ...lost) : { rows: [] };
      for (const [cell, count] of rows as [string | number, Cell][]) {
        const text = `${haveRecords(Number(count))} "${toValue(field.kind, cell)}", which is no value of the field any more; ${STAY}`;
        const examples = yield* readExamples(`${keys} WHERE ${column} = $1`, cell);
        found.push({ kind: "narrowed", place, count: Number(count), text, examples });
      }
      if (all.count === rows.reduce((sum, [, count]) => sum + Number(count), 0)) continue;
      const others = lost.length > 0 ? yield* countBrokenValues(collection, field, { except: lost, most: MOST_EXAMPLES }) : all;
      const { count, examples } = others;
      found.push({ kind: "narrowed", place, count, text: `${haveRecords(count)} a value that the new rules refuse; ${STAY}`, examples });
    }
  }
  return found;
}

/** Counts the records that do not agree with their parents in fields of which that was not asked before (`held`: as heldColumns has them). */
function* findUnheld(
  collection: Collection,
  field: Field,
  all: readonly Collection[],
  known: readonly KnownField[],
  held: readonly string[] = [],
): Script<Finding[]> {
  const parent = all.find(({ name }) => name === field.reference?.collection);
  const isThere = (of: string, column: string) => known.some((one) => one.collection === of && one.column === column);
  const isNew = (pair: string) => !held.includes(pair) && isThere(collection.name, pair.split(" ")[1] ?? "");
  const pairs = heldColumns(collection, field, all).filter(isNew);
  const differs = parent && disagreement(collection, field, parent, pairs, (column) => isThere(parent.name, column));
  if (!parent || !differs) return [];
  const from = `FROM ${tableOf(collection)} WHERE ${differs}`;
  const count = Number((yield* ask(`SELECT count(*) ${from}`)).rows[0]?.[0] ?? 0);
  if (count === 0) return [];
  const examples = yield* readExamples(`SELECT ${columnOf(collection.key)} ${from}`);
  const title = field.reference?.where?.map(({ own }) => collection.byName.get(own)?.title).join(", ");
  const text = `${haveRecords(count)} another ${title} than the ${parent.noun} that the field names; ${STAY}`;
  return [{ kind: "narrowed", place: placeOf(collection, field), count, text, examples }];
}

/** Says whether values that kept the old rules may break the new ones. Whether they are unique is read elsewhere, and to read all takes long. */
function isStricter(old: Rules[string], now: Rules[string]): boolean {
  const { required: _, unique: __, caseless: ___, ...ofValues } = now;
  const names = Object.keys(ofValues) as (keyof typeof ofValues)[];
  return names.some((name) => canonical(old[name]) !== canonical(now[name]) && allowsLess(name, old[name], now[name]));
}

/** @example countRecords(12501) === "12,501 records" */
function countRecords(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "record" : "records"}`;
}

function haveRecords(count: number): string {
  return `${countRecords(count)} ${count === 1 ? "has" : "have"}`;
}

function checksOf(collections: readonly Collection[], known: readonly KnownField[]): Check[] {
  return [
    ...gone(collections, known).map(({ collection: name }) => ({
      kind: "retired" as const,
      place: name,
      select: `SELECT count(*) FROM ${tableOf({ name })}`,
      reason: (isOne: boolean) => `${isOne ? "is" : "are"} stored, but the collection is no longer in the dictionary`,
    })),
    ...collections.flatMap((collection) => {
      const before = known.filter((field) => field.collection === collection.name);
      return before.length === 0 ? [] : checkTable(collection, before);
    }),
    ...collections.flatMap((collection) => collection.uniqueKeys.flatMap((fields) => checkKey(collection, fields, known))),
    ...collections.flatMap((collection) => collection.references.flatMap((field) => checkReference(collection, field, collections, known))),
  ];
}

function checkTable(collection: Collection, before: readonly KnownField[]): Check[] {
  const table = tableOf(collection);
  const has = (isOne: boolean) => (isOne ? "has" : "have");
  const lost = lostFields(collection, before);
  return [
    ...lost.map((old) => {
      const now = collection.fields.find((field) => columnName(field) === old.column);
      const change = now
        ? `of type ${old.kind}, but the field is of type ${now.kind} now`
        : "there, but the field is no longer in the dictionary";
      const select = `SELECT count(*) FROM ${table} WHERE ${quoted(old.column)} IS NOT NULL`;
      return {
        kind: "converted" as const,
        place: placeOf(collection, now ?? { name: old.column }),
        select,
        reason: (isOne: boolean) => `${has(isOne)} a value ${change}`,
      };
    }),
    ...collection.fields.flatMap((field): Check[] => {
      if (field === collection.key) return [];
      const old = before.find((one) => isOf(one, collection, field));
      if (!old || !field.unique || field.caseless || old.isUnique) return []; // findCaseTwins counts the others
      const { select, twins } = sharing(collection, [field]);
      const reason = () => "share their values with others, but the field is unique now";
      return [{ kind: "unique", place: placeOf(collection, field), select, twins, reason }];
    }),
  ];
}

/** Fields that the dictionary did not have as unique together at the last start. */
function checkKey(collection: Collection, fields: readonly Field[], known: readonly KnownField[]): Check[] {
  if (!fields.every((field) => known.some((old) => isOf(old, collection, field)))) return [];
  const { select, twins } = sharing(collection, fields);
  return [
    {
      kind: "unique",
      place: collection.name,
      select: `${select} WHERE NOT EXISTS (SELECT 1 FROM settings WHERE name = '${markOfKey(collection, fields)}')`,
      twins,
      reason: () => `share their values of ${titlesOf(fields)} with others, but the fields are unique together now`,
    },
  ];
}

const MOST_PAIRS = 5;

/** Selects how many records have the same values in these fields as others, and pairs of such records. */
function sharing(collection: Collection, fields: readonly Field[]): Required<Pick<Check, "select" | "twins">> {
  const key = columnOf(collection.key);
  const isWhole = fields.map((field) => `${columnOf(field)} IS NOT NULL`).join(" AND ");
  const shared = `FROM ${tableOf(collection)} WHERE ${isWhole} GROUP BY ${fields.map(columnOf)} HAVING count(*) > 1`;
  return {
    select: `SELECT sum(n) FROM (SELECT count(*) AS n ${shared}) AS shared`,
    twins: `SELECT min(${key}), max(${key}) ${shared} ORDER BY 1 LIMIT ${MOST_PAIRS}`,
  };
}

/**
 * Checks a reference that the dictionary did not have at the last start: every stored value must have its parent. What was checked stands
 * among the settings, because it reads the whole table.
 */
function checkReference(collection: Collection, field: ReferenceField, all: readonly Collection[], known: readonly KnownField[]): Check[] {
  if (!known.some((old) => isOf(old, collection, field))) return [];
  const { collection: parent } = field.reference;
  const { key } = all.find(({ name }) => name === parent) as Collection;
  const hasParents = known.some((old) => old.collection === parent);
  const match = `SELECT 1 FROM ${tableOf({ name: parent })} AS p WHERE p.${columnOf(key)} = c.${columnOf(field)}`;
  const select = `SELECT count(*) FROM ${tableOf(collection)} AS c WHERE c.${columnOf(field)} IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM settings WHERE name = ${markOf(collection, field)})${hasParents ? ` AND NOT EXISTS (${match})` : ""}`;
  const reason = (isOne: boolean) =>
    `${isOne ? "has" : "have"} a value that no record of "${parent}" has as its key, but the field refers to it now`;
  return [{ kind: "reference", place: placeOf(collection, field), select, reason }, ...checkTree(collection, field)];
}

/** Records that no chain from a record without a parent leads to are in a circle, or below one. */
function checkTree(collection: Collection, field: ReferenceField): Check[] {
  if (!field.reference.acyclic) return [];
  const [table, key, parent] = [tableOf(collection), columnOf(collection.key), columnOf(field)];
  // It joins them: PostgreSQL would go through all that is above for each record, where it takes a list of them for large.
  const select = `SELECT count(*) FROM ${table} AS c LEFT JOIN (WITH RECURSIVE down(id) AS (
      SELECT ${key} FROM ${table} WHERE ${parent} IS NULL UNION SELECT t.${key} FROM ${table} AS t JOIN down ON t.${parent} = down.id
    ) SELECT id FROM down) AS known ON known.id = c.${key}
    WHERE known.id IS NULL AND NOT EXISTS (SELECT 1 FROM settings WHERE name = ${markOf(collection, field)})`;
  const reason = (isOne: boolean) => `${isOne ? "lies" : "lie"} below ${isOne ? "itself" : "themselves"}, or below such a record`;
  return [{ kind: "reference", place: placeOf(collection, field), select, reason }];
}
