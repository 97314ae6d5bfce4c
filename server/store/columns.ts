// A record to columns and back, alike on both engines. Knows kinds and names, asks no database.

import { createHash } from "node:crypto";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Kind, Value } from "../../core/dictionary/kinds.ts";
import { fold, foldWords } from "../../core/text/fold.ts";

export type Cell = string | number | null;

/**
 * Column type of a kind. Dates and datetimes are text that sorts as time; a boolean is 0 or 1 on both engines, so that
 * cells, sort values and cursors are the same.
 */
export const COLUMN_TYPES: Record<Kind, { sqlite: "TEXT" | "INTEGER" | "REAL"; postgres: PostgresType }> = {
  string: { sqlite: "TEXT", postgres: "text" },
  integer: { sqlite: "INTEGER", postgres: "bigint" },
  number: { sqlite: "REAL", postgres: "double precision" },
  boolean: { sqlite: "INTEGER", postgres: "smallint" },
  date: { sqlite: "TEXT", postgres: "text" },
  datetime: { sqlite: "TEXT", postgres: "text" },
};
export type PostgresType = "text" | "bigint" | "double precision" | "smallint";

const MAX_NAME = 63; // bytes; PostgreSQL cuts longer names in silence

/** Names come from the dictionary, which allows letters, digits and _ only; what is too long ends in its hash. */
export function quoted(name: string): string {
  if (name.length <= MAX_NAME) return `"${name}"`;
  return `"${name.slice(0, 46)}$${createHash("sha256").update(name).digest("hex").slice(0, 16)}"`;
}

/** Collections' own tables have a prefix that no table of the store itself has. */
export function tableOf(collection: { name: string }): string {
  return quoted(`c_${collection.name}`);
}
export function searchTableOf(collection: { name: string }): string {
  return quoted(`s_${collection.name}`);
}

/** Text sorts by its folded form, which stands in a column beside it; $ cannot occur in a field's name. */
export function sortColumn(field: Field): string {
  return field.kind === "string" ? quoted(`${field.name}$fold`) : quoted(field.name);
}

export function stringFields(collection: Collection): Field[] {
  return collection.fields.filter((field) => field.kind === "string");
}

export const MAX_SORT_KEY = 128; // UTF-16 units; what agrees so far is ordered by id. Keeps index rows small in every engine

/** What a string sorts by. No value sorts as the empty text, so this column is never NULL. */
export function sortKey(value: Value | null): string {
  const folded = value === null ? "" : fold(String(value));
  // A cut through a surrogate pair would be stored as another character and never compare equal again.
  return folded.length <= MAX_SORT_KEY ? folded : folded.slice(0, MAX_SORT_KEY).replace(/\p{Cs}$/u, "");
}

/** The value that a record has under a sort term, as it stands in the sort column. */
export function sortValue(collection: Collection, record: WireRecord, name: string): Value | null {
  const field = collection.byName.get(name);
  const value = (record[name] ?? null) as Value | null;
  if (!field) return Date.parse(String(value));
  if (field.kind === "string") return sortKey(value);
  return toCell(value);
}

const MAX_WORD = 500; // UTF-16 units; PostgreSQL takes 2,046 bytes

/** What of a folded word is stored and asked for. */
export function searchWord(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).replace(/\p{Cs}$/u, "");
}

/** Words of all string fields, each once, with spaces between. */
export function searchWords(strings: readonly Field[], record: WireRecord): string {
  const words = new Set<string>();
  for (const field of strings) {
    const value = record[field.name];
    if (typeof value === "string") for (const word of foldWords(value)) words.add(searchWord(word));
  }
  return [...words].join(" ");
}

export function toCell(value: Value | null): Cell {
  return typeof value === "boolean" ? Number(value) : value;
}

/** Reads a raw row of `SELECT <columnsOf>`: booleans and times as they stand on the wire, in the dictionary's order. */
export function toRecord(collection: Collection, row: readonly Cell[]): WireRecord {
  const record: Record<string, Value | null> = {};
  const { fields } = collection;
  for (let i = 0; i < fields.length; i++) {
    const { name, kind } = fields[i] as Field;
    const cell = row[i] ?? null;
    record[name] = kind === "boolean" && cell !== null ? cell === 1 : cell;
  }
  record.createdAt = toTime(row[fields.length] as number);
  record.updatedAt = toTime(row[fields.length + 1] as number);
  record.version = row[fields.length + 2] as number;
  return record as WireRecord;
}

let lastTime = 0; // ms
let lastText = new Date(0).toISOString();

/** RFC 3339. Records of one batch have one time, and writing it out was a third of reading a record. */
function toTime(ms: number): string {
  if (ms !== lastTime) [lastTime, lastText] = [ms, new Date(ms).toISOString()];
  return lastText;
}

export function columnsOf(collection: Collection): string {
  return [...collection.fields.map((field) => field.name), "createdAt", "updatedAt", "version"].map(quoted).join(", ");
}

/** The columns of a record's own fields, each string's sort key behind it; `cells` are in this order. */
export function storedColumns(collection: Collection): { column: string; type: PostgresType }[] {
  return collection.fields.flatMap((field) => {
    const own = { column: quoted(field.name), type: COLUMN_TYPES[field.kind].postgres };
    return field.kind === "string" ? [own, { column: sortColumn(field), type: "text" as const }] : [own];
  });
}

export function cells(collection: Collection, record: WireRecord): Cell[] {
  const row: Cell[] = [];
  for (const field of collection.fields) {
    const value = record[field.name] as Value | null;
    row.push(toCell(value));
    if (field.kind === "string") row.push(sortKey(value));
  }
  return row;
}
