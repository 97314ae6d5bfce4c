// Says in which field of a record a search stands.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { foldWords } from "../../../core/text/fold.ts";
import { fieldValue, type RecordValues } from "../../values/field-value.ts";

/** Returns the field of the form that has most of the words, as their beginnings, or else within its own words. `q`: as the service got it. */
export function foundIn(collection: Collection, record: RecordValues, q: string): Field | undefined {
  const words = foldWords(q);
  for (const has of [begins, contains]) {
    const counted = collection.form.map((field) => {
      const own = wordsOf(collection, field, record);
      return words.filter((word) => own.some((one) => has(one, word))).length;
    });
    const most = Math.max(0, ...counted);
    if (most > 0) return collection.form[counted.indexOf(most)];
  }
  return undefined;
}

const NOUGHTS = /^0+(?=.)/;
const begins = (own: string, word: string) => own.startsWith(word) || own.replace(NOUGHTS, "").startsWith(word);
const contains = (own: string, word: string) => own.includes(word.replace(NOUGHTS, ""));

/** Returns the words as the service searches them: texts, dates, labels and the key, and a phone number also as it is dialled. */
function wordsOf({ key }: Collection, field: Field, record: RecordValues): string[] {
  const { isText, schema } = KIND_TRAITS[field.kind];
  const value = fieldValue(record, field);
  if (value === null || field.masked || !(isText || field.allLabels || schema.format === "date" || field.name === key.name)) return [];
  const texts = [String(value), ...(field.allLabels?.get(String(value)) ?? [])];
  const digits = field.format === "phone" ? [String(value).replace("(0)", "").replace(/\D/g, "")] : [];
  return [...texts.flatMap(foldWords), ...digits];
}
