// Turns a record into table columns and back, the same on both engines.

import { createHash } from "node:crypto";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { fromSortable, toSortable } from "../../core/dictionary/decimals.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { itemsOf, type Kind, type Value } from "../../core/dictionary/kinds.ts";
import type { Unique } from "../../core/dictionary/unique-keys.ts";
import { asciiLower, caseFold } from "../../core/text/case-fold.ts";
import { ASCII, fold } from "../../core/text/fold.ts";
import type { StoredRecord } from "../people/store/principals.ts";

export type Cell = string | number | null;

/** A record with its fields by name, in any form. */
type AnyRecord = Readonly<Record<string, unknown>>;

/** The numbers of principals; NULL in rows that were written before the service kept who did it. */
export const PRINCIPAL_COLUMNS = ["createdBy", "updatedBy"];
/** The one of them that has an index: by it a role, or a view, chooses what somebody has made. */
export const MAKER_COLUMN = "createdBy";

export type PostgresType = "text" | "bigint" | "double precision" | "smallint";

export type Engine = "sqlite" | "postgres";

/** The SQL of a value in a view for reports, by that of its column. It fails for no value, or a report would end with an error. */
type Reported = Readonly<Record<Engine, (column: string) => string>>;

export interface ColumnRule {
  sqlite: "TEXT" | "INTEGER" | "REAL";
  postgres: PostgresType;
  /** Bounds the bytes in a row of PostgreSQL. A long text leaves 18 there and has its sort key too; numbers begin at multiples of 8. */
  bytes: number;
  /** Is true where values can be longer than an index row of PostgreSQL (2,700 bytes), so that a unique index compares their hash. */
  isLong: boolean;
  /** Is sorted and searched by its folded text (fold), which has a second column; otherwise the value sorts by itself. */
  isFolded: boolean;
  /** Turns a value into what is stored, and `toValue` turns it back: the same on both engines, so that sort values and cursors are the same. */
  toCell(value: Value): Cell;
  toValue(cell: string | number): Value;
  /** Has its true type with PostgreSQL; SQLite has neither exact numbers nor times, and shows them as text. */
  reported: Reported;
}

const itself = (column: string) => column;
const typed = (postgres: Reported["postgres"]): Reported => ({ sqlite: itself, postgres });
const PLAIN = typed(itself);

// SQL has no year 0, and calls it 1 BC.
const asTime = (type: string) => (column: string) =>
  `(CASE WHEN ${column} < '0001' THEN '0001' || substr(${column}, 5) || ' BC' ELSE ${column} END)::${type}`;

/** Takes the digits' complements back, as `fromSortable` does. SQLite has no translate. */
const DECIMAL: Reported = {
  sqlite: (column) => {
    const swapped = [0, 1, 2, 3, 4].reduce(
      (sql, low) => `replace(replace(replace(${sql}, '${low}', 'x'), '${9 - low}', '${low}'), 'x', '${9 - low}')`,
      `substr(${column}, 2, length(${column}) - 2)`,
    );
    return `CASE WHEN ${column} LIKE '%~' THEN '-' || ${swapped} ELSE substr(${column}, 2) END`;
  },
  postgres: (column) =>
    `(CASE WHEN ${column} LIKE '%~' THEN '-' || translate(substr(${column}, 2, length(${column}) - 2), '0123456789', '9876543210')
      ELSE substr(${column}, 2) END)::numeric`,
};

const AS_IT_IS = { toCell: (value: Value) => value as string | number, toValue: (cell: string | number) => cell };
const SORTABLE = { toCell: (value: Value) => toSortable(String(value)), toValue: (cell: string | number) => fromSortable(String(cell)) };
/** JSON in which each item stands in a line of its own: a line break within an item is written \n, so that what has one is found as text. */
const AS_LINES = {
  toCell: (value: Value) => `[\n${itemsOf(value).map(itemLine).join("\n,\n")}\n]`,
  toValue: (cell: string | number) => JSON.parse(String(cell)),
};
const AS_0_OR_1 = { toCell: (value: Value) => Number(value), toValue: (cell: string | number) => cell === 1 };

/** It sorts by itself, and is short. */
const BY_ITSELF = { isFolded: false, isLong: false };

const LIST: ColumnRule = {
  sqlite: "TEXT",
  postgres: "text",
  bytes: 48,
  ...BY_ITSELF,
  reported: { sqlite: (column) => `json(${column})`, postgres: (column) => `${column}::jsonb` },
  ...AS_LINES,
};

