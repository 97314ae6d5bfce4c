// The words by which a search finds a record: those of its texts, the labels of its values, and digits of phone numbers.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { foldWords, wordsIn } from "../../core/text/fold.ts";
import { foldKnown, isFolded } from "./columns.ts";

/** A record with its fields by name, in any form. */
type AnyRecord = Readonly<Record<string, unknown>>;

/** The fields whose words a search looks through. Those that are no text have labels. */
export function searchedFields(collection: Collection): Field[] {
  return collection.fields.filter((field) => isFolded(field) || field.allLabels);
}

const MAX_WORD = 500; // UTF-16 units; PostgreSQL takes 2,046 bytes

/** A folded word as it is stored and searched: cut where it is too long. */
export function searchWord(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).replace(/\p{Cs}$/u, "");
}

const MOST_BYTES = 1_000_000; // of a record's words in UTF-8: PostgreSQL takes 1,048,575 (tsvector)

/** The folded words of these fields, each once, separated by spaces: as many as PostgreSQL takes. */
export function searchWords(fields: readonly Field[], record: AnyRecord): string {
  const words = new Set<string>();
  for (const field of fields) {
    const value = record[field.name];
    if (typeof value === "string") for (const word of wordsIn(foldKnown(value))) words.add(searchWord(word));
    if (typeof value === "string" && field.format === "phone") for (const digits of dialled(value)) words.add(digits);
    if (field.allLabels && (typeof value === "string" || typeof value === "number"))
      for (const word of labelWords(field).get(String(value)) ?? []) words.add(word);
  }
  const all = [...words].join(" ");
  return Buffer.byteLength(all) <= MOST_BYTES ? all : cutWords(words);
}

function cutWords(words: ReadonlySet<string>): string {
  const taken: string[] = [];
  let bytes = 0;
  for (const word of words) {
    bytes += Buffer.byteLength(word) + 1;
    if (bytes > MOST_BYTES) break;
    taken.push(word);
  }
  return taken.join(" ");
}

/**
 * The digits of a phone number from each of its groups to the end, so that it is found as it is dialled, however it was written:
 * 442071234567, 2071234567, 71234567 and 4567 for +44 (0)20 7123 4567, also with the 0 that is dialled within the country alone.
 */
function dialled(phone: string): string[] {
  return [phone, phone.replace("(0)", "")].flatMap((written) => {
    const groups = written.match(/[0-9]+/g) ?? [];
    return groups.map((_, i) => groups.slice(i).join(""));
  });
}

/** The labels of a value, as they are written. */
export function labelsOf({ allLabels }: Field, value: unknown): readonly string[] {
  return allLabels?.get(String(value)) ?? [];
}

/** The values of a closed list, as text, with a label of which a word begins with this one. */
export function valuesWithLabel(field: Field, word: string): string[] {
  return [...labelWords(field)].flatMap(([value, words]) => (words.some((own) => own.startsWith(word)) ? [value] : []));
}

const known = new WeakMap<Field, ReadonlyMap<string, readonly string[]>>();

function labelWords(field: Field): ReadonlyMap<string, readonly string[]> {
  let words = known.get(field);
  if (!words) {
    words = new Map([...(field.allLabels ?? [])].map(([value, labels]) => [value, labels.flatMap(foldWords).map(searchWord)]));
    known.set(field, words);
  }
  return words;
}
