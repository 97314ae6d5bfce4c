// Finds records by values that no two of them have alike, also those of which a merge took the value away.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { comparing, type Unique, uniquesOf, valuesOfUnique } from "../../core/dictionary/unique-keys.ts";
import { columnOf, tableOf, toCell, uniqueColumns } from "./columns.ts";
import { findMergedHolders } from "./merged-values.ts";
import { findSurvivors } from "./merges.ts";
import { ask, type Script } from "./script/script.ts";

/** The key of a record, and that of the one which had the value and has become part of it, where a merge has led to it. */
export interface Holder {
  id: number;
  mergedFrom?: number;
}

const ASKED_AT_ONCE = 50; // values

/** Writes what the engine's unique index compares: `value` is a column or a place of the statement. */
export type UniqueSql = (field: Field, value: string) => string;

/** Returns value → record. `name`: that of the key, or of what is unique, whose values are as `uniqueValue` has them. */
export function* findHolders(
  collection: Collection,
  name: string,
  values: readonly Value[],
  indexed: UniqueSql,
): Script<Map<Value, Holder>> {
  const { key } = collection;
  const unique = name === key.name ? { name, fields: [key] } : uniquesOf(collection).find((one) => one.name === name);
  if (!unique) return new Map();
  const { values: compared, underAsked } = comparing(unique, values);
  const found = underAsked(yield* findStored(collection, unique, compared, indexed));
  const missing = values.filter((value) => !found.has(value));
  if (name === key.name) {
    const survivors = yield* findSurvivors(collection.name, missing.map(Number));
    const there = yield* findStored(collection, unique, [...new Set(survivors.values())], indexed);
    for (const [id, survivor] of survivors) if (there.has(survivor)) found.set(id, { id: survivor, mergedFrom: id });
    return found;
  }
  const merged = yield* findMergedHolders(collection, name, missing, { hold: "" });
  for (const [value, { id, survivor }] of merged) found.set(value, { id: survivor, mergedFrom: id });
  return found;
}

/** Asks for each value by itself within one statement, so that the engine compares it as it does when it is stored. */
function* findStored(collection: Collection, unique: Unique, values: readonly Value[], indexed: UniqueSql): Script<Map<Value, Holder>> {
  const { fields } = unique;
  const [table, key, columns] = [tableOf(collection), columnOf(collection.key), uniqueColumns(unique)];
  const found = new Map<Value, Holder>();
  for (let at = 0; at < values.length; at += ASKED_AT_ONCE) {
    const some = values.slice(at, at + ASKED_AT_ONCE);
    const selects = some.map((_, place) => {
      const isSame = fields.map((field, i) => {
        const sent = `$${place * fields.length + i + 1}`;
        return `${indexed(field, columns[i] ?? key)} = ${indexed(field, sent)}`;
      });
      return `SELECT ${place} AS place, ${key} AS id FROM ${table} WHERE ${isSame.join(" AND ")}`;
    });
    const cells = some.flatMap((value) => valuesOfUnique(unique, value).map((one, i) => toCell((fields[i] ?? collection.key).kind, one)));
    const { rows } = yield* ask(selects.join(" UNION ALL "), ...cells);
    for (const [place, id] of rows) found.set(some[Number(place)] as Value, { id: Number(id) });
  }
  return found;
}
