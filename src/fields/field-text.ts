// Converts a record’s values to the texts of inputs, and texts to what the dictionary validates.

import type { WireRecord } from "../../core/contract/records.ts";
import { labelOf } from "../../core/dictionary/categories.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { padDecimals } from "../../core/dictionary/decimals.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KINDS, type Value } from "../../core/dictionary/kinds.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { formatDate } from "./format.ts";

/** Field name → text of its input. */
export type Texts = Record<string, string>;

export function textsOf(collection: Collection, record: RecordValues): Texts {
  return Object.fromEntries(collection.fields.map((field) => [field.name, textOf(field, fieldValue(record, field))]));
}

/** A record, or some of its fields. */
export type RecordValues = Readonly<Record<string, WireRecord[string]>>;

/** The value of a field of the dictionary; only `createdBy` and `updatedBy` are no values. */
export function fieldValue(record: RecordValues, { name }: Field): Value | null {
  return (record[name] ?? null) as Value | null;
}

/**
 * The text of an input for a value. A datetime is in the user's time zone, as `datetime-local` writes it: without zero seconds
 * (HTML, "valid normalised local date and time string"). Written otherwise, leaving the field would change it.
 */
export function textOf(field: Field, value: Value | null): string {
  if (value === null) return "";
  if (field.kind === "decimal") return padDecimals(String(value), field.decimals ?? 0);
  if (field.kind !== "datetime") return String(value);
  const at = new Date(String(value)); // an address may contain any text
  if (Number.isNaN(at.getTime())) return "";
  const two = (n: number) => String(n).padStart(2, "0");
  // Part by part, because old local times have offsets with seconds, which getTimezoneOffset() rounds.
  const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const seconds = at.getSeconds() === 0 ? "" : `:${two(at.getSeconds())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

// The value of a datetime-local input (HTML, "valid normalised local date and time string").
const LOCAL = /^([0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?$/;

/** The text to validate: a local date and time is converted to UTC, anything else stays as typed. */
export function textToValidate(field: Field, text: string): string {
  const day = field.kind === "datetime" ? LOCAL.exec(text)?.[1] : undefined;
  // Only real dates: Date would accept "1", and turn 31 February into 3 March.
  if (day === undefined || KINDS.date.fromText(day) === undefined) return text;
  const instant = new Date(text); // without a zone: local time (ECMAScript, Date Time String Format)
  return Number.isNaN(instant.getTime()) ? text : instant.toISOString();
}

/** An input's text as shown in a sentence or a table. */
export function displayText(field: Field, text: string): string {
  if (text === "") return "—";
  if (field.labels) return labelOf(field, text);
  if (field.kind === "boolean") return t(BOOLEAN_WORDS[text] ?? text);
  if (KINDS[field.kind].family !== "time") return text;
  const [day = "", time] = text.split("T");
  if (KINDS.date.fromText(day) === undefined) return text;
  return time === undefined ? formatDate(day) : `${formatDate(day)}, ${time}`;
}

export const BOOLEAN_WORDS: Readonly<Record<string, string>> = { true: message("Yes"), false: message("No") };
