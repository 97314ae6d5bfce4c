// Brings stored tables up to a changed dictionary. What would lose or break data is refused, with the number of records.

import { isDeepStrictEqual } from "node:util";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Field, ReferenceField } from "../../core/dictionary/fields.ts";
import { validateValue } from "../../core/dictionary/validate.ts";
import { GONE, readGone } from "../history/store/reads.ts";
import { columnOf, quoted, tableOf, toValue } from "./columns.ts";
import { ask, type Cell, type Script } from "./script/script.ts";
import { StoreOpenError } from "./store.ts";

/** A field as the dictionary had it when it was last applied. `kind` may be one that a newer version stored. */
export interface KnownField {
  collection: string;
  /** The name that it had first. */
  column: string;
  kind: string;
  isKey: boolean;
  isUnique: boolean;
}

/** The SQL of an engine for each change, as statements to run in order. */
export interface Ddl {
  createTable(collection: Collection): string[];
  addField(collection: Collection, field: Field): string[];
  dropField(collection: Collection, old: KnownField): string[];
  /** Creates the field's indexes again, unique or not. */
  changeUnique(collection: Collection, field: Field): string[];
  dropTable(collection: { name: string }): string[];
  /** A literal of no bytes. */
  noBytes: string;
}

/** The dictionary has mistakes, or does not fit what is stored. Each of `reasons` begins with its place, such as `customers.phone: `. */
export class DictionaryRefused extends StoreOpenError {
  /** A process ends with this code (EX_CONFIG of sysexits.h): to start again does not help until somebody changes the file. */
  static readonly EXIT_CODE = 78;
  readonly sentence: string;
  readonly reasons: readonly string[];
  constructor(sentence: string, reasons: readonly string[] = []) {
    super(reasons.length === 0 ? sentence : `${sentence}:${reasons.map((reason) => `\n  ${reason}`).join("")}`);
    this.sentence = sentence;
    this.reasons = reasons;
  }
}

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

/** What a dictionary would do. "stands": stored values break a rule and stay as they are. */
export interface StoredImpact {
  refused: readonly Finding[];
  stands: readonly Finding[];
}

/** Read before anything is changed. If the select counts records, the change is refused. */
interface Check {
  kind: Finding["kind"];
  /** The collection, or collection and field with a dot between. */
  place: string;
  select: string;
  /** Selects the keys of the records, without their order. */
  keys?: string;
  /** Returns what follows the place and the number of records. */
  reason(isOne: boolean): string;
}

export interface ApplyOptions {
  /** False for commands beside the service: they refuse another dictionary than the store's. */
  mayChange: boolean;
  /** True: nothing is changed, it is only said what would be. */
  isTrial?: boolean;
}

const RULES = "dictionary"; // the row of the settings with the rules that were last applied, as JSON

/**
 * Brings the collections' tables up to the dictionary, inside the transaction of each start. Throws DictionaryRefused with everything
 * that stored data do not allow. The sentences that it answers begin with their place: columns without values that go, and rules that some
 * records break since they were narrowed.
 */
export function* applyDictionary(
  collections: readonly Collection[],
  known: readonly KnownField[],
  ddl: Ddl,
  { mayChange, isTrial = false }: ApplyOptions,
): Script<string[]> {
  const other = mayChange ? undefined : otherDictionary(collections, known);
  if (other) throw new StoreOpenError(other);
  const reasons = [...(yield* findRefused(collections, known)).map(toSentence), ...changedKeys(collections, known)];
  if (reasons.length > 0) throw new DictionaryRefused("the dictionary does not fit the records that are stored", reasons);
  const before = yield* readRules();
  const notes = [...noteDropped(collections, known), ...(yield* findNarrowed(collections, known, before)).map(toSentence)];
  if (isTrial) return notes;
  for (const sql of [...changesTo(collections, known, ddl), ...markReferences(collections, ddl)]) yield* ask(sql);
  yield* markGone(collections, known);
  if (mayChange) yield* writeKnown(collections, known, before);
  return notes;
}

