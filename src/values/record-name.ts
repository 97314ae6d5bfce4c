// Says what a record and a collection are called in headings, links and sentences.

import { labelOf } from "../../core/dictionary/categories.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Reference } from "../../core/dictionary/fields.ts";
import { inSentence } from "../../core/i18n/translate.ts";
import { fieldValue, type RecordValues } from "./field-value.ts";
import { count } from "./format.ts";

/**
 * Returns "Märta Ångström"; "Customer ID 7" when its label fields are empty. A reference is the name of its parent, if the record has it as an
 * answer to `expand` does, and otherwise left out: its number says nothing to people.
 */
export function nameOf(collection: Collection, record: RecordValues): string {
  const words = collection.label.flatMap((field) => {
    const value = fieldValue(record, field);
    if (value === null) return [];
    return field.reference ? parentIn(record, field.reference) : labelOf(field, value);
  });
  return words.length > 0 ? words.join(" ") : `${collection.key.title} ${record[collection.key.name]}`;
}

function parentIn(record: RecordValues, { as, key }: Reference): string[] {
  const parent: unknown = record[as] ?? {};
  return Object.entries(parent as object).flatMap(([name, value]) => (name === key || value === null ? [] : String(value)));
}

/** Writes "1 customer", "2 customers". */
export function countOf(collection: Collection, n: number): string {
  return count(n, "{n} {noun}", "{n} {nouns}", nounsOf(collection));
}

/** Returns the values for {noun} and {nouns} in texts. */
export function nounsOf({ noun, title }: Collection): { noun: string; nouns: string } {
  return { noun, nouns: inSentence(title) };
}
