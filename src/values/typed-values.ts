// Values typed in the reader's form and not in the dictionary's: numbers, dates, times, years, links and addresses.

import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Kind, textOfValue, type Value } from "../../core/dictionary/kinds.ts";
import { FORMATS } from "../../core/dictionary/text-formats.ts";
import { t } from "../../core/i18n/translate.ts";
import { fixCell } from "../../pipeline/model/value-fixes.ts";
import { formatDatetime, formatYear } from "./format.ts";
import { formatValue } from "./format-value.ts";
import {
  dateForm,
  isNoDay,
  isTwofoldDate,
  localText,
  readTypedDate,
  readTypedDatetime,
  spellDate,
  writeTypedDate,
  writeTypedDatetime,
} from "./typed-dates.ts";
import {
  isTypedNumber,
  MARKS,
  type NumberSigns,
  numberExpected,
  numberSigns,
  otherNumbers,
  plainDigits,
  readWrittenNumber,
  readOrRefuse as refuseOtherNumber,
  understood as understoodNumber,
  withoutZeros,
  writeTypedNumber,
} from "./typed-numbers.ts";
import { readTypedTime, writeTypedTime } from "./typed-times.ts";

interface Form {
  /** Returns the value as the dictionary and the service write it; undefined where the text is none. */
  read(text: string, signs: NumberSigns): string | undefined;
  /** Returns the text of an input for a text of the service. */
  write(text: string): string;
  /** Spells a value out beside a typed text, if not as `write` does. Empty: the text says it all. */
  spell?(text: string, value: string): string;
  /** Says whether only the reader's locale says what the text means. */
  isTwofold?(text: string): boolean;
  /** The type of the browser's own input, whose picker may be used. */
  picker?: "date" | "datetime-local";
}

/** Forms beside those of numbers, of which isTypedNumber decides. */
const FORMS: Partial<Record<Kind, Form>> = {
  date: { read: readTypedDate, write: writeTypedDate, spell: spellDate, isTwofold: isTwofoldDate, picker: "date" },
  datetime: { read: readTypedDatetime, write: writeTypedDatetime, spell: spellMoment, isTwofold: isTwofoldDate, picker: "datetime-local" },
  time: { read: readTypedTime, write: writeTypedTime },
  year: { read: plainDigits, write: writeYear, spell: () => "" },
};

function spellMoment(text: string, instant: string): string {
  const [day = "", time = ""] = localText(instant).split("T");
  return `${spellDate(text, day)}, ${writeTypedTime(time)}`;
}

function writeYear(text: string): string {
  const year = KIND_TRAITS.year.fromText(text);
  return year === undefined ? text : formatYear(Number(year));
}

function formOf(field: Field): Form | undefined {
  return field.enum ? undefined : FORMS[field.kind];
}

/** Web addresses, e-mail addresses and phone numbers are copied with what stands around them: "mailto:", or a name and brackets. */
function isLink({ format, enum: choices }: Field): boolean {
  return format !== undefined && format !== "multiline" && !choices;
}

export function isTyped(field: Field): boolean {
  return isTypedNumber(field) || formOf(field) !== undefined || isLink(field);
}

/** Returns the type of the browser's own input whose picker helps to enter a value of the field. */
export function pickerOf(field: Field): Form["picker"] {
  return formOf(field)?.picker;
}

/** Returns the value of a picker for a typed text; empty where the text is no value. */
export function toPicker(field: Field, text: string): string {
  const value = typedValue(field, text);
  return value === undefined ? "" : KIND_TRAITS[field.kind].isMoment ? localText(String(value)) : String(value);
}

/** Returns the typed text as the reader's locale writes its value; unchanged where it is none. */
export function rewritten(field: Field, text: string): string {
  return writeTyped(field, readTyped(field, text));
}

/** Returns the text as the dictionary and the service write it, or unchanged where no rule takes it for a value. `field` isTyped. */
export function readTyped(field: Field, text: string, signs = numberSigns()): string {
  if (isLink(field)) return readLink(field, text) ?? text;
  const form = formOf(field);
  return form ? (form.read(text, signs) ?? text) : withoutZeros(field, refuseOtherNumber(text, signs));
}

