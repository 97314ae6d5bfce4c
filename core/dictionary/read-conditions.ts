// Reads conditions, dependent lists, defaults and formulas of the fields of a Table Schema.

import { numbersOf, patternMistake, toNumber } from "./auto-number.ts";
import { type Choices, type Field, isObject, type ReportMistake, readConstant } from "./fields.ts";
import { KIND_TRAITS, type Value } from "./kinds.ts";

/** The words of a field that are conditions over the whole record. */
export const CONDITIONS = ["visibleIf", "requiredIf"] as const;

/** The words of a field that are expressions, besides its `choicesIf`. */
export const EXPRESSIONS = [...CONDITIONS, "default", "computed"] as const;

/**
 * Sets them on the fields, and returns whether there are some. Passes over what has another shape: dictionary.schema.json refuses it, and
 * checkRules says what is wrong in an expression. `schema`: as the data package has it, with all of the fields.
 */
export function readConditions(fields: readonly Field[], schema: Record<string, unknown>, path: string, report: ReportMistake): boolean {
  for (const [i, input] of (Array.isArray(schema.fields) ? schema.fields : []).entries()) {
    const field = isObject(input) && fields.find(({ name }) => name === input.name);
    if (field) readOne(field, input, `${path}/fields/${i}`, report);
  }
  return fields.some((field) => field.choicesIf !== undefined || EXPRESSIONS.some((word) => field[word] !== undefined));
}

function readOne(field: Field, input: Record<string, unknown>, path: string, report: ReportMistake): void {
  for (const word of EXPRESSIONS) if (typeof input[word] === "string") field[word] = input[word];
  if (isObject(input.constraints) && input.constraints.caseless === true) readCaseless(field, path, report);
  if (typeof input.autoNumber === "string") readAutoNumber(field, input.autoNumber, path, report);
  if (input.sticky === true) field.sticky = true;
  if (field.computed !== undefined) field.readOnly = true;
  if (field.item && input.choicesIf !== undefined) report(`${path}/choicesIf`, "must be left out: the field has several values");
  else if (Array.isArray(input.choicesIf))
    field.choicesIf = input.choicesIf.filter(isObject).map((one, i) => readChoices(field, one, `${path}/choicesIf/${i}`, report));
  if (!field.required || field.visibleIf === undefined) return;
  field.required = false; // what is not asked for need not be there
  field.requiredIf = "true";
}

function readCaseless(field: Field, path: string, report: ReportMistake): void {
  if (!KIND_TRAITS[field.kind].isText) report(`${path}/constraints/caseless`, "must be left out: only a field of type string has letters");
  else if (!field.unique) report(`${path}/constraints/caseless`, 'needs "unique": true beside it');
  else field.caseless = true;
}

/** It is unique by itself, and whoever makes a record need not know it. */
function readAutoNumber(field: Field, pattern: string, path: string, report: ReportMistake): void {
  const isPlain =
    KIND_TRAITS[field.kind].isText && !(field.format || field.isPerson || field.enum || field.pattern || field.computed || field.default);
  const mistake = isPlain
    ? patternMistake(pattern)
    : "must stand on a field of type string without format, enum, categories, pattern, default and computed";
  if (mistake) return void report(`${path}/autoNumber`, mistake);
  field.autoNumber = pattern;
  field.unique = true;
  field.required = false;
  field.pattern = new RegExp(`^(?:${numbersOf(pattern)})$`, "u");
  field.example ||= toNumber(pattern, "2026", 1);
}

function readChoices(field: Field, { when, values }: Record<string, unknown>, path: string, report: ReportMistake): Choices {
  const read = (Array.isArray(values) ? values : []).map((value) => readConstant(field, value));
  if (read.some((value) => value === undefined || (field.enum && !field.enum.includes(value))))
    report(`${path}/values`, `must be values that the field may have, of type ${field.kind}`);
  return { when: String(when), values: read as Value[] };
}
