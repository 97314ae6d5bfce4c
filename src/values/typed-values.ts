// Values that are typed in the reader's form and not in the dictionary's: numbers, times of day, years.

import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Kind, textOfValue, type Value } from "../../core/dictionary/kinds.ts";
import { t } from "../../core/i18n/translate.ts";
import { formatValue } from "./format-value.ts";
import {
  isTypedNumber,
  type NumberSigns,
  numberExpected,
  numberSigns,
  plainDigits,
  readTypedNumber,
  readOrRefuse as refuseOtherNumber,
  understood as understoodNumber,
  writeTypedNumber,
} from "./typed-numbers.ts";

type TypedTimes = Pick<typeof import("./typed-times.ts"), "readTypedTime" | "writeTypedTime">;

let times: TypedTimes = { readTypedTime: (text) => text, writeTypedTime: (text) => text };

/** Few dictionaries have times of day, so the code is loaded with one of those. Before, times are typed as files have them. */
export async function loadTypedTimes(): Promise<void> {
  times = await import("./typed-times.ts");
}

/** Reads what is typed in a form of its own beside numbers, of which isTypedNumber decides. */
const OTHERS: Partial<Record<Kind, (text: string, signs: NumberSigns) => string | undefined>> = {
  time: (text, signs) => times.readTypedTime(text, signs),
  year: plainDigits,
};

export function isTyped(field: Field): boolean {
  return isTypedNumber(field) || (OTHERS[field.kind] !== undefined && !field.enum);
}

/** The text as the dictionary and the service write it, or unchanged where no rule takes it for a value. `field` isTyped. */
export function readTyped(field: Field, text: string, signs = numberSigns()): string {
  const read = OTHERS[field.kind];
  return read ? (read(text, signs) ?? text) : refuseOtherNumber(text, signs);
}

/** The text of an input for a text of the service. */
export function writeTyped(field: Field, text: string): string {
  if (!OTHERS[field.kind]) return writeTypedNumber(field, text);
  const { isClock, fromText } = KIND_TRAITS[field.kind];
  if (isClock) return times.writeTypedTime(text);
  const year = fromText(text);
  return year === undefined ? text : formatValue(field, year);
}

function typedValue(field: Field, text: string): Value | undefined {
  const read = OTHERS[field.kind] ?? readTypedNumber;
  const meant = read(text, numberSigns());
  return meant === undefined ? undefined : KIND_TRAITS[field.kind].fromText(meant);
}

/** A typed text as tables and sentences show it; any other text unchanged. */
export function showTyped(field: Field, text: string): string {
  const value = typedValue(field, text);
  return value === undefined ? text : formatValue(field, value);
}

/** Says what was understood, where the text is not as the reader's locale writes the value. Empty for other text and other kinds. */
export function understood(field: Field, text: string): string {
  if (!KIND_TRAITS[field.kind].isClock || field.enum) return understoodNumber(field, text);
  const value = typedValue(field, text);
  const shown = value === undefined ? "" : writeTyped(field, textOfValue(field.kind, value));
  return shown.toLowerCase() === text.trim().toLowerCase() ? "" : shown;
}

/** Says what a value of the field must be, to end the sentence "Age must be …". `field` isTyped. */
export function typedExpected(field: Field): string {
  if (!OTHERS[field.kind]) return numberExpected(field);
  const { fromText, expects, example = "" } = KIND_TRAITS[field.kind];
  return t(expects, { example: formatValue(field, fromText(field.example) ?? fromText(example) ?? example) });
}