/** Says how each kind is stored. Dates, datetimes and times are text that sorts as time. */
export const COLUMN_RULES: Record<Kind, ColumnRule> = {
  string: { sqlite: "TEXT", postgres: "text", bytes: 36, isFolded: true, isLong: true, reported: PLAIN, ...AS_IT_IS },
  integer: { sqlite: "INTEGER", postgres: "bigint", bytes: 15, ...BY_ITSELF, reported: PLAIN, ...AS_IT_IS },
  number: { sqlite: "REAL", postgres: "double precision", bytes: 15, ...BY_ITSELF, reported: PLAIN, ...AS_IT_IS },
  decimal: { sqlite: "TEXT", postgres: "text", bytes: 48, ...BY_ITSELF, reported: DECIMAL, ...SORTABLE },
  boolean: {
    sqlite: "INTEGER",
    postgres: "smallint",
    bytes: 3,
    ...BY_ITSELF,
    reported: typed((column) => `(${column} = 1)`),
    ...AS_0_OR_1,
  },
  date: { sqlite: "TEXT", postgres: "text", bytes: 18, ...BY_ITSELF, reported: typed(asTime("date")), ...AS_IT_IS },
  datetime: { sqlite: "TEXT", postgres: "text", bytes: 18, ...BY_ITSELF, reported: typed(asTime("timestamptz")), ...AS_IT_IS },
  time: { sqlite: "TEXT", postgres: "text", bytes: 18, ...BY_ITSELF, reported: typed((column) => `${column}::time`), ...AS_IT_IS },
  year: { sqlite: "INTEGER", postgres: "smallint", bytes: 3, ...BY_ITSELF, reported: PLAIN, ...AS_IT_IS },
  list: LIST,
  files: LIST,
  file: { sqlite: "TEXT", postgres: "text", bytes: 36, isFolded: true, isLong: true, reported: PLAIN, ...AS_IT_IS },
};

/** Writes an item as its line has it. */
export function itemLine(item: unknown): string {
  return JSON.stringify(item);
}

/** The SQL of `createdAt` and `updatedAt` there, which are stored as ms since 1970. */
export const REPORTED_TIMES: Reported = {
  sqlite: (column) => `strftime('%Y-%m-%dT%H:%M:%S', ${column} / 1000, 'unixepoch') || printf('.%03dZ', ${column} % 1000)`,
  postgres: (column) => `to_timestamp(${column} / 1000.0)`,
};

/** `kind` may also be one that a newer version of the service stored and this one does not have. */
export function isFolded({ kind }: { kind: string }): boolean {
  return COLUMN_RULES[kind as Kind]?.isFolded ?? false;
}

const MAX_NAME = 63; // bytes; PostgreSQL cuts longer names in silence

/** Writes a name as an SQL identifier. The dictionary allows letters, digits and _ only. A name that is too long ends in its hash. */
export function quoted(name: string): string {
  if (name.length <= MAX_NAME) return `"${name}"`;
  return `"${name.slice(0, 46)}$${createHash("sha256").update(name).digest("hex").slice(0, 16)}"`;
}

/** Names the table of a collection. Its prefix keeps it apart from the store's own tables. */
export function tableOf(collection: Pick<Collection, "name">): string {
  return quoted(`c_${collection.name}`);
}

/** Names the column of a field's values. */
export function columnOf(field: Pick<Field, "name" | "formerNames">): string {
  return quoted(columnName(field));
}

/** Names the search table of a collection (SQLite only). */
export function searchTableOf(collection: Pick<Collection, "name">): string {
  return quoted(`s_${collection.name}`);
}

/** Names the column that a field is sorted by. `$` cannot occur in a field's name. */
export function sortColumn(field: Field): string {
  return isFolded(field) ? foldColumn(columnName(field)) : columnOf(field);
}

export function foldColumn(name: string): string {
  return quoted(`${name}$fold`);
}

/** Names the column of what SQL cannot fold of a field that is unique whatever the case. */
export function caseColumn(name: string): string {
  return quoted(`${name}$case`);
}

/** Returns undefined where `lower` folds the value as `caseFold` does, as of almost every e-mail address and number. */
export function caseCell(value: Value | null): string | null {
  if (typeof value !== "string" || ASCII.test(value)) return null;
  const folded = caseFold(value);
  return folded === asciiLower(value) ? null : folded;
}

/** Writes the SQL of what is compared where a value of the field must be unique: `uniqueValue` of it. */
export function uniqueColumn(field: Field): string {
  return field.caseless ? `coalesce(${caseColumn(columnName(field))}, lower(${columnOf(field)}))` : columnOf(field);
}

/** Does the same for what is unique. Fields that are unique together are compared as they are stored. */
export function uniqueColumns({ fields }: Unique): string[] {
  return fields.map(fields.length === 1 ? uniqueColumn : columnOf);
}

/** Returns the fields that have a sort key. */
export function foldedFields(collection: Collection): Field[] {
  return collection.fields.filter((field) => isFolded(field) && !field.masked);
}

export const MAX_SORT_KEY = 128; // UTF-16 units; longer texts that begin alike are ordered by id. Keeps index rows small

