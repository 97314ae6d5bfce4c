// Writes the sort keys of stored texts anew, once, after the rule for them has changed.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { foldedFields, quoted, sortColumn, sortKey, tableOf } from "./columns.ts";
import { ask, type Script } from "./people/script.ts";

const AT_ONCE = 2_000; // rows

/** Of each rule there is one mark in the settings. This one: signs before the first letter or digit do not count. */
const MARK = "sort keys without signs before";

/** Inside the transaction of a start. Reads each record once; a store that has been through it is not read at all. */
export function* renewSortKeys(collections: readonly Collection[]): Script<void> {
  const { rows } = yield* ask("SELECT count(*) FROM settings WHERE name = $1", MARK);
  if (Number(rows[0]?.[0]) > 0) return;
  for (const collection of collections) {
    for (const field of foldedFields(collection)) yield* renewField(collection, field);
  }
  yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", MARK, new Uint8Array([1]));
}

function* renewField(collection: Collection, field: Field): Script<void> {
  const [table, key, value, sort] = [tableOf(collection), quoted(collection.key.name), quoted(field.name), sortColumn(field)];
  const isPlain = `(${sort} >= 'a' AND ${sort} < '{') OR (${sort} >= '0' AND ${sort} < ':')`; // begins with a letter or digit of ASCII
  const next = `SELECT ${key}, ${value}, ${sort} FROM ${table} WHERE ${key} > $1 AND ${value} IS NOT NULL AND NOT (${isPlain})
    ORDER BY ${key} LIMIT ${AT_ONCE}`;
  for (let after = 0; ; ) {
    const { rows } = yield* ask(next, after);
    for (const [id, text, old] of rows) {
      const renewed = sortKey(String(text));
      if (renewed !== old) yield* ask(`UPDATE ${table} SET ${sort} = $1 WHERE ${key} = $2`, renewed, Number(id));
      after = Number(id);
    }
    if (rows.length < AT_ONCE) return;
  }
}
