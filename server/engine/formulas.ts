// Tells whether two processes, or a store and its dictionary, compute values alike.

import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { formulasOf } from "../../core/dictionary/computed.ts";
import { withFieldNames } from "../../core/dictionary/package-rules.ts";

const texts = new WeakMap<Collection, string>();

/** Returns one text for the same formulas, whatever their fields are called; an empty one where nothing is computed. */
export function formulasText(collection: Collection): string {
  const known = texts.get(collection);
  if (known !== undefined) return known;
  const columns = new Map(collection.fields.flatMap((field) => [field.name, ...(field.formerNames ?? [])].map((name) => [name, field])));
  for (const field of collection.fields) columns.set(field.name, field);
  const nameOf = (name: string) => columnName(columns.get(name) ?? { name });
  const all = formulasOf(collection).map(({ field }) => [
    columnName(field),
    withFieldNames(field.computed ?? "", nameOf),
    ...[field.kind, field.decimals ?? null],
  ]);
  const text = all.length === 0 ? "" : JSON.stringify(all.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  texts.set(collection, text);
  return text;
}
