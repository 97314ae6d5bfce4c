// Proposes the fields that a column may be by what stands in its cells, for columns that no name matches.

import { meaningsOf } from "../../core/dictionary/categories.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Kind } from "../../core/dictionary/kinds.ts";
import type { TextFormat } from "../../core/dictionary/text-formats.ts";
import { isValue, validateValue } from "../../core/dictionary/validate.ts";
import { isDayAlone, readForms } from "../../core/forms/readings.ts";
import { plainCell } from "../../core/text/csv.ts";
import { bareName, closestAlone } from "../../core/text/similarity.ts";
import { fixCell } from "../model/value-fixes.ts";
import { freeFields, namesOf } from "./match-columns.ts";

const SAMPLED = 200; // rows
const FEWEST = 3; // cells that are not empty, two of them different
const MOST_OTHERS = 0.1; // share of cells that may be something else, such as typing errors

type Test = (text: string) => boolean;

/**
 * Returns the names of the fields whose values the cells of a column clearly are. Free text, whole numbers and years fit too many things, so no
 * column has such a field by its content.
 */
export function fieldsByContent(
  collection: Collection,
  rows: readonly (readonly string[])[],
  column: number,
  isExact: boolean | undefined,
): string[] {
  const cells = rows.slice(0, SAMPLED).flatMap((row) => plainCell(row[column] ?? "", isExact).trim() || []);
  return freeFields(collection, [])
    .filter((field) => fits(field, cells))
    .map(({ name }) => name);
}

function fits(field: Field, all: readonly string[]): boolean {
  const test = field.enum ? testChoice(field) : TESTS[field.kind]?.(field);
  if (!test) return false;
  const optional = { ...field, required: false };
  const cells = all.filter((text) => fixCell("empty", optional, text) !== null); // without "n/a"
  if (cells.length < FEWEST || new Set(cells).size < 2) return false;
  let others = 0;
  return cells.every((text) => test(text) || ++others <= MOST_OTHERS * cells.length);
}

const TESTS: Partial<Record<Kind, (field: Field) => Test | undefined>> = {
  string: testText,
  number: testAmount,
  decimal: testAmount,
  boolean: (field) => (text) => !/^[\dx]$/i.test(text) && (isValid(field, text) || fixCell("yesNo", field, text) !== undefined),
  date: testTime,
  datetime: testTime,
  time: testTimeOfDay,
};

/** Digits alone may be anything. */
function testAmount(field: Field): Test {
  return (text) => /\d[.,]\d{1,2}(?!\d)|\p{Sc}/u.test(text) && (isValid(field, text) || readForms(field, text).length > 0);
}

/** Digits alone, such as a spreadsheet's day numbers, are no clear date; dates alone are no clear times. */
function testTime(field: Field): Test {
  return (text) => /\D/.test(text) && (isValid(field, text) || readForms(field, text).some(({ name }) => !isDayAlone(name)));
}

/** 12.50 may be a price, and digits alone anything. */
function testTimeOfDay(field: Field): Test {
  const isTime = testTime(field);
  return (text) => /^\D*\d{1,2}(?::\d{2}\b| ?h|.*uhr|.* ?[ap]\.?m)/i.test(text) && isTime(text);
}

function testChoice(field: Field): Test | undefined {
  if (!KIND_TRAITS[field.kind].isText) return undefined;
  const meanings = meaningsOf(field);
  return (text) => isValid(field, text) || fixCell("enumCase", field, text) !== undefined || closestAlone(text, meanings) !== undefined;
}

const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$/;
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$/i;
const PHONE = /^(?:\+|00?|\(0)[\d ()/.-]{6,}$/;
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/;
const SHAPES: readonly { format: TextFormat; names: RegExp; is: Test }[] = [
  { format: "email", names: /^e?mail/, is: (text) => EMAIL.test(text) },
  { format: "uri", names: /^(?:url|website|homepage|link)/, is: (text) => ADDRESS.test(text) },
  { format: "phone", names: /(?:phone|telefon|mobile|handy|fax)$/, is: (text) => PHONE.test(text) && !DATE.test(text) },
];
/** A pattern that accepts one of them is no evidence: so are names, words and numbers of all sorts. */
const ANYTHING = ["Smith", "smith", "SMITH", "Anna Smith", "A", "7", "42", "2025", "12345", "100482", "1.5"];

function testText(field: Field): Test | undefined {
  const { pattern, example, format } = field;
  if (pattern) return ANYTHING.some((text) => pattern.test(text)) ? undefined : (text) => isValid(field, text);
  const names = namesOf(field).map(bareName);
  const shape = format
    ? SHAPES.find((one) => one.format === format)
    : SHAPES.find(({ names: known, is }) => names.some((name) => known.test(name)) || is(example));
  return shape && ((text) => shape.is(text) && isValid(field, text));
}

function isValid(field: Field, text: string): boolean {
  return isValue(validateValue(field, text, "text"));
}