const MOST_KNOWN = 1_000; // texts; emptied when full
const LONGEST_KNOWN = 100; // UTF-16 units
const known = new Map<string, string>();

/** Folds as `fold` does. A text of a record is folded to sort it and again to search it, and first names come again. */
export function foldKnown(text: string): string {
  if (text.length > LONGEST_KNOWN || ASCII.test(text)) return fold(text);
  let folded = known.get(text);
  if (folded === undefined) {
    folded = fold(text);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, folded);
  }
  return folded;
}

const SIGNS_BEFORE = /^[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/u;

/** Returns the text by which a text sorts, uncut: `'t Hoff` stands among the names with T. A text of signs alone keeps them. */
export function sortText(text: string): string {
  return foldKnown(text).replace(SIGNS_BEFORE, "");
}

/** Returns the text by which a folded field sorts. No value sorts as the empty text, so this column is never NULL. */
export function sortKey(value: Value | null): string {
  const folded = value === null ? "" : sortText(String(value));
  // A cut through a surrogate pair would be stored as another character and never compare equal again.
  return folded.length <= MAX_SORT_KEY ? folded : folded.slice(0, MAX_SORT_KEY).replace(/\p{Cs}$/u, "");
}

/** Returns the value of a record in the sort column of `name`: a field, `createdAt` or `updatedAt` (as ms since 1970). */
export function sortValue(collection: Collection, record: AnyRecord, name: string): Value | null {
  const field = collection.byName.get(name);
  const value = (record[name] ?? null) as Value | null;
  if (!field) return Date.parse(String(value));
  return isFolded(field) ? sortKey(value) : toCell(field.kind, value);
}

/** Returns the cell of a value of this kind. */
export function toCell(kind: Kind, value: Value | null): Cell {
  return value === null ? null : COLUMN_RULES[kind].toCell(value);
}

/** Returns the value of a cell of this kind. */
export function toValue(kind: Kind, cell: Cell): Value | null {
  return cell === null ? null : COLUMN_RULES[kind].toValue(cell);
}

/** Turns a raw row of `SELECT <columnsOf>` into a record in its wire form, but for the principals, which are numbers. */
export function toRecord(collection: Collection, row: readonly Cell[]): StoredRecord {
  const record: Record<string, Value | null> = {};
  const { fields } = collection;
  for (let i = 0; i < fields.length; i++) {
    const { name, kind } = fields[i] as Field;
    const cell = row[i] ?? null;
    record[name] = toValue(kind, cell);
  }
  record.createdAt = toTime(row[fields.length] as number);
  record.updatedAt = toTime(row[fields.length + 1] as number);
  record.createdBy = row[fields.length + 2] as number | null;
  record.updatedBy = row[fields.length + 3] as number | null;
  record.version = row[fields.length + VERSION_AT] as number;
  return record as unknown as StoredRecord;
}

const MOST_TIMES = 1_000; // emptied when full
const times = new Map<number, string>();

/** Writes RFC 3339. Records of one batch share one time, so texts are used again: formatting took a third of reading a record. */
function toTime(ms: number): string {
  const known = times.get(ms);
  if (known !== undefined) return known;
  const text = new Date(ms).toISOString();
  if (times.size >= MOST_TIMES) times.clear();
  times.set(ms, text);
  return text;
}

/** The place of the version in `columnsOf`, counted from the first column after the fields. */
export const VERSION_AT = 4;

export function columnsOf(collection: Collection): string {
  return [...collection.fields.map(columnName), "createdAt", "updatedAt", ...PRINCIPAL_COLUMNS, "version"].map(quoted).join(", ");
}

/**
 * Lists the columns of a record's fields, each folded one followed by its sort key and a caseless one by what SQL cannot fold. `cells` are
 * in the same order.
 */
export function storedColumns(collection: Collection): { column: string; type: PostgresType }[] {
  return collection.fields.flatMap((field) => {
    const own = { column: columnOf(field), type: COLUMN_RULES[field.kind].postgres };
    return [
      own,
      ...(isFolded(field) ? [{ column: sortColumn(field), type: "text" as const }] : []),
      ...(field.caseless ? [{ column: caseColumn(columnName(field)), type: "text" as const }] : []),
    ];
  });
}

/** Returns the values of `storedColumns`. */
export function cells(collection: Collection, record: AnyRecord): Cell[] {
  const row: Cell[] = [];
  for (const field of collection.fields) {
    const value = record[field.name] as Value | null;
    row.push(toCell(field.kind, value));
    if (isFolded(field)) row.push(sortKey(value));
    if (field.caseless) row.push(caseCell(value));
  }
  return row;
}

/** Finds a collection by its name, which stands for it between threads. A name without one is a bug. */
export function collectionIn(collections: ReadonlyMap<string, Collection>, name: string): Collection {
  const collection = collections.get(name);
  if (!collection) throw new Error(`no table for ${name}`);
  return collection;
}