/** Returns the address or number alone, as uploads correct it, where the text is none as it stands. */
function readLink(field: Field, text: string): string | undefined {
  const typed = text.trim();
  if (typed === "" || !field.format || FORMATS[field.format].accepts(typed)) return undefined;
  const found = fixCell("bareAddress", field, typed) ?? fixCell("webAddress", field, typed);
  return typeof found === "string" ? found : undefined;
}

/** Returns the text of an input for a text of the service. */
export function writeTyped(field: Field, text: string): string {
  if (isLink(field)) return text;
  const form = formOf(field);
  return form ? form.write(text) : writeTypedNumber(field, text);
}

function typedValue(field: Field, text: string): Value | undefined {
  const form = formOf(field);
  const meant = form ? form.read(text, numberSigns()) : readWrittenNumber(text, numberSigns());
  return meant === undefined ? undefined : KIND_TRAITS[field.kind].fromText(form ? meant : withoutZeros(field, meant));
}

/** Shows a typed text as tables and sentences show it; any other text unchanged. */
export function showTyped(field: Field, text: string): string {
  const value = isLink(field) ? undefined : typedValue(field, text);
  if (value === undefined) return text;
  const hasSeconds = KIND_TRAITS[field.kind].isMoment && !/:00\.000Z$/.test(String(value)); // which tell two times apart
  return hasSeconds ? formatDatetime(String(value), true) : formatValue(field, value);
}

/** Says what was understood, where the text is not as the reader's locale writes the value. Empty for other text and other kinds. */
export function understood(field: Field, text: string): string {
  if (isLink(field)) return readLink(field, text) ?? "";
  const form = formOf(field);
  if (!form) return understoodNumber(field, text);
  const value = typedValue(field, text);
  if (value === undefined) return "";
  const written = form.write(textOfValue(field, value));
  const isAsWritten = written.toLowerCase() === text.trim().toLowerCase();
  return isAsWritten && !form.isTwofold?.(text) ? "" : (form.spell?.(text, String(value)) ?? written);
}

/** Returns the numbers that a text may be in another form than the reader's, each as the reader writes it. Empty for a text that is understood. */
export function offersFor(field: Field, text: string): string[] {
  if (!isTypedNumber(field) || text.trim() === "" || typedValue(field, text) !== undefined) return [];
  return otherNumbers(field, text).texts;
}

/** Says why a typed text is no value of the field, in a whole sentence. Undefined: there is no more to say than what it must be. */
export function causeOf(field: Field, text: string): string | undefined {
  const values = { title: field.title, text: text.replace(MARKS, "").trim() };
  if (pickerOf(field) && isNoDay(text)) return t("{title}: the calendar has no {text}.", values);
  const [meant, other] = offersFor(field, text);
  if (meant === undefined) return undefined;
  if (other !== undefined) return t("{title}: “{text}” may be {meant} or {other}.", { ...values, meant, other });
  return otherNumbers(field, text).decimal === ","
    ? t("{title}: “{text}” is written in the German form. Write {meant}.", { ...values, meant })
    : t("{title}: “{text}” is written in the English form. Write {meant}.", { ...values, meant });
}

/** Describes how a value is typed, for whoever cannot see it: "Day.Month.Year". Empty where the field's kind says it. */
export function typedForm(field: Field): string {
  const picker = pickerOf(field);
  if (!picker) return "";
  return picker === "date" ? dateForm() : t("{date} and time", { date: dateForm() });
}

/** Says what a value of the field must be, to end the sentence "Age must be …". `field` isTyped. */
export function typedExpected(field: Field): string {
  const form = formOf(field);
  if (isLink(field) || !form) return isLink(field) ? "" : numberExpected(field);
  const { fromText, expects, example = "", isMoment } = KIND_TRAITS[field.kind];
  const value = fromText(field.example) ?? fromText(example) ?? example;
  const shown = form.write(textOfValue(field, value));
  return isMoment ? t("a date and time, such as {example}", { example: shown }) : t(expects, { example: shown });
}
