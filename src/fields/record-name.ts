// What a record and a collection are called in headings, links and sentences.

import { labelOf } from "../../core/dictionary/categories.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { inSentence } from "../../core/i18n/translate.ts";
import { fieldValue, type RecordValues } from "./field-value.ts";
import { count } from "./format.ts";

/** "Märta Ångström"; "Customer ID 7" when its label fields are empty. */
export function nameOf(collection: Collection, record: RecordValues): string {
  const words = collection.label.flatMap((field) => {
    const value = fieldValue(record, field);
    return value === null ? [] : labelOf(field, value);
  });
  return words.length > 0 ? words.join(" ") : `${collection.key.title} ${record[collection.key.name]}`;
}

/** "1 customer", "2 customers". */
export function countOf(collection: Collection, n: number): string {
  return count(n, "{n} {noun}", "{n} {nouns}", nounsOf(collection));
}

/** The values for {noun} and {nouns} in texts. */
export function nounsOf({ noun, title }: Collection): { noun: string; nouns: string } {
  return { noun, nouns: inSentence(title) };
}