/** Reads what another dictionary would do to stored records. Changes nothing. */
export function* impactOf(collections: readonly Collection[]): Script<StoredImpact> {
  const known = yield* readKnownFields();
  const refused = yield* findRefused(collections, known);
  return { refused, stands: yield* findNarrowed(collections, known, yield* readRules()) };
}

function toSentence({ place, text }: Finding): string {
  return `${place}: ${text}`;
}

function* findRefused(collections: readonly Collection[], known: readonly KnownField[]): Script<Finding[]> {
  const found: Finding[] = [];
  for (const { kind, place, select, keys, reason } of checksOf(collections, known)) {
    const count = Number((yield* ask(select)).rows[0]?.[0] ?? 0);
    if (count === 0) continue;
    const examples = keys === undefined ? [] : yield* readExamples(keys);
    found.push({ kind, place, count, examples, text: `${countRecords(count)} ${reason(count === 1)}` });
  }
  return found;
}

export const MOST_EXAMPLES = 5;

/** `keys`: selects one column. */
function* readExamples(keys: string, ...parameters: readonly Cell[]): Script<number[]> {
  const { rows } = yield* ask(`${keys} ORDER BY 1 LIMIT ${MOST_EXAMPLES}`, ...parameters);
  return rows.map(([key]) => Number(key));
}

/** The fields that the tables have, as the last start left them. */
export function* readKnownFields(): Script<KnownField[]> {
  const { rows } = yield* ask("SELECT collection, name, kind, is_key, is_unique FROM fields");
  return rows.map(([collection, column, kind, isKey, isUnique]) => ({
    collection: String(collection),
    column: String(column),
    kind: String(kind),
    isKey: Boolean(isKey),
    isUnique: Boolean(isUnique),
  }));
}

/** The rules of every field, as the store keeps them: two dictionaries whose tables and rules are the same have the same text. */
export function rulesText(collections: readonly Collection[]): string {
  const rules = collections.flatMap((collection) =>
    collection.fields.map((field) => [columnPlace(collection, field), rulesOf(field)] as const),
  );
  return JSON.stringify(Object.fromEntries(rules.sort(([a], [b]) => (a < b ? -1 : 1))));
}

type Rules = Readonly<Record<string, ReturnType<typeof rulesOf>>>;

function rulesOf(field: Field) {
  const { kind, required, unique, minLength, maxLength, minimum, maximum, enum: values, decimals, format, pattern } = field;
  return { kind, required, unique, minLength, maxLength, minimum, maximum, enum: values, decimals, format, pattern: pattern?.source };
}

/** Undefined for a store that no version with rules has opened yet. */
function* readRules(): Script<Rules | undefined> {
  const bytes = (yield* ask("SELECT value FROM settings WHERE name = $1", RULES)).rows[0]?.[0];
  return bytes instanceof Uint8Array ? JSON.parse(Buffer.from(bytes).toString()) : undefined;
}

/** Writes nothing where nothing has changed: a start must succeed on a full disk. */
function* writeKnown(collections: readonly Collection[], known: readonly KnownField[], before: Rules | undefined): Script<void> {
  const rules = rulesText(collections);
  if (before === undefined || JSON.stringify(before) !== rules) {
    yield* ask("DELETE FROM settings WHERE name = $1", RULES);
    yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", RULES, Buffer.from(rules));
  }
  if (isSame(known, knownFields(collections))) return;
  yield* ask("DELETE FROM fields");
  for (const { collection, column, kind, isKey, isUnique } of knownFields(collections)) {
    const sql = `INSERT INTO fields (collection, name, kind, is_key, is_unique) VALUES ($1, $2, $3, ${isKey}, ${isUnique})`;
    yield* ask(sql, collection, column, kind);
  }
}

const STAY = "they stay as they are until they are next changed";
const MOST_VALUES = 100_000; // different values of one field that are held against its new rules

