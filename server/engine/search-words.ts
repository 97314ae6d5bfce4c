// The words by which a search finds a record: those of its texts and dates, labels, and digits of phone numbers.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { readFileValues } from "../../core/dictionary/files.ts";
import { itemsOf, KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { foldWords, wordsIn } from "../../core/text/fold.ts";
import { foldKnown, isFolded } from "./columns.ts";

/** A record with its fields by name, in any form. */
type AnyRecord = Readonly<Record<string, unknown>>;

/** Returns the fields whose words a search looks through. Those that are no text have labels, or are dates. */
export function searchedFields(collection: Collection): Field[] {
  return collection.fields.filter(
    (field) => !field.masked && !field.isPerson && (isFolded(field.item ?? field) || (field.item ?? field).allLabels || isDate(field)),
  );
}

/** A date is one word of a letter and eight digits, so that a year or a day alone does not find it. */
export function isDate({ kind }: Field): boolean {
  return KIND_TRAITS[kind].schema.format === "date";
}

const ISO_DATE = /(?<![\p{L}\p{N}-])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![\p{L}\p{N}-])/gu;

/**
 * Returns the folded words of a search. Where the collection has dates, 1980-03-14 means one of them, or the same in a text. Where it has phone
 * numbers, a search that is one is a single word, in whatever groups it was typed.
 */
export function wordsOfSearch(collection: Collection, q: string): string[] {
  const number = collection.fields.some((field) => (field.item ?? field).format === "phone") ? numberOfSearch(q) : undefined;
  if (number !== undefined) return [number];
  return foldWords(collection.fields.some(isDate) ? q.replace(ISO_DATE, "d$1$2$3") : q);
}

const MAX_WORD = 500; // UTF-16 units; PostgreSQL takes 2,046 bytes

/** Returns a folded word as it is stored and searched: cut where it is too long. */
export function searchWord(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).replace(/\p{Cs}$/u, "");
}

const MOST_BYTES = 1_000_000; // of a record's words in UTF-8: PostgreSQL takes 1,048,575 (tsvector)

const ZEROS = /^0+[1-9][0-9]*$/;

/** Returns the folded words of these fields, each once, separated by spaces: as many as PostgreSQL takes. */
export function searchWords(fields: readonly Field[], record: AnyRecord): string {
  const words = new Set<string>();
  const hasDates = fields.some(isDate);
  for (const [field, value] of fields.flatMap((one) => valuesIn(one, record))) {
    if (hasDates && typeof value === "string") for (const [date] of value.matchAll(ISO_DATE)) words.add(`d${date.replaceAll("-", "")}`);
    if (isDate(field)) continue;
    if (typeof value === "string") {
      for (const word of wordsIn(foldKnown(value))) {
        words.add(searchWord(word));
        if (word.startsWith("0") && ZEROS.test(word)) words.add(searchWord(word.replace(/^0+/, ""))); // nobody types those of an account
      }
    }
    if (typeof value === "string" && field.format === "phone") for (const digits of dialled(value)) words.add(digits);
    if (field.allLabels && (typeof value === "string" || typeof value === "number"))
      for (const word of labelWords(field).get(String(value)) ?? []) words.add(word);
  }
  const all = [...words].join(" ");
  return Buffer.byteLength(all) <= MOST_BYTES ? all : cutWords(words);
}

/** Lists a value, or each of several, with the field or item that it is of; of files their names. */
export function valuesIn(field: Field, record: AnyRecord): [of: Field, value: unknown][] {
  const { item, file } = field;
  if (file) return readFileValues(record[field.name]).map(({ name }) => [field, name]);
  return item ? itemsOf(record[field.name]).map((value) => [item, value]) : [[field, record[field.name]]];
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

/** The country codes of one and of two digits; the others have three (ITU-T E.164, list of assigned codes). */
const COUNTRY = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[0-9]{3})/;
const LAST_DIGITS = [4, 5, 6]; // by which people remember a number
const ZEROS_BEFORE = /^0+/;

/**
 * Returns the digits of a phone number from each of its groups to the end, so that it is found as it is dialled, however it was written:
 * 442071234567, 2071234567, 71234567 and 4567 for +44 (0)20 7123 4567, also with the 0 that is dialled within the country alone, also
 * where nobody wrote it, and without it; and its last four to six digits.
 */
function dialled(phone: string): string[] {
  const written = [phone, phone.replace("(0)", "")].flatMap((text) => {
    const groups = text.match(/[0-9]+/g) ?? [];
    return groups.map((_, i) => groups.slice(i).join(""));
  });
  const [all = ""] = phone.replace("(0)", "").match(/^\s*(?:\+|00).*/) ?? [];
  const abroad = all.replace(/[^0-9]/g, "").replace(/^00/, "");
  const national = abroad.replace(COUNTRY, "");
  const digits = phone.replace(/[^0-9]/g, "");
  const last = LAST_DIGITS.flatMap((length) => (digits.length > length ? [digits.slice(-length)] : []));
  const bare = (national || (/^0[1-9]/.test(digits) ? digits : "")).replace(ZEROS_BEFORE, "");
  return [...written, ...(national ? [abroad, national, `0${national}`] : []), ...(bare ? [bare] : []), ...last];
}

const NUMBER = /^\s*[+0][0-9()\s/.–-]+$/;
const DAY = /^\s*\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}\s*$/;
const LEAST_DIGITS = 7; // fewer are the beginning of a number, or another one
const LEAST_IN_ONE = 9; // without a break it may be the number of an account

/** Returns the phone number that a search is, without what is dialled before it: 308247087 for 030 824 70 87 and for +49 30 8247087. */
function numberOfSearch(q: string): string | undefined {
  if (!NUMBER.test(q) || DAY.test(q)) return undefined;
  const plain = q.replace("(0)", "");
  const digits = plain.replace(/[^0-9]/g, "");
  const isInOne = /^\s*0[0-9]*\s*$/.test(q);
  if (digits.length < (isInOne ? LEAST_IN_ONE : LEAST_DIGITS)) return undefined;
  const own = /^\s*(?:\+|00)/.test(plain) ? digits.replace(/^00/, "").replace(COUNTRY, "") : digits;
  return own.replace(ZEROS_BEFORE, "") || undefined;
}

/** Returns the labels of a value, as they are written. */
export function labelsOf({ allLabels }: Field, value: unknown): readonly string[] {
  return allLabels?.get(String(value)) ?? [];
}

/** Returns the values of a closed list, as text, with a label of which a word begins with this one. */
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
