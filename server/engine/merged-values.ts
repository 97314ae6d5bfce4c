// Knows the unique values that merges took away: whoever names a record by one of them finds what it has become.

import { createHash } from "node:crypto";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { comparing, type Unique, uniquesOf, uniqueValue, valuesOfUnique } from "../../core/dictionary/unique-keys.ts";
import { padded, placesFor } from "../history/store/reads.ts";
import { columnOf, tableOf } from "./columns.ts";
import type { RelationSql } from "./find-relations.ts";
import { findSurvivors } from "./merges.ts";
import { ask, type Script } from "./script/script.ts";

/** A record that had a value until it became part of `survivor`, or `survivor` itself, which lost the value by the merge. */
export interface MergedHolder {
  id: number;
  survivor: number;
}

const ASKED_AT_ONCE = 500; // values

/** Keeps the values that the records had before the merge and that the survivor has not after it. */
export function* keepMergedValues(collection: Collection, merge: string, before: readonly WireRecord[], after: WireRecord): Script<void> {
  for (const unique of uniquesOf(collection))
    for (const record of before) {
      const value = uniqueValue(unique, record);
      if (value === null || value === uniqueValue(unique, after)) continue;
      const row = [collection.name, Number(record[collection.key.name]), merge, columnsIn(unique), hashOf(unique, value)];
      yield* ask("INSERT INTO merged_values (collection, id, merge, field, hash) VALUES ($1, $2, $3, $4, $5)", ...row);
    }
}

/**
 * Finds what the holders of these values have become part of today. `name`: that of what is unique, as `uniquesOf` has it. Where several merges
 * took the same value away, the latest counts. What was deleted since is left out. Until the transaction ends nobody takes such a merge apart.
 */
export function* findMergedHolders(
  collection: Collection,
  name: string,
  values: readonly Value[],
  { hold }: Pick<RelationSql, "hold">,
): Script<Map<Value, MergedHolder>> {
  const found = new Map<Value, MergedHolder>();
  const unique = uniquesOf(collection).find((one) => one.name === name);
  if (!unique || values.length === 0) return found;
  const held = "merged_values v JOIN merges m ON m.merge = v.merge AND m.collection = v.collection AND m.apart_at IS NULL";
  const own = "v.collection = $1 AND v.field = $2";
  const field = columnsIn(unique);
  if ((yield* ask(`SELECT 1 FROM merged_values v WHERE ${own} LIMIT 1`, collection.name, field)).rows.length === 0) return found;
  const byHash = new Map(comparing(unique, values).values.map((value) => [hashOf(unique, value), value]));
  const holders = new Map<Value, MergedHolder>();
  for (let at = 0; at < byHash.size; at += ASKED_AT_ONCE) {
    const hashes = [...byHash.keys()].slice(at, at + ASKED_AT_ONCE);
    const sql = `SELECT v.hash, v.id, m.survivor FROM ${held} WHERE ${own} AND v.hash IN (${placesFor(hashes, 3)}) ORDER BY m.at, m.merge${hold}`;
    const { rows } = yield* ask(sql, collection.name, field, ...padded(hashes));
    for (const [hash, id, survivor] of rows) holders.set(byHash.get(String(hash)) as Value, { id: Number(id), survivor: Number(survivor) });
  }
  if (holders.size === 0) return found;
  const survivors = [...new Set([...holders.values()].map(({ survivor }) => survivor))];
  const partOf = yield* findSurvivors(collection.name, survivors);
  const today = [...new Set(survivors.map((id) => partOf.get(id) ?? id))];
  const key = columnOf(collection.key);
  const there = new Set<number>();
  for (let at = 0; at < today.length; at += ASKED_AT_ONCE) {
    const ids = today.slice(at, at + ASKED_AT_ONCE);
    const { rows } = yield* ask(`SELECT ${key} FROM ${tableOf(collection)} WHERE ${key} IN (${placesFor(ids, 1)})`, ...padded(ids));
    for (const [id] of rows) there.add(Number(id));
  }
  for (const [value, { id, survivor }] of comparing(unique, values).underAsked(holders)) {
    const now = partOf.get(survivor) ?? survivor;
    if (there.has(now)) found.set(value, { id, survivor: now });
  }
  return found;
}

/** Neither a rename nor another order of fields that are unique together changes it. */
function columnsIn({ fields }: Unique): string {
  return fields.map(columnName).sort().join();
}

/** The hash has one length whatever the value is, and the table no values. */
function hashOf(unique: Unique, value: Value): string {
  const values = new Map(valuesOfUnique(unique, value).map((one, i) => [columnName(unique.fields[i] as Field), one]));
  return createHash("sha256")
    .update(JSON.stringify([...values.keys()].sort().map((column) => values.get(column))))
    .digest("base64");
}
