// Converts a record’s values to the texts of inputs, and texts to what the dictionary validates.

import type { Problem } from "../../core/contract/problems.ts";
import { labelOf } from "../../core/dictionary/categories.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS, textOfValue, type Value } from "../../core/dictionary/kinds.ts";
import { t } from "../../core/i18n/translate.ts";
import { fieldValue, type RecordValues } from "./field-value.ts";
import { formatValue } from "./format-value.ts";
import type { NumberSigns } from "./typed-numbers.ts";
import { causeOf, isTyped, readTyped, showTyped, typedExpected, writeTyped } from "./typed-values.ts";

/** Field name → text of its input. */
export type Texts = Record<string, string>;

export function textsOf(collection: Collection, record: RecordValues): Texts {
  return Object.fromEntries(collection.fields.map((field) => [field.name, textOf(field, fieldValue(record, field))]));
}

/** Returns the text of an input for a value. Numbers, dates and times are written as in the reader’s locale. */
export function textOf(field: Field, value: Value | null): string {
  if (value === null) return "";
  const text = typeof value === "string" ? value : textOfValue(field, value);
  return isTyped(field) ? writeTyped(field, text) : text;
}

const HIDDEN = /[\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g; // direction marks, word joiners and byte order marks
const SPACE = "\u200b"; // without a width
const OUTER_SPACE = /^[\s\u200b]+|[\s\u200b]+$/g;

/**
 * Drops the characters that are pasted along and that nobody sees. Joiners stay, because several scripts need them, and a space without a
 * width stays within free text, where it lets a line break.
 */
export function withoutHidden({ kind, format = "multiline" }: Pick<Field, "kind" | "format">, text: string): string {
  const shown = text.replace(HIDDEN, "");
  if (!shown.includes(SPACE)) return shown;
  return KIND_TRAITS[kind].isText && format === "multiline" ? shown.replace(OUTER_SPACE, "") : shown.replaceAll(SPACE, "");
}

/** Returns the text to validate: a number, a date or a time in the dictionary’s form, of a moment in UTC, anything else as typed. */
export function textToValidate(field: Field, typed: string): string {
  const text = withoutHidden(field, typed);
  return isTyped(field) ? readTyped(field, text) : text;
}

/** Returns an input's text as shown in a sentence or a table. */
export function displayText(field: Field, text: string): string {
  if (text === "") return "—";
  if (field.item) return formatValue(field, KIND_TRAITS[field.kind].fromText(text, field.delimiter) ?? null);
  if (field.file) return formatValue(field, text);
  if (field.labels) return labelOf(field, text);
  const { choices } = KIND_TRAITS[field.kind];
  if (choices) return t(choices[text] ?? text);
  return isTyped(field) ? showTyped(field, text) : text;
}

/** Texts of inputs so that they mean the same in every locale, to be kept or to follow a change of the locale. */
export function toNeutral(collection: Collection, texts: Readonly<Texts>, signs?: NumberSigns): Texts {
  return mapTyped(collection, texts, (field, text) => readTyped(field, text, signs));
}

/** Does the opposite of toNeutral. */
export function fromNeutral(collection: Collection, texts: Readonly<Texts>): Texts {
  return mapTyped(collection, texts, writeTyped);
}

function mapTyped(collection: Collection, texts: Readonly<Texts>, write: (field: Field, text: string) => string): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const field = collection.byName.get(name);
      return [name, field && isTyped(field) ? write(field, text) : text];
    }),
  );
}

/**
 * Says what is wrong with a typed text. Its numbers and times have the reader’s form, where the dictionary’s own text has the service’s.
 * With `typed` it names the cause, if the text is written in another form.
 */
export function problemMessage(field: Field, { code, message: text }: Pick<Problem, "code" | "message">, typed = ""): string {
  if (field.reference && code === "KIND") return t("{title}: choose one from the list.", { title: field.title });
  const { title, minimum = null, maximum = null } = field;
  const { order } = KIND_TRAITS[field.kind];
  if (order && code === "TOO_SMALL") return t(order.tooSmall, { title, bound: formatValue(field, minimum) });
  if (order && code === "TOO_LARGE") return t(order.tooLarge, { title, bound: formatValue(field, maximum) });
  if (code !== "KIND" || !isTyped(field)) return text;
  return causeOf(field, typed) ?? t("{title} must be {kind}.", { title, kind: typedExpected(field) });
}
