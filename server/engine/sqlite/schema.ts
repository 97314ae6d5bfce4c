// The dictionary as SQLite tables: columns, indexes and the search table.

import Database from "libsql";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { columnName } from "../../../core/dictionary/column-name.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import {
  COLUMN_RULES,
  caseColumn,
  columnOf,
  foldColumn,
  isFolded,
  MAKER_COLUMN,
  PRINCIPAL_COLUMNS,
  quoted,
  searchTableOf,
  sortColumn,
  tableOf,
  uniqueColumn,
} from "../columns.ts";
import { nameOfKey, readKnownFields } from "../known-fields.ts";
import { type ApplyOptions, applyDictionary as applyTo, builtUpon, type Ddl } from "../migrate-dictionary.ts";
import { reportsOf } from "../report-views.ts";
import { createRun } from "../script/run-sqlite.ts";
import { runScript } from "../script/script.ts";
import { searchedFields } from "../search-words.ts";
import { StoreOpenError } from "../store.ts";
import { chosenFrom, type GivenDictionary, readNewest } from "../versions.ts";
import { requireKnownSchema, schemaOf } from "./migrations.ts";
import { renewReports } from "./reports.ts";

/**
 * Brings the collections' tables up to the dictionary, inside the caller's transaction at each start. Adds new collections
 * and fields, drops those without data. Throws StoreOpenError for a change that stored data does not allow.
 */
export function applyDictionary(db: Database.Database, collections: readonly Collection[], options: ApplyOptions): string[] {
  const run = createRun(db);
  const { mayChange, isTrial, text } = options;
  const reports = mayChange && !isTrial && text !== undefined ? renewReports(db, reportsOf(collections, "sqlite", text)) : undefined;
  try {
    const notes = runScript(applyTo(collections, runScript(readKnownFields(), run), DDL, options), run);
    // A closed list may have got its labels after its collection was made, and the collection may be older than the index of its makers.
    if (!isTrial) for (const collection of collections) for (const sql of [...searchFor(collection), makerIndex(collection)]) db.exec(sql);
    return [...notes, ...(reports?.() ?? [])];
  } catch (error) {
    const { message } = error as Error;
    throw message.startsWith("error in view") ? builtUpon(message) : error;
  }
}

/** Returns what a start with this dictionary would do to the store in `file`, which a service may hold; undefined where a refused first start has left no tables. Changes nothing. Throws as applyDictionary does. */
export function tryDictionary(file: string, given: GivenDictionary): string[] | undefined {
  const db = new Database(file, { readonly: true });
  try {
    if (schemaOf(db) === 0) return undefined;
    requireKnownSchema(db);
    const { collections } = chosenFrom(given, runScript(readNewest(), createRun(db)));
    return applyDictionary(db, collections, { mayChange: true, isTrial: true });
  } catch (error) {
    throw error instanceof StoreOpenError ? error : new StoreOpenError(`${file} cannot be read: ${(error as Error).message}`);
  } finally {
    db.close();
  }
}

