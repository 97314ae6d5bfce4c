// Counts the different values that the records of a collection have in one field.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { type Cell, columnOf, tableOf, toValue } from "./columns.ts";
import { ask, type Script } from "./script/script.ts";

const MOST_VALUES = 100_000;

export interface CountedValues {
  /** The most frequent first. `id`: the key of one record that has it. `value`: null for none. */
  values: { value: Value | null; count: number; id: number }[];
  /** There are no others. */
  isAll: boolean;
}

export function* countValues(collection: Collection, field: Field): Script<CountedValues> {
  const [column, key] = [columnOf(field), columnOf(collection.key)];
  const sql = `SELECT ${column}, count(*), min(${key}) FROM ${tableOf(collection)} GROUP BY ${column} ORDER BY 2 DESC, 3 LIMIT ${MOST_VALUES}`;
  const { rows } = yield* ask(sql);
  const values = rows.map(([cell = null, count, id]) => ({
    value: toValue(field.kind, cell as Cell),
    count: Number(count),
    id: Number(id),
  }));
  return { values, isAll: rows.length < MOST_VALUES };
}
