// Converts stored values of a field into those of a field of another kind.

import type { Collection } from "../dictionary/collections.ts";
import type { ConvertedFrom, Field } from "../dictionary/fields.ts";
import { isAcceptedType, readFileValues, writeFileValue } from "../dictionary/files.ts";
import { isSame, KIND_TRAITS, type Kind, textOfValue, type Value } from "../dictionary/kinds.ts";
import { isProblem, validateValue } from "../dictionary/validate.ts";
import { type FormName, readForms } from "./readings.ts";
import { readYesNo } from "./yes-no.ts";

type Values = Readonly<Record<string, unknown>>;

/** Says how texts are read: see `ConvertedFrom`. */
export type Reads = Pick<ConvertedFrom, "forms" | "values">;

/** Values of one kind as those of another, where that is more than their text. It is no trait of a kind, because every page loads those. */
const INTO: Partial<Record<Kind, Partial<Record<Kind, (value: Value) => Value>>>> = {
  integer: { boolean: (value) => (value === 1 ? true : value === 0 ? false : value), year: (value) => value },
  boolean: { integer: Number },
  date: { datetime: (value) => `${value}T00:00:00.000Z` },
  datetime: { date: (value) => String(value).slice(0, 10) }, // the day in UTC
  year: { integer: (value) => value },
};

/** Says whether values of one kind can mean values of another at all. */
export function canConvert(from: Kind, to: Kind): boolean {
  const [own, other] = [KIND_TRAITS[from], KIND_TRAITS[to]];
  // A text that was typed would open whatever content it names. One file may become the first of several.
  if (own.isFile || other.isFile) return own.isFile === other.isFile && !own.isList && other.isList === true;
  return own.isText || other.isText || (own.isAmount && other.isAmount) || INTO[from]?.[to] !== undefined;
}

/** Returns a value as the other field has it, null for none. Undefined: it means nothing there, or a rule of that field refuses it. */
export function convertValue(from: Field, to: Field, value: Value | null, reads: Reads = {}): Value | null | undefined {
  if (value === null) return null;
  const { isText, isFile } = KIND_TRAITS[from.kind];
  if (isFile) return convertFile(to, value);
  const text = textOfValue(from, value).trim();
  const own = reads.values?.[text];
  const meant = own ?? INTO[from.kind]?.[to.kind]?.(value) ?? text;
  const checked = validateValue(to, meant, typeof meant === "string" ? "text" : "json");
  if (!isProblem(checked)) return checked;
  if (own !== undefined || !isText) return undefined;
  if (KIND_TRAITS[to.kind].choices) {
    const word = readYesNo(text);
    return word && (validateValue(to, word, "text") as Value);
  }
  const readings = readingsOf(to, text, reads.forms);
  return reads.forms || readings.length === 1 ? readings[0]?.value : undefined;
}

/** Turns one file into the first of several, where that field takes it; and back, where there is one alone. */
function convertFile({ item, file }: Field, value: Value): Value | undefined {
  const [one, ...others] = readFileValues(value);
  if (!one || !file || others.length > 0 || one.size > file.maxSize || !isAcceptedType(file, one.type)) return undefined;
  return item ? [writeFileValue(one)] : writeFileValue(one);
}

/** Returns the ways in which a text can be read as a value of the field; those of `forms` alone, in their order, where they are named. */
export function readingsOf(to: Field, text: string, forms?: readonly string[]): { name: string; value: Value }[] {
  const found = readForms(to, text, "UTC").map(({ name, value }) => ({ name: plainForm(name), value }));
  if (!forms) return found;
  return forms.flatMap((form) => {
    const [wanted, zone = "UTC"] = [plainForm(form), form.split("@")[1]];
    return readForms(to, text, zone)
      .map(({ name, value }) => ({ name: plainForm(name), value }))
      .filter(({ name }) => name === wanted);
  });
}

/** Returns a form's name without the sign that its text may be read in another way as well. */
function plainForm(name: FormName | string): string {
  return name.replace("?", "");
}

/**
 * Returns what a field that another one is converted into has in this record. On the way back a value that means the same already stays as it
 * is, so that what nobody has changed is again as it was written.
 */
export function convertedValue(collection: Collection, to: Field, record: Values): Value | null {
  const { convertedFrom } = to;
  const from = collection.byName.get(convertedFrom?.field ?? "");
  const current = (record[to.name] ?? null) as Value | null;
  if (!convertedFrom || !from) return current;
  const value = (record[from.name] ?? null) as Value | null;
  if (convertedFrom.isBack) {
    const meaning = convertValue(to, from, current, convertedFrom) ?? null;
    return isSame(meaning, value) ? current : (convertValue(from, to, value) ?? null);
  }
  return convertValue(from, to, value, convertedFrom) ?? null;
}
