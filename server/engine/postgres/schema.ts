// The dictionary as PostgreSQL tables: columns and indexes.

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
  type PostgresType,
  PRINCIPAL_COLUMNS,
  quoted,
  sortColumn,
  tableOf,
  uniqueColumn,
} from "../columns.ts";
import { nameOfKey, readKnownFields } from "../known-fields.ts";
import { type ApplyOptions, applyDictionary as applyTo, builtUpon, type Ddl } from "../migrate-dictionary.ts";
import { reportsOf } from "../report-views.ts";
import { runOn } from "../script/run-postgres.ts";
import { StoreOpenError } from "../store.ts";
import { codeOf } from "./database-errors.ts";
import type { Query } from "./pool.ts";
import { dependents, OTHERS_DEPEND, renewReports } from "./reports.ts";

/** The words of a record for search; $ cannot occur in a field's name. */
export const WORDS = quoted("$words");

/**
 * Brings the collections' tables up to the dictionary, inside the guarded transaction of each start.
 * Throws StoreOpenError for a change that stored data does not allow.
 */
export async function applyDictionary(query: Query, collections: readonly Collection[], options: ApplyOptions): Promise<string[]> {
  const known = await runOn(query, readKnownFields());
  for (const collection of collections) rejectTooWide(collection);
  const { mayChange, isTrial, text } = options;
  const hasReports = mayChange && !isTrial && text !== undefined;
  const makeReports = hasReports ? await renewReports(query, reportsOf(collections, "postgres", text)) : async () => [];
  try {
    const notes = await runOn(query, applyTo(collections, known, DDL, options));
    return [...notes, ...(await makeReports())];
  } catch (error) {
    if (codeOf(error) !== OTHERS_DEPEND) throw error;
    throw builtUpon(dependents(error));
  }
}

const MAX_ROW = 8_160; // bytes; a row of PostgreSQL lies on one page, only long values are stored elsewhere
const OWN_BYTES = 136; // header, null bits, times, version, principals, words

/** Checks it at the start, so that it does not fail later for the one record with a value in every field. */
function rejectTooWide({ name, fields }: Collection): void {
  const bytes = fields.reduce((sum, field) => sum + COLUMN_RULES[field.kind].bytes, OWN_BYTES);
  if (bytes <= MAX_ROW) return;
  throw new StoreOpenError(
    `"${name}" has more fields (${fields.length}) than PostgreSQL can hold in one row; about 220 of type string fit`,
  );
}

const TIMES = ["createdAt", "updatedAt"];

// kB of words that are not sorted into the index yet: each search reads all of them. With PostgreSQL's 4 MB a search for near words took
// 150 to 900 ms after an upload; batches are written as fast with this.
const NEW_WORDS = "gin_pending_list_limit=64";

const DDL: Ddl = {
  createTable(collection) {
    const columns = collection.fields.flatMap((field) => (field === collection.key ? [] : columnsFor(field)));
    const all = [
      `${columnOf(collection.key)} bigint PRIMARY KEY`,
      ...columns,
      ...[...TIMES, "version"].map((name) => `${quoted(name)} bigint NOT NULL`),
      ...PRINCIPAL_COLUMNS.map((column) => `${quoted(column)} integer`),
      `${WORDS} tsvector NOT NULL DEFAULT ''`,
    ];
    return [
      `CREATE TABLE ${tableOf(collection)} (${all.join(", ")})`,
      ...collection.fields.flatMap((field) => indexesFor(collection, field)).map(({ create }) => create()),
      ...TIMES.map((time) => sortIndex(collection, time, quoted(time)).create()),
      makerIndex(collection).create(),
      `CREATE INDEX ${wordIndex(collection.name)} ON ${tableOf(collection)} USING gin (${WORDS}) WITH (${NEW_WORDS})`,
    ];
  },
  addField(collection, field) {
    const columns = columnsFor(field).map((column) => `ALTER TABLE ${tableOf(collection)} ADD COLUMN ${column}`);
    const held = indexesFor(collection, field).filter(({ isUnique }) => isUnique); // the others are made while everybody writes (indexes.ts)
    return [...columns, ...held.map(({ create }) => create())];
  },
  /** PostgreSQL drops the column's indexes with it. */
  dropField(collection, old) {
    const columns = [
      quoted(old.column),
      ...(isFolded(old) ? [foldColumn(old.column)] : []),
      ...(old.isCaseless ? [caseColumn(old.column)] : []),
    ];
    return columns.map((column) => `ALTER TABLE ${tableOf(collection)} DROP COLUMN ${column}`);
  },
  /** PostgreSQL drops the index with the column that it compares. */
  beforeUnique(collection, field, old) {
    const [isCaseless, column] = [field.caseless === true, caseColumn(columnName(field))];
    const changed = isCaseless ? `ADD COLUMN IF NOT EXISTS ${column} ${columnType("text")}` : `DROP COLUMN IF EXISTS ${column}`;
    const others = [true, false]
      .filter((one) => !field.unique || one !== isCaseless)
      .map((caseless) => uniqueIndex(collection, { ...field, caseless }).name);
    return [
      ...others.map((name) => `DROP INDEX IF EXISTS "${name}"`),
      ...(isCaseless === old.isCaseless ? [] : [`ALTER TABLE ${tableOf(collection)} ${changed}`]),
    ];
  },
  changeUnique(collection, field) {
    return field.unique ? [uniqueIndex(collection, field).create("IF NOT EXISTS")] : [];
  },
  addUniqueKey: (collection, fields) => [keyIndex(collection, fields).create("IF NOT EXISTS")],
  dropUniqueKey: (collection, name) => [`DROP INDEX IF EXISTS ${quoted(`u_${collection.name}_${name}`)}`],
  dropTable: (collection) => [`DROP TABLE ${tableOf(collection)}`],
  lockTable: (collection) => [`LOCK TABLE ${tableOf(collection)} IN ACCESS EXCLUSIVE MODE`],
  noBytes: "''",
};