const DDL: Ddl = {
  createTable(collection) {
    const columns = collection.fields.flatMap((field) => (field === collection.key ? [] : columnsFor(field)));
    const all = [`${columnOf(collection.key)} INTEGER PRIMARY KEY`, ...columns, ...TIMES.map((time) => `${time} INTEGER NOT NULL`)];
    const own = ["version INTEGER NOT NULL", ...PRINCIPAL_COLUMNS.map((column) => `${column} INTEGER`)];
    return [
      `CREATE TABLE ${tableOf(collection)} (${[...all, ...own].join(", ")}) STRICT`,
      ...collection.fields.flatMap((field) => indexesFor(collection, field)),
      ...TIMES.map((time) => `CREATE INDEX ${indexOf(collection, time)} ON ${tableOf(collection)} (${time})`),
      makerIndex(collection),
      ...searchFor(collection),
    ];
  },
  addField(collection, field) {
    const columns = columnsFor(field).map((column) => `ALTER TABLE ${tableOf(collection)} ADD COLUMN ${column}`);
    return [...columns, ...indexesFor(collection, field), ...searchFor(collection)];
  },
  dropField(collection, old) {
    const columns = [
      quoted(old.column),
      ...(isFolded(old) ? [foldColumn(old.column)] : []),
      ...(old.isCaseless ? [caseColumn(old.column)] : []),
    ];
    return [...dropIndexes(collection, old.column), ...columns.map((column) => `ALTER TABLE ${tableOf(collection)} DROP COLUMN ${column}`)];
  },
  // The index that stays is not built again: whoever writes would wait for it.
  beforeUnique(collection, field, old) {
    const unneeded = (field.unique && !isFolded(field) ? indexOf : uniqueOf)(collection, columnName(field));
    const column = caseColumn(columnName(field));
    const isCaseless = field.caseless === true;
    const changed = isCaseless ? `ADD COLUMN ${column} TEXT` : `DROP COLUMN ${column}`;
    return [
      `DROP INDEX IF EXISTS ${unneeded}`,
      ...(isCaseless === old.isCaseless ? [] : [`ALTER TABLE ${tableOf(collection)} ${changed}`]),
    ];
  },
  changeUnique: indexesFor,
  addUniqueKey(collection, fields) {
    const name = uniqueOf(collection, nameOfKey(fields));
    return [`CREATE UNIQUE INDEX IF NOT EXISTS ${name} ON ${tableOf(collection)} (${fields.map(columnOf)})`];
  },
  dropUniqueKey: (collection, name) => [`DROP INDEX IF EXISTS ${uniqueOf(collection, name)}`],
  dropTable: (collection) => [`DROP TABLE ${tableOf(collection)}`, `DROP TABLE IF EXISTS ${searchTableOf(collection)}`],
  lockTable: () => [], // there is one writer
  noBytes: "X''",
};

const TIMES = ["createdAt", "updatedAt"];

function columnsFor(field: Field): string[] {
  const own = `${columnOf(field)} ${COLUMN_RULES[field.kind].sqlite}`;
  return [
    own,
    ...(isFolded(field) ? [`${sortColumn(field)} TEXT NOT NULL DEFAULT ''`] : []),
    ...(field.caseless ? [`${caseColumn(columnName(field))} TEXT`] : []),
  ];
}

/** SQLite ends every index with the row's id, so an index on the sort column alone serves (column, key) both ways. */
function indexesFor(collection: Collection, field: Field): string[] {
  if (field === collection.key || field.item) return []; // several values have no order
  const table = tableOf(collection);
  const sorted = isFolded(field) || !field.unique; // otherwise the unique index sorts as well
  return [
    ...(sorted ? [`CREATE INDEX IF NOT EXISTS ${indexOf(collection, columnName(field))} ON ${table} (${sortColumn(field)})`] : []),
    ...(field.unique
      ? [`CREATE UNIQUE INDEX IF NOT EXISTS ${uniqueOf(collection, columnName(field))} ON ${table} (${uniqueColumn(field)})`]
      : []),
  ];
}

/** Names the index that has the records in the order of a field. */
export function orderIndexOf(collection: Collection, field: Field): string {
  return isFolded(field) || !field.unique ? indexOf(collection, columnName(field)) : uniqueOf(collection, columnName(field));
}

function dropIndexes(collection: Collection, column: string): string[] {
  return [`DROP INDEX IF EXISTS ${indexOf(collection, column)}`, `DROP INDEX IF EXISTS ${uniqueOf(collection, column)}`];
}

/**
 * The ascii tokenizer counts every character beyond ASCII as part of a word, so the words stay as foldWords made them.
 * SQLite's Unicode tables are older. Contents stay in the collection's table; word positions are not needed.
 */
function searchFor(collection: Collection): string[] {
  if (searchedFields(collection).length === 0) return [];
  return [
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${searchTableOf(collection)} USING fts5(
    words, content='', contentless_delete=1, detail=none, prefix='1 2', tokenize='ascii')`,
  ];
}

function makerIndex(collection: Collection): string {
  return `CREATE INDEX IF NOT EXISTS ${indexOf(collection, MAKER_COLUMN)} ON ${tableOf(collection)} (${MAKER_COLUMN})`;
}

function indexOf(collection: Collection, name: string): string {
  return quoted(`i_${collection.name}_${name}`);
}
function uniqueOf(collection: { name: string }, name: string): string {
  return quoted(`u_${collection.name}_${name}`);
}

/** Returns the statement that raises every version in a table. No index has it, so that only the rows are written. */
export function raiseVersions(table: string, by: number): string {
  return `UPDATE ${table} SET version = version + ${by}`;
}
