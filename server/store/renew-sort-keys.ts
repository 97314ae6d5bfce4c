// Writes the sort keys of stored texts anew, once, after the rule for them has changed.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { foldedFields, quoted, sortColumn, sortKey, tableOf } from "./columns.ts";
import { ask, type Script } from "./people/script.ts";
import { beginRecheck, NO_RECHECK, type Recheck, recheckAt } from "./renew-words.ts";

const AT_ONCE = 2_000; // rows

/** Of each rule there is one mark in the settings. This one: signs before the first letter or digit do not count. */
const MARK = "sort keys without signs before";

/**
 * Inside the transaction of a start. Reads each record once; after that only what is looked at again, as of the words. `isNew`: the store
 * was made by this start, so no earlier version has written into it.
 */
export function* renewSortKeys(collections: readonly Collection[], isNew: boolean): Script<void> {
  const value = (yield* ask("SELECT value FROM settings WHERE name = $1", MARK)).rows[0]?.[0] as Uint8Array | undefined;
  const again = value && recheckAt(readNote(value));
  if (value && !again) return;
  for (const collection of collections) {
    for (const field of foldedFields(collection)) yield* renewField(collection, field, again?.from ?? Number.MIN_SAFE_INTEGER);
  }
  const note = new TextEncoder().encode(JSON.stringify(isNew ? NO_RECHECK : (again?.next ?? beginRecheck())));
  yield* ask("DELETE FROM settings WHERE name = $1", MARK);
  yield* ask("INSERT INTO settings (name, value) VALUES ($1, $2)", MARK, note);
}

/** An earlier version noted one byte, and did not look again. */
function readNote(value: Uint8Array): Recheck | undefined {
  return value.length > 1 ? (JSON.parse(new TextDecoder().decode(value)) as Recheck) : undefined;
}

/** Of records that were changed at `from` or later; ms since 1970. */
function* renewField(collection: Collection, field: Field, from: number): Script<void> {
  const [table, key, value, sort] = [tableOf(collection), quoted(collection.key.name), quoted(field.name), sortColumn(field)];
  const isPlain = `(${sort} >= 'a' AND ${sort} < '{') OR (${sort} >= '0' AND ${sort} < ':')`; // begins with a letter or digit of ASCII
  const next = `SELECT "updatedAt", ${key}, ${value}, ${sort} FROM ${table} WHERE ("updatedAt", ${key}) > ($1, $2)
    AND ${value} IS NOT NULL AND NOT (${isPlain}) ORDER BY "updatedAt", ${key} LIMIT ${AT_ONCE}`;
  for (let [at, after] = [from, Number.MIN_SAFE_INTEGER]; ; ) {
    const { rows } = yield* ask(next, at, after);
    for (const [changedAt, id, text, old] of rows) {
      const renewed = sortKey(String(text));
      if (renewed !== old) yield* ask(`UPDATE ${table} SET ${sort} = $1 WHERE ${key} = $2`, renewed, Number(id));
      [at, after] = [Number(changedAt), Number(id)];
    }
    if (rows.length < AT_ONCE) return;
  }
}
