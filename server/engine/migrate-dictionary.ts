// Brings stored tables up to a changed dictionary. What would lose or break data is refused, with the number of records.

import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { GONE, readGone } from "../history/store/reads.ts";
import { type Cell, caseCell, caseColumn, columnOf, tableOf } from "./columns.ts";
import { findNarrowed, findRefused, notAscii, type StoredImpact, toSentence } from "./dictionary-findings.ts";
import { noteFormulas } from "./formulas.ts";
import {
  gone,
  isOf,
  isSame,
  type KnownField,
  type KnownKey,
  knownFields,
  lostFields,
  markOf,
  markOfKey,
  nameOfKey,
  placeOf,
  readKnownKeys,
  readRules,
  writeKnown,
} from "./known-fields.ts";
import { ask, type Script } from "./script/script.ts";
import { StoreOpenError, StoreTooCostly } from "./store.ts";

/** The SQL of an engine for each change, as statements to run in order. */
export interface Ddl {
  createTable(collection: Collection): string[];
  addField(collection: Collection, field: Field): string[];
  dropField(collection: Collection, old: KnownField): string[];
  /** Drops the indexes that do not fit any more, with the column of a field that is not caseless any more; or adds that column. */
  beforeUnique(collection: Collection, field: Field, old: KnownField): string[];
  /** Creates the field's indexes again, unique or not. */
  changeUnique(collection: Collection, field: Field): string[];
  /** Creates the index of fields that are unique together, if it is not there. */
  addUniqueKey(collection: Collection, fields: readonly Field[]): string[];
  /** `name`: as \`nameOfKey\` has it. */
  dropUniqueKey(collection: { name: string }, name: string): string[];
  dropTable(collection: { name: string }): string[];
  /** Keeps everybody from the table until the transaction ends. */
  lockTable(collection: { name: string }): string[];
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

/** `detail`: what the database says of the view of somebody else that reads a column or table which would go. */
export function builtUpon(detail: string): DictionaryRefused {
  return new DictionaryRefused(`somebody has built upon a column or table that would go, and has to drop that first: ${detail}`);
}

export interface ApplyOptions {
  /** Is false for commands beside the service: they refuse another dictionary than the store's. */
  mayChange: boolean;
  /** True: nothing is changed, it is only said what would be. */
  isTrial?: boolean;
  /** The data package as JSON, which says what the views for reports leave out. Without it they stay as they are. */
  text?: string | undefined;
  /** True: `countBefore` has counted, so that nobody waits for that, and an index holds what is unique now or cannot be made. */
  isCounted?: boolean;
}

/** Counts what a dictionary meets, before anybody waits for it, and answers the sentences. Throws DictionaryRefused. */
export async function countBefore(impact: Promise<StoredImpact>): Promise<string[]> {
  try {
    const { refused, stands } = await impact;
    if (refused.length > 0) throw refusedByRecords(refused.map(toSentence));
    return stands.map(toSentence);
  } catch (error) {
    if (error instanceof StoreTooCostly) return ["it takes too long to count the records that break a rule"];
    throw error;
  }
}

export function refusedByRecords(reasons: readonly string[]): DictionaryRefused {
  return new DictionaryRefused("the dictionary does not fit the records that are stored", reasons);
}

/**
 * Brings the collections' tables up to the dictionary, inside the transaction of each start. Throws DictionaryRefused with everything
 * that stored data do not allow. The sentences that it answers begin with their place: columns without values that go, and rules that some
 * records break since they were narrowed.
 */
export function* applyDictionary(
  collections: readonly Collection[],
  known: readonly KnownField[],
  ddl: Ddl,
  { mayChange, isTrial = false, isCounted = false }: ApplyOptions,
): Script<string[]> {
  const other = mayChange ? undefined : otherDictionary(collections, known);
  if (other) throw new StoreOpenError(other);
  if (!isTrial) for (const sql of lockLosing(collections, known, ddl)) yield* ask(sql);
  const refused = yield* findRefused(collections, known, { hasIndexes: isCounted });
  const reasons = [...refused.map(toSentence), ...changedKeys(collections, known)];
  if (reasons.length > 0) throw refusedByRecords(reasons);
  const before = yield* readRules();
  const stands = isCounted ? [] : yield* findNarrowed(collections, known, before);
  const notes = [...noteDropped(collections, known), ...stands.map(toSentence)];
  if (isTrial) return notes;
  const keys = yield* readKnownKeys();
  const changes = [...dropKeys(collections, known, keys, ddl), ...changesTo(collections, known, ddl), ...addKeys(collections, ddl)];
  for (const step of [...changes, ...markReferences(collections, ddl), ...markKeys(collections, ddl)])
    if (typeof step === "string") yield* ask(step);
    else yield* fillCases(step.collection, step.field);
  yield* markGone(collections, known);
  if (mayChange) yield* writeKnown(collections, known, before);
  if (mayChange) yield* noteFormulas(collections);
  return notes;
}

/** Nothing may be written while the values of a column or table are counted: it would be dropped with them. */
function lockLosing(collections: readonly Collection[], known: readonly KnownField[], { lockTable }: Ddl): string[] {
  const losing = collections.filter(
    (one) =>
      lostFields(
        one,
        known.filter(({ collection }) => collection === one.name),
      ).length > 0,
  );
  return [...gone(collections, known).map(({ collection }) => ({ name: collection })), ...losing].flatMap(lockTable);
}

/** Says why a command beside the service is refused with this dictionary: it would change the tables under the service. Undefined for a new store. */
function otherDictionary(collections: readonly Collection[], known: readonly KnownField[]): string | undefined {
  if (known.length === 0 || isSame(known, knownFields(collections))) return undefined;
  return "the store has another dictionary: set DICTIONARY as it is set for the service, or start the service first";
}

/** Keeps the names of collections that were taken away: whoever follows the changes still reads that their records were deleted. */
function* markGone(collections: readonly Collection[], known: readonly KnownField[]): Script<void> {
  const names = gone(collections, known).map(({ collection }) => collection);
  const back = (yield* readGone()).filter((name) => collections.some((one) => one.name === name));
  for (const name of back) yield* ask("DELETE FROM settings WHERE name = $1", GONE + name);
  for (const name of names) yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", GONE + name, new Uint8Array());
}

function markReferences(collections: readonly Collection[], { noBytes }: Ddl): string[] {
  const marks = collections.flatMap((collection) => collection.references.map((field) => markOf(collection, field)));
  const others = marks.length > 0 ? ` AND name NOT IN (${marks.join(", ")})` : "";
  return [
    `DELETE FROM settings WHERE name LIKE 'refers %'${others}`,
    ...marks.map((mark) => `INSERT INTO settings (name, value) VALUES (${mark}, ${noBytes}) ON CONFLICT DO NOTHING`),
  ];
}

/** Drops the indexes of fields that need not be unique together any more, or one of which goes. */
function dropKeys(collections: readonly Collection[], known: readonly KnownField[], keys: readonly KnownKey[], ddl: Ddl): string[] {
  return keys.flatMap(({ collection: name, name: key }) => {
    const collection = collections.find((one) => one.name === name);
    if (!collection) return []; // its table goes with its indexes
    const lost = lostFields(
      collection,
      known.filter((one) => one.collection === name),
    );
    const isKept = collection.uniqueKeys.some((fields) => nameOfKey(fields) === key);
    return isKept && !lost.some(({ column }) => key.split(",").includes(column)) ? [] : ddl.dropUniqueKey(collection, key);
  });
}

function addKeys(collections: readonly Collection[], ddl: Ddl): string[] {
  return collections.flatMap((collection) => collection.uniqueKeys.flatMap((fields) => ddl.addUniqueKey(collection, fields)));
}

function markKeys(collections: readonly Collection[], { noBytes }: Ddl): string[] {
  const marks = collections.flatMap((collection) => collection.uniqueKeys.map((fields) => `'${markOfKey(collection, fields)}'`));
  const others = marks.length > 0 ? ` AND name NOT IN (${marks.join(", ")})` : "";
  return [
    `DELETE FROM settings WHERE name LIKE 'unique %'${others}`,
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

/** A statement, or a field of which SQL cannot fold every value. */
type Step = string | { collection: Collection; field: Field };

const TOGETHER = 1_000; // records

/** Fills the column of a field that is unique whatever the case from now on. Values of ASCII need nothing there. */
function* fillCases(collection: Collection, field: Field): Script<void> {
  const [table, key, column] = [tableOf(collection), columnOf(collection.key), columnOf(field)];
  const update = `UPDATE ${table} SET ${caseColumn(columnName(field))} = $1 WHERE ${key} = $2`;
  for (let from: Cell = Number.MIN_SAFE_INTEGER; ; ) {
    const select = `SELECT ${key}, ${column} FROM ${table} WHERE ${key} > $1 AND ${notAscii(column)} ORDER BY ${key} LIMIT ${TOGETHER}`;
    const { rows } = yield* ask(select, from);
    for (const [id, value] of rows) {
      const cell = caseCell(String(value));
      if (cell !== null) yield* ask(update, cell, id as number);
    }
    if (rows.length < TOGETHER) return;
    from = rows.at(-1)?.[0] as number;
  }
}

function changesTo(collections: readonly Collection[], known: readonly KnownField[], ddl: Ddl): Step[] {
  return [
    ...gone(collections, known).flatMap(({ collection: name }) => ddl.dropTable({ name })),
    ...collections.flatMap((collection) => {
      const before = known.filter((field) => field.collection === collection.name);
      return before.length === 0 ? ddl.createTable(collection) : alterTable(collection, before, ddl);
    }),
  ];
}

function alterTable(collection: Collection, before: readonly KnownField[], ddl: Ddl): Step[] {
  const dropped = lostFields(collection, before);
  return [
    ...dropped.flatMap((old) => ddl.dropField(collection, old)),
    ...collection.fields.flatMap((field): Step[] => {
      const old = before.find((one) => isOf(one, collection, field));
      if (!old) return ddl.addField(collection, field);
      const isCaseless = field.caseless === true;
      if (field === collection.key || (old.isUnique === field.unique && old.isCaseless === isCaseless)) return [];
      const fill = isCaseless && !old.isCaseless ? [{ collection, field }] : [];
      return [...ddl.beforeUnique(collection, field, old), ...fill, ...ddl.changeUnique(collection, field)];
    }),
  ];
}
