// Keeps the keys by which records are found that may be the same: once by record, and once by key.

import { NUMBER_OF_KEYS } from "../../core/dictionary/match-keys.ts";
import { padded, placesFor } from "../history/store/reads.ts";
import { deleteOf } from "./matched-records.ts";
import { ask, type Cell, insertRows, type Script } from "./script/script.ts";

/** A key and one of the records that have it. */
export type KeyOfRecord = readonly [key: number, id: number];

const DOUBLE = 8; // bytes of a key, which is a whole number below 2 ** 52

/** Notes which keys records have, in place of what was noted before. Nobody finds them by these until `addKeys`. */
export function* keepKeysOf(collection: string, keys: ReadonlyMap<number, readonly number[]>): Script<void> {
  const cells = [...keys].flatMap(([id, own]) => (own.length > 0 ? [[id, packed(own)]] : []));
  yield* deleteOf("match_records", collection, "id", [...keys.keys()]);
  yield* insertRows("match_records (collection, id, keys)", { of: collection, types: ["bigint", "bytea"], cells, onConflict: "" });
}

/**
 * Has the records found by these keys from now on. It is cheap when they come in their order, and cheaper with an empty `onConflict`, for keys
 * of which none is there.
 */
export function* addKeys(collection: string, keys: readonly KeyOfRecord[], onConflict = "ON CONFLICT DO NOTHING"): Script<void> {
  const rows = { of: collection, types: ["bigint", "bigint"], cells: keys, onConflict } as const;
  yield* insertRows("match_keys (collection, key, id)", rows);
}

const FORGOTTEN_AT_ONCE = 50; // terms of a condition

/** Nobody finds the records by their keys any more. */
export function* forgetKeys(collection: string, ids: readonly number[]): Script<void> {
  const sql = `SELECT id, keys FROM match_records WHERE collection = $1 AND id IN (${placesFor(ids, 2)})`;
  const rows = (yield* ask(sql, collection, ...padded(ids))).rows.flatMap((row) => keysIn(row));
  for (let at = 0; at < rows.length; at += FORGOTTEN_AT_ONCE) {
    const some = rows.slice(at, at + FORGOTTEN_AT_ONCE);
    // Each term names the collection: outside of them, SQLite would read all keys of the collection in place of these.
    const is = some.map((_, i) => `(collection = $1 AND key = $${2 * i + 2} AND id = $${2 * i + 3})`).join(" OR ");
    yield* ask(`DELETE FROM match_keys WHERE ${is}`, collection, ...some.flat());
  }
  yield* deleteOf("match_records", collection, "id", ids);
}

const READ_AT_ONCE = 5_000; // records

/** Reads the keys within a range of some of the records, in the order of the records. `last`: the last of them, undefined after all. */
export function* keysAfter(
  collection: string,
  after: number,
  { from, to }: { from: number; to: number },
): Script<{ keys: KeyOfRecord[]; last: number | undefined }> {
  const sql = `SELECT id, keys FROM match_records WHERE collection = $1 AND id > $2 ORDER BY id LIMIT ${READ_AT_ONCE}`;
  const { rows } = yield* ask(sql, collection, after);
  const keys = rows.flatMap((row) => keysIn(row, from, to));
  return { keys, last: rows.length < READ_AT_ONCE ? undefined : Number(rows.at(-1)?.[0]) };
}

function packed(keys: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(keys.length * DOUBLE);
  for (const [i, key] of keys.entries()) bytes.writeDoubleLE(key, i * DOUBLE);
  return bytes;
}

/** Returns the keys of a record that are within a range. */
function keysIn([id, cell]: readonly Cell[], from = 0, to = NUMBER_OF_KEYS): KeyOfRecord[] {
  const bytes = Buffer.from(cell as Uint8Array);
  const keys: KeyOfRecord[] = [];
  for (let at = 0; at < bytes.length; at += DOUBLE) {
    const key = bytes.readDoubleLE(at);
    if (from <= key && key < to) keys.push([key, Number(id)]);
  }
  return keys;
}
