// Reads of records what is compared, and finds others by their keys.

import type { Collection } from "../../core/dictionary/collections.ts";
import { type ComparedRecord, toCompared } from "../../core/dictionary/compare-records.ts";
import type { Kind } from "../../core/dictionary/kinds.ts";
import { comparedFields, type Match } from "../../core/dictionary/match.ts";
import { MOST_SHARING } from "../../core/dictionary/match-keys.ts";
import { padded, placesFor } from "../history/store/reads.ts";
import { columnOf, type Cell as Stored, tableOf, toValue } from "./columns.ts";
import { ask, type Cell, type Script } from "./script/script.ts";

/** The part of a collection that is compared, as plain data that crosses between threads. Columns are as SQL names them. */
export interface MatchedTable {
  name: string;
  table: string;
  key: string;
  fields: readonly { name: string; column: string; kind: Kind }[];
  match: Match;
}

/** Returns undefined for a collection whose records are not compared. */
export function matchedTable({ name, key, byName, match }: Collection): MatchedTable | undefined {
  if (!match) return undefined;
  const fields = comparedFields(match).flatMap((own) => byName.get(own) ?? []);
  return {
    ...{ name, match, table: tableOf({ name }), key: columnOf(key) },
    fields: fields.map((field) => ({ name: field.name, kind: field.kind, column: columnOf(field) })),
  };
}

/** The key of each record with what is compared of it. */
export type ComparedRecords = Map<number, ComparedRecord>;

const READ_AT_ONCE = 1_000;

/** Reads those of these records that are there. */
export function* readRecords(matched: MatchedTable, ids: readonly number[]): Script<ComparedRecords> {
  const found: ComparedRecords = new Map();
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const some = ids.slice(at, at + READ_AT_ONCE);
    const { rows } = yield* ask(`${selectOf(matched)} WHERE ${matched.key} IN (${placesFor(some, 1)})`, ...padded(some));
    for (const row of rows) found.set(Number(row[0]), comparedOf(matched, row));
  }
  return found;
}

/** Reads the records after a key, in the order of their keys. */
export function* readRecordsAfter(matched: MatchedTable, after: number, limit: number): Script<ComparedRecords> {
  const { rows } = yield* ask(`${selectOf(matched)} WHERE ${matched.key} > $1 ORDER BY ${matched.key} LIMIT ${limit}`, after);
  return new Map(rows.map((row) => [Number(row[0]), comparedOf(matched, row)]));
}

function selectOf({ table, key, fields }: MatchedTable): string {
  return `SELECT ${[key, ...fields.map(({ column }) => column)].join(", ")} FROM ${table}`;
}

function comparedOf({ fields, match }: MatchedTable, row: readonly Cell[]): ComparedRecord {
  const record: Record<string, unknown> = {};
  for (const [i, { name, kind }] of fields.entries()) record[name] = toValue(kind, (row[i + 1] ?? null) as Stored);
  return toCompared(match, record);
}

const KEYS_AT_ONCE = 500; // a compound select has at most 500 terms with SQLite

/** Maps a key to the records that have it. A key that too many have finds none. */
export function* findByKeys(collection: string, keys: readonly number[]): Script<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const some = keys.slice(at, at + KEYS_AT_ONCE);
    const asked = padded(some).map((_, i) => `(CAST($${i + 2} AS BIGINT))`);
    const isShared = `SELECT 1 FROM match_keys o WHERE o.collection = $1 AND o.key = column1 ORDER BY o.id LIMIT 1 OFFSET ${MOST_SHARING}`;
    const rare = `SELECT column1 FROM (VALUES ${asked.join(", ")}) v WHERE NOT EXISTS (${isShared})`;
    const own = [...new Set((yield* ask(rare, collection, ...padded(some))).rows.map(([key]) => Number(key)))];
    if (own.length === 0) continue;
    // It is not in one statement with that: an engine that knows nothing of the table yet would read all of it.
    const sql = `SELECT key, id FROM match_keys WHERE collection = $1 AND key IN (${placesFor(own, 2)}) ORDER BY key, id`;
    for (const [key, id] of (yield* ask(sql, collection, ...padded(own))).rows) addTo(found, Number(key), Number(id));
  }
  return found;
}

export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Deletes the rows of a collection in which a column is one of these numbers. */
export function* deleteOf(table: string, collection: string, column: string, ids: readonly number[]): Script<void> {
  if (ids.length === 0) return;
  yield* ask(`DELETE FROM ${table} WHERE collection = $1 AND ${column} IN (${placesFor(ids, 2)})`, collection, ...padded(ids));
}
