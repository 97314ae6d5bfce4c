// Converts a record’s values to the texts of inputs, and texts to what the dictionary validates.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KINDS, type Value } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { formatDate } from "./format.ts";

/** Field name → what stands in its input. */
export type Texts = Record<string, string>;

export function textsOf(collection: Collection, record: Readonly<Fields>): Texts {
  return Object.fromEntries(collection.fields.map((field) => [field.name, textOf(field, record[field.name] ?? null)]));
}

/**
 * What an input holds for a value; a datetime in the user's own time zone, as `datetime-local` writes it: without seconds
 * that are none (HTML, "valid normalised local date and time string"). Written otherwise, leaving the field would change it.
 */
export function textOf(field: Field, value: Value | null): string {
  if (value === null) return "";
  if (field.kind !== "datetime") return KINDS[field.kind].toText(value);
  const at = new Date(String(value)); // from an address it may be anything
  if (Number.isNaN(at.getTime())) return "";
  const two = (n: number) => String(n).padStart(2, "0");
  // Part by part: the time zone's distance in whole minutes would be wrong for days when places went by the sun.
  const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const seconds = at.getSeconds() === 0 ? "" : `:${two(at.getSeconds())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

// What a datetime-local input holds: a local date and time (HTML, "valid normalised local date and time string").
const LOCAL = /^([0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?$/;

/** The text that is judged: what was typed, a local date and time with its zone put in. */
export function textToValidate(field: Field, text: string): string {
  const day = field.kind === "datetime" ? LOCAL.exec(text)?.[1] : undefined;
  // Anything else is judged as it stands: Date would make a day of "1", and 3 March of 31 February.
  if (day === undefined || KINDS.date.fromText(day) === undefined) return text;
  const instant = new Date(text); // without a zone: local time (ECMAScript, Date Time String Format)
  return Number.isNaN(instant.getTime()) ? text : instant.toISOString();
}

/** An input's text as people read it in a sentence or a table. */
export function displayText(field: Field, text: string): string {
  if (text === "") return "—";
  if (field.kind === "boolean") return t(BOOLEAN_WORDS[text] ?? text);
  if (field.kind !== "date" && field.kind !== "datetime") return text;
  const [day = "", time] = text.split("T");
  if (KINDS.date.fromText(day) === undefined) return text;
  return time === undefined ? formatDate(day) : `${formatDate(day)}, ${time}`;
}

export const BOOLEAN_WORDS: Readonly<Record<string, string>> = { true: message("Yes"), false: message("No") };