/** Counts what breaks a rule that is another one than at the last start. Values are named only if the dictionary named them before. */
function* findNarrowed(collections: readonly Collection[], known: readonly KnownField[], before: Rules = {}): Script<Finding[]> {
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
      if (!old || !isStored || JSON.stringify(old) === JSON.stringify(rulesOf(field))) continue;
      const select = `SELECT ${column}, count(*) FROM ${tableOf(collection)} WHERE ${column} IS NOT NULL GROUP BY ${column} LIMIT ${MOST_VALUES}`;
      const { rows } = yield* ask(select);
      const broken = rows.flatMap(([cell = null, count]) => {
        const value = cell instanceof Uint8Array ? null : toValue(field.kind, cell);
        const checked = validateValue(field, value, "json");
        return typeof checked === "object" && checked !== null ? [{ value, cell: cell as Cell, count: Number(count) }] : [];
      });
      const named = broken.filter(({ value }) => value !== null && old.enum?.includes(value));
      const having = (cells: readonly Cell[]) =>
        readExamples(`${keys} WHERE ${column} IN (${cells.map((_, i) => `$${i + 1}`).join(", ")})`, ...cells);
      for (const { value, cell, count } of named) {
        const text = `${haveRecords(count)} "${value}", which is no value of the field any more; ${STAY}`;
        found.push({ kind: "narrowed", place, count, text, examples: yield* having([cell]) });
      }
      const others = broken.filter((one) => !named.includes(one));
      const count = others.reduce((sum, one) => sum + one.count, 0);
      const least = rows.length === MOST_VALUES ? "at least " : "";
      const text = `${least}${haveRecords(count)} a value that the new rules refuse; ${STAY}`;
      if (count > 0)
        found.push({
          kind: "narrowed",
          place,
          count,
          text,
          examples: yield* having(others.slice(0, MOST_EXAMPLES).map(({ cell }) => cell)),
        });
    }
  }
  return found;
}

function placeOf({ name }: { name: string }, field: { name: string }): string {
  return `${name}.${field.name}`;
}

/** The place under which the store keeps what it knows of a field, which no new name changes. */
function columnPlace(collection: { name: string }, field: Parameters<typeof columnName>[0]): string {
  return placeOf(collection, { name: columnName(field) });
}

/** Returns the fields that the tables have and the collection has no more, or of another kind. */
function lostFields(collection: Collection, before: readonly KnownField[]): KnownField[] {
  return before.filter((old) => !collection.fields.some((field) => isOf(old, collection, field)));
}

function isOf(known: KnownField, { name }: Collection, field: Field): boolean {
  return known.collection === name && known.column === columnName(field) && known.kind === field.kind;
}

