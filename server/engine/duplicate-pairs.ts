// Keeps pairs of records that may be the same, and those of which somebody has said that they are not.

import type { Principal } from "../../core/contract/principals.ts";
import { forgetKeys } from "./match-keys.ts";
import { interruptScan, SCAN_READS, SCAN_WRITES } from "./match-scan.ts";
import { findByKeys, readRecords } from "./matched-records.ts";
import { ask, type Script } from "./script/script.ts";

/** `place`: rises as the points fall, which are as they were counted with all that is compared. */
export interface StoredPair {
  a: number;
  b: number;
  place: number;
}

/** Somebody has said that two records, of which `a` has the smaller key, are not the same. `at`: ms since 1970. */
export interface DifferentRecords {
  collection: string;
  a: number;
  b: number;
  at: number;
  by: Principal;
}

const NOT_DIFFERENT = `NOT EXISTS (SELECT 1 FROM different_records d WHERE d.collection = p.collection AND d.a = p.a AND d.b = p.b)`;

/** Lists those with the most points first; `isByKey`: in the order of their keys, which tells nothing of the points. */
function* listPairs(collection: string, after: StoredPair | undefined, limit: number, isByKey: boolean): Script<StoredPair[]> {
  const order = isByKey ? "p.a, p.b" : "p.place, p.a, p.b";
  const begins = after && (isByKey ? [after.a, after.b] : [after.place, after.a, after.b]);
  const further = begins ? ` AND (${order}) > (${begins.map((_, i) => `$${i + 2}`).join(", ")})` : "";
  const sql = `SELECT p.a, p.b, p.place FROM duplicate_pairs p WHERE p.collection = $1${further} AND ${NOT_DIFFERENT} ORDER BY ${order} LIMIT ${limit}`;
  const { rows } = yield* ask(sql, collection, ...(begins ?? []));
  return rows.map(([a, b, place]) => ({ a: Number(a), b: Number(b), place: Number(place) }));
}

function* keepDifferent({ collection, a, b, at, by }: DifferentRecords): Script<void> {
  const sql = `INSERT INTO different_records (collection, a, b, at, by_type, by_id) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (collection, a, b) DO UPDATE SET at = excluded.at, by_type = excluded.by_type, by_id = excluded.by_id`;
  yield* ask(sql, collection, a, b, at, by.type, by.id);
}

function* endDifferent({ collection, a, b }: Pick<DifferentRecords, "collection" | "a" | "b">): Script<void> {
  yield* ask("DELETE FROM different_records WHERE collection = $1 AND a = $2 AND b = $3", collection, a, b);
}

/** Serves the transaction that erases a record: nothing is left of what was found about it. */
export function* erasePairs(collection: string, id: number): Script<void> {
  yield* interruptScan(collection);
  yield* forgetKeys(collection, [id]);
  for (const table of ["duplicate_pairs", "different_records"])
    for (const column of ["a", "b"]) yield* ask(`DELETE FROM ${table} WHERE collection = $1 AND ${column} = $2`, collection, id);
}

export const DUPLICATE_SCRIPTS = {
  reads: { ...SCAN_READS, listPairs, findByKeys, readCompared: readRecords },
  writes: { ...SCAN_WRITES, keepDifferent, endDifferent },
};
