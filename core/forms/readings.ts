// Reads what a cell may mean that is not written as its field wants it.

import type { Field } from "../dictionary/fields.ts";
import { isSame, KIND_TRAITS, type Kind, type Value } from "../dictionary/kinds.ts";
import { isValue, validateValue } from "../dictionary/validate.ts";
import { readDate, readDatetime, SERIAL_1904 } from "./date-forms.ts";
import { readNumber } from "./number-forms.ts";
import { readTime, readYear } from "./time-forms.ts";

/**
 * A way of writing: what `readings` gives names to. "date:d.m.y", "date:m/d/yy", "date:d mon y", "date:serial", "time:h m", "number:,€". It
 * ends with a question mark when the same text may be read in another way as well.
 */
export type FormName = `date:${string}` | `time:${string}` | `year:${string}` | `number:${string}`;

/** The text as the field wants it. */
export interface Reading {
  name: FormName;
  text: string;
}

const READERS: Partial<Record<Kind, (text: string, zones: readonly string[], is1904: boolean) => Reading[]>> = {
  integer: readNumber,
  number: readNumber,
  decimal: readNumber,
  date: (text, _, is1904) => readDate(text, is1904),
  datetime: readDatetime,
  time: readTime,
  year: readYear,
};

/**
 * Returns each form that the text may be in, with a value that the field accepts. `text` is trimmed and not valid as it is. `zone`: for
 * times that say none, instead of UTC and the zone of this machine. `is1904`: of a workbook that counts days from 1904.
 */
export function readForms(field: Field, text: string, zone?: string, is1904 = false): { name: FormName; value: Value }[] {
  if (text.length > 60 || !/\d/.test(text)) return []; // the longest date of the languages we know is shorter
  const readings = READERS[field.kind]?.(text, zone === undefined ? zones() : [zone], is1904) ?? [];
  const found: { name: FormName; value: Value }[] = [];
  for (const { name, text: meant } of readings) {
    const value = validateValue(field, KIND_TRAITS[field.kind].isWhole ? meant.replace(/\.0+$/, "") : meant, "text");
    if (!isValue(value) || found.some((one) => isSame(one.value, value))) continue;
    found.push({ name, value });
  }
  const isAsked = new Set(found.map(({ name }) => name.split(TIME)[0])).size > 1;
  return isAsked ? found.map(({ name, value }) => ({ name: name.replace(FORM, "$&?") as FormName, value })) : found;
}

const TIME = " t"; // stands before the time in a form's name

/** Says whether the form takes a date without a time for the start of its day. */
export function isDayAlone(name: FormName): boolean {
  return name.includes(`${TIME}0@`);
}

const FORM = /^.+?(?= t|$)/;

/** Returns the value by this form; undefined when the text is not in it. */
export function readForm(name: FormName, field: Field, text: string): Value | undefined {
  return readForms(field, text, name.split("@")[1], name.startsWith(SERIAL_1904)).find((one) => one.name === name)?.value;
}

let own: readonly string[] | undefined;

function zones(): readonly string[] {
  own ??= [...new Set(["UTC", Intl.DateTimeFormat().resolvedOptions().timeZone])];
  return own;
}
