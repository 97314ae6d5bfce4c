// The dictionary to SQLite tables: adds what is new, refuses what would lose or break stored data.

import type { Database } from "libsql";
import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import { COLUMN_TYPES, quoted, searchTableOf, sortColumn, stringFields, tableOf } from "./columns.ts";
import { StoreRefused } from "./store.ts";

interface KnownField {
  collection: string;
  name: string;
  kind: string;
  is_key: number;
  is_unique: number;
}

/**
 * Runs inside the caller's transaction, once at every start. Adding a collection or a field, or taking away one without
 * data, just happens. Throws StoreRefused for a change that stored data does not allow.
 */
export function applyDictionary(db: Database, collections: readonly Collection[]): void {
  const known = db.prepare("SELECT collection, name, kind, is_key, is_unique FROM fields").all() as KnownField[];
  const gone = new Set(known.map((field) => field.collection).filter((name) => !collections.some((c) => c.name === name)));
  for (const name of gone) dropCollection(db, name);
  for (const collection of collections) {
    const before = known.filter((field) => field.collection === collection.name);
    if (before.length === 0) createTable(db, collection);
    else alterTable(db, collection, before);
    for (const field of collection.fields) checkStored(db, collection, field);
  }
  db.exec("DELETE FROM fields");
  const add = db.prepare("INSERT INTO fields (collection, name, kind, is_key, is_unique) VALUES (?, ?, ?, ?, ?)");
  for (const collection of collections) {
    for (const field of collection.fields) {
      add.run(collection.name, field.name, field.kind, Number(field === collection.key), Number(field.unique));
    }
  }
}

function createTable(db: Database, collection: Collection): void {
  const columns = collection.fields.flatMap((field) => (field === collection.key ? [] : columnsFor(field)));
  db.exec(`CREATE TABLE ${tableOf(collection)} (
    ${[
      `${quoted(collection.key.name)} INTEGER PRIMARY KEY`,
      ...columns,
      "createdAt INTEGER NOT NULL",
      "updatedAt INTEGER NOT NULL",
      "version INTEGER NOT NULL",
    ].join(", ")}) STRICT`);
  for (const field of collection.fields) createIndexes(db, collection, field);
  for (const time of ["createdAt", "updatedAt"]) db.exec(`CREATE INDEX ${indexOf(collection, time)} ON ${tableOf(collection)} (${time})`);
  createSearch(db, collection);
}

function columnsFor(field: Field): string[] {
  const own = `${quoted(field.name)} ${COLUMN_TYPES[field.kind]}`;
  return field.kind === "string" ? [own, `${sortColumn(field)} TEXT NOT NULL DEFAULT ''`] : [own];
}

/** SQLite ends every index with the row's id, so an index on the sort column alone serves (column, key) both ways. */
function createIndexes(db: Database, collection: Collection, field: Field): void {
  if (field === collection.key) return;
  const sorted = field.kind === "string" || !field.unique;
  if (sorted) db.exec(`CREATE INDEX ${indexOf(collection, field.name)} ON ${tableOf(collection)} (${sortColumn(field)})`);
  if (field.unique) db.exec(`CREATE UNIQUE INDEX ${uniqueOf(collection, field.name)} ON ${tableOf(collection)} (${quoted(field.name)})`);
}

/**
 * The ascii tokenizer takes every character beyond ASCII as part of a word, so that the words are ours (foldWords) and
 * not those of SQLite's older Unicode tables. Content stays in the collection's table; positions are not needed.
 */
function createSearch(db: Database, collection: Collection): void {
  if (stringFields(collection).length === 0) return;
  db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${searchTableOf(collection)} USING fts5(
    words, content='', contentless_delete=1, detail=none, prefix='1 2', tokenize='ascii')`);
}

function alterTable(db: Database, collection: Collection, before: readonly KnownField[]): void {
  const table = tableOf(collection);
  const key = before.find((field) => field.is_key === 1);
  if (key?.name !== collection.key.name) {
    throw new StoreRefused(`the key of "${collection.name}" was "${key?.name}" and cannot become "${collection.key.name}"`);
  }
  const isSame = (old: KnownField, field: Field) => old.name === field.name && old.kind === field.kind;
  for (const old of before.filter((old) => !collection.fields.some((field) => isSame(old, field)))) {
    if (holds(db, `SELECT 1 FROM ${table} WHERE ${quoted(old.name)} IS NOT NULL`)) throw new StoreRefused(lossOf(collection, old));
    dropField(db, collection, old);
  }
  for (const field of collection.fields.filter((field) => !before.some((old) => isSame(old, field)))) {
    for (const column of columnsFor(field)) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`);
    createIndexes(db, collection, field);
  }
  createSearch(db, collection);
  for (const field of collection.fields) {
    const old = before.find((old) => isSame(old, field));
    if (old && field !== collection.key && old.is_unique !== Number(field.unique)) changeUnique(db, collection, field);
  }
}

function lossOf(collection: Collection, old: KnownField): string {
  const now = collection.byName.get(old.name);
  const change = now ? `was of type ${old.kind} and is now ${now.kind}` : "is no longer in the dictionary";
  return `field "${old.name}" of "${collection.name}" ${change}, but stored records have values there`;
}

function dropField(db: Database, collection: Collection, old: KnownField): void {
  db.exec(`DROP INDEX IF EXISTS ${indexOf(collection, old.name)}; DROP INDEX IF EXISTS ${uniqueOf(collection, old.name)}`);
  db.exec(`ALTER TABLE ${tableOf(collection)} DROP COLUMN ${quoted(old.name)}`);
  if (old.kind === "string") db.exec(`ALTER TABLE ${tableOf(collection)} DROP COLUMN ${quoted(`${old.name}$fold`)}`);
}

function changeUnique(db: Database, collection: Collection, field: Field): void {
  const column = quoted(field.name);
  const table = tableOf(collection);
  const twice = `SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column} HAVING count(*) > 1`;
  if (field.unique && holds(db, twice)) {
    throw new StoreRefused(`field "${field.name}" of "${collection.name}" is now unique, but stored records share values there`);
  }
  db.exec(`DROP INDEX IF EXISTS ${indexOf(collection, field.name)}; DROP INDEX IF EXISTS ${uniqueOf(collection, field.name)}`);
  createIndexes(db, collection, field);
}

function checkStored(db: Database, collection: Collection, field: Field): void {
  if (!field.required || field === collection.key) return;
  if (!holds(db, `SELECT 1 FROM ${tableOf(collection)} WHERE ${quoted(field.name)} IS NULL`)) return;
  throw new StoreRefused(`field "${field.name}" of "${collection.name}" is required, but stored records have no value there`);
}

function dropCollection(db: Database, name: string): void {
  if (holds(db, `SELECT 1 FROM ${tableOf({ name })}`)) {
    throw new StoreRefused(`collection "${name}" is no longer in the dictionary, but the store holds records of it`);
  }
  db.exec(`DROP TABLE ${tableOf({ name })}; DROP TABLE IF EXISTS ${searchTableOf({ name })}`);
}

function holds(db: Database, select: string): boolean {
  return db.prepare(`${select} LIMIT 1`).get() !== undefined;
}

function indexOf(collection: Collection, name: string): string {
  return quoted(`i_${collection.name}_${name}`);
}
function uniqueOf(collection: Collection, name: string): string {
  return quoted(`u_${collection.name}_${name}`);
}
