// Makes of an item what it becomes: a field of the dictionary, and its entry in a layout.

import { KIND_TRAITS, type Kind } from "../../core/dictionary/kinds.ts";
import { isFloat } from "../layouts/cobol-numbers.ts";
import { editedDecimals } from "../layouts/edited-numbers.ts";
import { KINDS_IN_LAYOUTS } from "../layouts/kinds-in-layouts.ts";
import type { LayoutField } from "../layouts/layout.ts";
import { labelOf, titleOf } from "./names.ts";
import type { Item } from "./record-tree.ts";
import { type Note, nameOf } from "./take-items.ts";

/** A field of a Table Schema. */
export type FieldDescriptor = { name: string; title: string; type: string } & Record<string, unknown>;

/** A double holds every whole number of so many digits. */
const SAFE_DIGITS = 15;
/** A decimal of the dictionary has at most so many digits behind its point. */
const MOST_DECIMALS = 10;

/** Holds what its PICTURE, its name and its 88 levels say it is. */
export function kindOf(item: Item): Kind {
  const { entry, storage, conditions } = item;
  const picture = storage?.picture;
  if (storage?.keys.encoding === undefined && codesOfFlag(item)) return "boolean";
  const digits = picture?.kind === "numeric" && picture.decimals === 0 ? picture.digits : picture?.kind === "text" ? item.length : 0;
  if (conditions.length === 0 && digits === 8 && DATE.test(entry.name)) return "date";
  if (conditions.length === 0 && digits === 10 && picture?.kind === "text" && DATE.test(entry.name)) return "date";
  if (conditions.length === 0 && digits === 14 && TIMESTAMP.test(entry.name)) return "datetime";
  if (conditions.length === 0 && digits === 6 && CLOCK.test(entry.name)) return "time";
  if (conditions.length === 0 && digits === 4 && YEAR.test(entry.name)) return "year";
  if (!picture) return isFloat(storage?.keys.usage) ? "number" : "integer"; // COMP-1 and COMP-2; BINARY-LONG and the like
  if (picture.kind === "text" || picture.kind === "national") return "string";
  if (picture.kind === "edited") return storage?.keys.picture === undefined ? "string" : "decimal";
  return picture.decimals !== 0 || picture.digits > SAFE_DIGITS ? "decimal" : "integer";
}

const DATE = /(^|-)(YYMMDD|DDMMYY|MMDDYY|(?!UPDATE|VALIDATE|MANDATE|CANDIDATE)[A-Z]*DATE|DT|DAT|DOB|DATUM|BIRTHDAY|BIRTHDATE)(-|$)/;
const TIMESTAMP = /(TIMESTAMP|TSTAMP|DATETIME)/;
const CLOCK = /(^|-)(TIME|UHRZEIT)$/;
const YEAR = /(^|-)(YEAR|YYYY|JAHR)$/;
const FLAGS: readonly (readonly [yes: string, no: string])[] = [
  ["Y", "N"],
  ["1", "0"],
  ["T", "F"],
  ["J", "N"],
];

/** Finds two 88 levels whose values are Y and N, 1 and 0, or the like. */
function codesOfFlag({ conditions, storage }: Item): readonly [yes: string, no: string] | undefined {
  const codes = conditions.flatMap(({ values }) => values.map(({ from, through }) => (through === undefined ? from : "")));
  if (codes.length !== 2 || conditions.length !== 2 || storage?.keys.usage) return undefined;
  return FLAGS.find((pair) => pair.every((code) => codes.includes(code)));
}

/** `isKey`: it is the primary key. */
export function describeField(item: Item, name: string, kind: Kind, isKey: boolean): FieldDescriptor {
  const { entry, storage } = item;
  const picture = storage?.picture;
  const traits = KIND_TRAITS[kind];
  const field: FieldDescriptor = { name, title: titleOf(name), type: traits.type ?? kind };
  if (entry.comment !== "") field.description = entry.comment;
  const constraints: Record<string, unknown> = {};
  if (traits.type)
    field.decimals = Math.max(
      0,
      Math.min(MOST_DECIMALS, picture?.kind === "edited" ? editedDecimals(entry.picture ?? "") : (picture?.decimals ?? 0)),
    );
  if (traits.isText)
    constraints.maxLength =
      storage?.picture?.kind === "numeric" ? (picture?.digits ?? item.length) : storage?.keys.encoding ? item.length / 2 : item.length;
  if (traits.isWhole && picture) {
    const most = 10 ** picture.digits - 1;
    Object.assign(constraints, { minimum: picture.isSigned ? -most : isKey ? 1 : 0, maximum: most });
  }
  if (isKey) constraints.unique = true;
  const list = traits.hasCategories ? valuesOf(item, traits.isWhole === true) : undefined;
  if (list) Object.assign(field, list.categories ? { categories: list.categories } : {});
  if (list?.enum) constraints.enum = list.enum;
  if (Object.keys(constraints).length > 0) field.constraints = constraints;
  return field;
}

type Values = { categories?: { value: string | number; label: string }[]; enum?: (string | number)[] };