function wordIndex(collection: string): string {
  return quoted(`w_${collection}`);
}

/** Collation "C" compares bytes, as SQLite does. Any other depends on the server and may change under an index. */
function columnType(type: PostgresType): string {
  return type === "text" ? 'text COLLATE "C"' : type;
}

function columnsFor(field: Field): string[] {
  const own = `${columnOf(field)} ${columnType(COLUMN_RULES[field.kind].postgres)}`;
  return [
    own,
    ...(isFolded(field) ? [`${sortColumn(field)} ${columnType("text")} NOT NULL DEFAULT ''`] : []),
    ...(field.caseless ? [`${caseColumn(columnName(field))} ${columnType("text")}`] : []),
  ];
}

/** An index of a field, or of a time. */
export interface FieldIndex {
  collection: string;
  column: string;
  /** Is the name in PostgreSQL. */
  name: string;
  isUnique: boolean;
  /** It compares whatever the case, and another column with it. */
  isCaseless: boolean;
  /** Returns the SQL that makes it. `how`: words such as CONCURRENTLY. */
  create(how?: string): string;
}

/** Returns the indexes of all fields and of who made a record, without those of times, which a table has from its beginning. */
export function indexesOfFields(collections: readonly Collection[]): FieldIndex[] {
  return collections.flatMap((collection) => [
    ...collection.fields.flatMap((field) => indexesFor(collection, field)),
    ...collection.uniqueKeys.map((fields) => keyIndex(collection, fields)),
    makerIndex(collection),
  ]);
}

function makerIndex(collection: Collection): FieldIndex {
  return sortIndex(collection, MAKER_COLUMN, quoted(MAKER_COLUMN));
}

function indexesFor(collection: Collection, field: Field): FieldIndex[] {
  if (field === collection.key || field.item) return []; // several values have no order, and are too long
  const nulls = isFolded(field) ? "" : " NULLS FIRST";
  const order = sortIndex(collection, columnName(field), `${sortColumn(field)}${nulls}`);
  return field.unique ? [order, uniqueIndex(collection, field)] : [order];
}

/** Ends with the key, as every order does. Read backwards it serves the descending order. */
function sortIndex(collection: Collection, name: string, column: string): FieldIndex {
  return indexOn(collection, { name, isUnique: false, columns: `${column}, ${columnOf(collection.key)}` });
}

function uniqueIndex(collection: Collection, field: Field): FieldIndex {
  const isCaseless = field.caseless === true;
  return indexOn(collection, { name: columnName(field), isUnique: true, isCaseless, columns: uniqueKey(field, uniqueColumn(field)) });
}

function keyIndex(collection: Collection, fields: readonly Field[]): FieldIndex {
  return indexOn(collection, { name: nameOfKey(fields), isUnique: true, columns: fields.map((field) => uniqueKey(field)).join(", ") });
}

function indexOn(
  collection: Collection,
  { name: column, isUnique, isCaseless = false, columns }: { name: string; isUnique: boolean; isCaseless?: boolean; columns: string },
): FieldIndex {
  const name = quoted(`${isUnique ? "u" : "i"}_${collection.name}_${column}${isCaseless ? "$case" : ""}`);
  return {
    collection: collection.name,
    column,
    name: name.slice(1, -1),
    isUnique,
    isCaseless,
    create: (how = "") => `CREATE ${isUnique ? "UNIQUE " : ""}INDEX ${how} ${name} ON ${tableOf(collection)} (${columns})`,
  };
}

/** Returns the SQL expression that a unique index compares. */
export function uniqueKey(field: Field, value = columnOf(field)): string {
  return COLUMN_RULES[field.kind].isLong ? `md5(${value})` : value;
}

/**
 * Returns the statement that raises every version in a table. Written anew, the table has its indexes built once: an update would add each
 * row to each of them, which took six times as long. PostgreSQL refuses that where somebody's view reads the column.
 */
export function raiseVersions(table: string, by: number): string {
  return `DO $$ BEGIN ALTER TABLE ${table} ALTER COLUMN version TYPE bigint USING version + ${by};
    EXCEPTION WHEN feature_not_supported THEN UPDATE ${table} SET version = version + ${by}; END $$`;
}