/** @example countRecords(12501) === "12,501 records" */
function countRecords(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "record" : "records"}`;
}

function haveRecords(count: number): string {
  return `${countRecords(count)} ${count === 1 ? "has" : "have"}`;
}

/** Why a command beside the service is refused with this dictionary: it would change the tables under the service. Undefined for a new store. */
function otherDictionary(collections: readonly Collection[], known: readonly KnownField[]): string | undefined {
  if (known.length === 0 || isSame(known, knownFields(collections))) return undefined;
  return "the store has another dictionary: set DICTIONARY as it is set for the service, or start the service first";
}

const FIELD_PARTS: (keyof KnownField)[] = ["collection", "column", "kind", "isKey", "isUnique"];

function isSame(one: readonly KnownField[], other: readonly KnownField[]): boolean {
  const sorted = (fields: readonly KnownField[]) => fields.map((field) => JSON.stringify(field, FIELD_PARTS)).sort();
  return isDeepStrictEqual(sorted(one), sorted(other));
}

/** The fields to store for the next start. */
function knownFields(collections: readonly Collection[]): KnownField[] {
  return collections.flatMap((collection) =>
    collection.fields.map((field) => ({
      collection: collection.name,
      column: columnName(field),
      kind: field.kind,
      isKey: field === collection.key,
      isUnique: field.unique,
    })),
  );
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
    ...collections.flatMap((collection) => collection.references.flatMap((field) => checkReference(collection, field, collections, known))),
  ];
}

/** One field of each collection that the dictionary has no more. */
function gone(collections: readonly Collection[], known: readonly KnownField[]): KnownField[] {
  const others = known.filter(({ collection }) => !collections.some(({ name }) => name === collection));
  return [...new Map(others.map((field) => [field.collection, field])).values()];
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
      const [place, column] = [placeOf(collection, field), columnOf(field)];
      const shared = `SELECT sum(n) FROM (SELECT count(*) AS n FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column} HAVING count(*) > 1) AS shared`;
      if (!old || !field.unique || old.isUnique) return [];
      const twins = `SELECT ${columnOf(collection.key)} FROM ${table} WHERE ${column} IN (SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column} HAVING count(*) > 1)`;
      return [
        { kind: "unique", place, select: shared, keys: twins, reason: () => "share their values with others, but the field is unique now" },
      ];
    }),
  ];
}

/**
 * A reference that the dictionary did not have at the last start: every stored value must have its parent. What was checked stands
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
  return [{ kind: "reference", place: placeOf(collection, field), select, reason }];
}

/** Keeps the names of collections that were taken away: whoever follows the changes still reads that their records were deleted. */
function* markGone(collections: readonly Collection[], known: readonly KnownField[]): Script<void> {
  const names = gone(collections, known).map(({ collection }) => collection);
  const back = (yield* readGone()).filter((name) => collections.some((one) => one.name === name));
  for (const name of back) yield* ask("DELETE FROM settings WHERE name = $1", GONE + name);
  for (const name of names) yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", GONE + name, new Uint8Array());
}

function markOf(collection: Collection, field: ReferenceField): string {
  return `'refers ${columnPlace(collection, field)} ${field.reference.collection}'`;
}

function markReferences(collections: readonly Collection[], { noBytes }: Ddl): string[] {
  const marks = collections.flatMap((collection) => collection.references.map((field) => markOf(collection, field)));
  const others = marks.length > 0 ? ` AND name NOT IN (${marks.join(", ")})` : "";
  return [
    `DELETE FROM settings WHERE name LIKE 'refers %'${others}`,
    ...marks.map((mark) => `INSERT INTO settings (name, value) VALUES (${mark}, ${noBytes}) ON CONFLICT DO NOTHING`),
  ];
}

function changedKeys(collections: readonly Collection[], known: readonly KnownField[]): string[] {
  return collections.flatMap(({ name, key }) => {
    const old = known.find((field) => field.collection === name && field.isKey);
    return !old || old.column === columnName(key) ? [] : [`${name}: the key was "${old.column}" and cannot become "${key.name}"`];
  });
}

function noteDropped(collections: readonly Collection[], known: readonly KnownField[]): string[] {
  const lost = known.filter((old) => !collections.some((one) => one.fields.some((field) => isOf(old, one, field))));
  return lost.map(
    (old) => `${placeOf({ name: old.collection }, { name: old.column })}: no record has a value there, and its column is dropped`,
  );
}

function changesTo(collections: readonly Collection[], known: readonly KnownField[], ddl: Ddl): string[] {
  return [
    ...gone(collections, known).flatMap(({ collection: name }) => ddl.dropTable({ name })),
    ...collections.flatMap((collection) => {
      const before = known.filter((field) => field.collection === collection.name);
      return before.length === 0 ? ddl.createTable(collection) : alterTable(collection, before, ddl);
    }),
  ];
}

function alterTable(collection: Collection, before: readonly KnownField[], ddl: Ddl): string[] {
  const dropped = lostFields(collection, before);
  return [
    ...dropped.flatMap((old) => ddl.dropField(collection, old)),
    ...collection.fields.flatMap((field) => {
      const old = before.find((one) => isOf(one, collection, field));
      if (!old) return ddl.addField(collection, field);
      return field === collection.key || old.isUnique === field.unique ? [] : ddl.changeUnique(collection, field);
    }),
  ];
}