/** Returns the values of its 88 levels. An 88 level of several values that others have, too, names a group of them. */
function valuesOf({ conditions }: Item, isNumber: boolean): Values | undefined {
  const has = conditions.flatMap(({ values }) => values);
  if (has.length === 0 || has.some(({ through }) => through !== undefined)) return undefined;
  const read = (code: string) => (isNumber ? Number(code) : code.trimEnd());
  const isValue = (code: string) => !FIGURATIVE.test(code) && code.trim() !== "" && !(isNumber && !/^[+-]?\d+$/.test(code));
  const single = conditions.filter(({ values }) => values.length === 1 && isValue(values[0]?.from ?? ""));
  const labels = new Map(single.map(({ name, values }) => [read(values[0]?.from ?? ""), labelOf(name)]));
  const all = [...new Set(has.filter(({ from }) => isValue(from)).map(({ from }) => read(from)))];
  if (all.length === 0) return undefined;
  const isLabelled = all.every((value) => labels.has(value)) && new Set(labels.values()).size === all.length;
  return isLabelled ? { categories: all.map((value) => ({ value, label: labels.get(value) as string })) } : { enum: all };
}

const FIGURATIVE = /^(SPACES?|ZERO(E?S)?|LOW-VALUES?|HIGH-VALUES?|QUOTES?|NULLS?)$/;

/** Writes the entry in a layout for a field of this kind. What should be looked at goes to `notes`. */
export function placeField(item: Item, name: string, kind: Kind, isKey: boolean, notes: Note[]): LayoutField {
  const { start, length, storage, entry } = item;
  const { usage, sign, picture: edited, justify, encoding } = storage?.keys ?? {};
  const picture = storage?.picture;
  const placed: LayoutField = { name, start, length, ...(usage && { usage }), ...(justify && { justify }), ...(encoding && { encoding }) };
  const note = (sentence: string) => notes.push({ line: entry.line, sentence: `${nameOf(item)}: ${sentence}` });
  const digits = picture?.kind === "numeric" ? picture.digits : length;
  const { isNumeric, numeral, format } = KINDS_IN_LAYOUTS[kind];
  if (isNumeric) {
    if (sign) placed.sign = sign;
    if (edited) placed.picture = edited;
    const decimals = picture?.kind === "numeric" ? picture.decimals : 0;
    if (decimals !== 0 && KIND_TRAITS[kind].hasDecimals) placed.decimals = decimals;
    else if (decimals !== 0)
      note(`Its PICTURE moves the decimal point (V or P), and ${name} is a whole number: its digits are read as they stand.`);
    if (isKey) placed.null = usage ? "0" : "0".repeat(length);
    return placed;
  }
  if (numeral === "code") {
    const [yes, no] = codesOfFlag(item) ?? ["Y", "N"];
    return { ...placed, values: { [yes]: "true", [no]: "false" } };
  }
  switch (format) {
    case undefined:
      if (usage && picture) placed.digits = picture.digits;
      return placed;
    case "date":
      if (digits === 8) return dated(placed, "YYYYMMDD", "It is taken to be a date such as 20260131.", note);
      if (digits !== 10 || usage) note(`Write its format, such as ${SHORT_DATES[digits] ?? "YYYYMMDD"}.`);
      return placed;
    case "datetime":
      if (digits === 14)
        return { ...dated(placed, "YYYYMMDDhhmmss", "It is taken to be a time in UTC: if it is not, correct the zone.", note), zone: "Z" };
      note("Write its format, such as YYYYMMDDhhmmss, and its zone.");
      return placed;
    case "time":
      note("It is taken to be a time of day such as 140530.");
      return { ...placed, format: "hhmmss" }; // zeros are midnight
    case "year":
      return dated(placed, "YYYY", "It is taken to be a year such as 2026.", note);
  }
}

function dated(placed: LayoutField, format: string, sentence: string, note: (sentence: string) => void): LayoutField {
  note(sentence);
  return { ...placed, format, null: placed.usage ? "0" : "0".repeat(format.length) };
}

/** The formats of dates of so many digits. */
const SHORT_DATES: Partial<Record<number, string>> = {
  5: "YYDDD with a pivot",
  6: "YYMMDD, DDMMYY or MMDDYY with a pivot",
  7: "YYYYDDD, or CYYMMDD as IBM i writes it",
};

/** Values of 88 levels that the draft does not have, and a date whose form its digits do not say. */
export function noteConditions(item: Item, notes: Note[]): void {
  const { picture, keys } = item.storage ?? {};
  const digits = picture?.kind === "numeric" && picture.decimals === 0 ? picture.digits : keys?.usage ? 0 : item.length;
  const forms = SHORT_DATES[digits];
  if (forms && DATE.test(item.entry.name) && item.conditions.length === 0) {
    const sentence = `${nameOf(item)}: It may be a date of ${digits} digits. If it is, make it a date with its format: ${forms}.`;
    notes.push({ line: item.entry.line, sentence });
  }
  for (const { name, values } of item.conditions) {
    const range = values.find(({ through }) => through !== undefined);
    if (range)
      notes.push({
        line: item.entry.line,
        sentence: `${nameOf(item)}: the range of ${name} (${range.from} to ${range.through}) is not taken over.`,
      });
  }
}
