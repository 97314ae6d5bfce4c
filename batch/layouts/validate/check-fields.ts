// Checks the detail fields of a layout against the dictionary: names, places and formats.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field, ReportMistake } from "../../../core/dictionary/fields.ts";
import { validateValue } from "../../../core/dictionary/validate.ts";
import { closest } from "../../../core/text/similarity.ts";
import type { Codec } from "../character-sets.ts";
import { readFormat } from "../dates.ts";
import { KIND_TRAITS } from "../kind-traits.ts";
import { codesOf, type LayoutField } from "../layout.ts";
import { checkNumerals } from "./check-numerals.ts";

interface FieldContext {
  collection: Collection;
  codec: Codec;
}

export function checkFields(fields: readonly LayoutField[], context: FieldContext, report: ReportMistake): void {
  const seen = new Map<string, number>();
  for (const [i, placed] of fields.entries()) {
    const path = `/detail/fields/${i}`;
    const first = seen.get(placed.name);
    if (first !== undefined) report(`${path}/name`, `${placed.name} stands in /detail/fields/${first} already`);
    seen.set(placed.name, i);
    const field = context.collection.byName.get(placed.name);
    if (!field && !placed.skip)
      report(`${path}/name`, unknownField(placed.name, context.collection, '; "skip": true reads a field for a total only'));
    if (field && placed.skip)
      report(`${path}/skip`, `${placed.name} is a field of ${context.collection.title}: call what is skipped otherwise`);
    checkWhere(placed, path, report);
    const { usage } = placed;
    if (usage) checkNumerals({ ...placed, usage }, { field, codec: context.codec }, path, report);
    else checkBytes(placed, context.codec, path, report);
    if (field) checkFormats(placed, field, path, report);
  }
}

/** `orElse`: advice for a name that resembles no field. */
export function unknownField(name: string, { title, byName }: Collection, orElse = ""): string {
  const meant = closest(name, [...byName.keys()]);
  return `${title} have no field "${name}"; ${meant ? `did you mean "${meant}"?` : `there are ${[...byName.keys()].join(", ")}${orElse}`}`;
}

function checkWhere({ start, length, constant, skip }: LayoutField, path: string, report: ReportMistake): void {
  const hasPlace = start !== undefined && length !== undefined;
  if (constant === undefined && start === undefined)
    report(`${path}/start`, 'is missing; a field that is not in the file has a "constant"');
  if (constant === undefined && length === undefined) report(`${path}/length`, "is missing");
  if (constant !== undefined && (start !== undefined || length !== undefined))
    report(`${path}/constant`, "cannot be combined with a place: leave out one of them");
  if (skip && !hasPlace) report(`${path}/skip`, "needs a place: there is nothing to read");
}

function checkBytes(
  { pad, length = 0, values = {}, digits, ...rest }: LayoutField,
  codec: Codec,
  path: string,
  report: ReportMistake,
): void {
  if (digits !== undefined) report(`${path}/digits`, 'is for a "usage": characters show their zeros');
  if (pad !== undefined && codec.encode(pad)?.length !== 1) report(`${path}/pad`, "must be one byte in this encoding");
  const codes: [path: string, code: string][] = [
    ...codesOf(rest.null).map((code): [string, string] => [`${path}/null`, code]),
    ...Object.keys(values).map((code): [string, string] => [`${path}/values`, code]),
  ];
  for (const [at, code] of codes) {
    const needed = codec.encode(code)?.length;
    if (needed === undefined) report(at, `"${code}" has a character that this encoding has not`);
    else if (needed > length) report(at, `"${code}" has ${needed} bytes; the field has ${length}`);
  }
}

/** Checks the keys that depend on the kind of the field. */
function checkFormats(placed: LayoutField, field: Field, path: string, report: ReportMistake): void {
  const { format, zone, decimals, sign, values = {}, constant } = placed;
  const { kind } = field;
  const traits = KIND_TRAITS[kind];
  if (decimals !== undefined && !traits.hasDecimals) report(`${path}/decimals`, `is for a number; ${field.name} is of type ${kind}`);
  if (sign !== undefined && !traits.isNumeric) report(`${path}/sign`, `is for numbers; ${field.name} is of type ${kind}`);
  if (zone !== undefined && traits.format !== "datetime")
    report(`${path}/zone`, `is for a date and time; ${field.name} is of type ${kind}`);
  if (format !== undefined) checkFormat(format, field, placed, path, report);
  for (const [code, meaning] of Object.entries(values)) checkMeaning(field, meaning, `${path}/values/${code}`, report);
  if (constant !== undefined) checkMeaning(field, constant, `${path}/constant`, report);
}

function checkMeaning(field: Field, text: string, path: string, report: ReportMistake): void {
  const validated = validateValue({ ...field, required: false }, text, "text");
  if (typeof validated === "object" && validated !== null) report(path, validated.message);
}

function checkFormat(
  format: string,
  { kind, name }: Field,
  { zone, length, usage }: LayoutField,
  path: string,
  report: ReportMistake,
): void {
  const read = readFormat(format);
  const wanted = KIND_TRAITS[kind].format;
  const wrong = wanted === undefined ? `is for dates; ${name} is of type ${kind}` : "wrong" in read ? read.wrong : undefined;
  if (wrong !== undefined) report(`${path}/format`, wrong);
  if ("wrong" in read || wrong !== undefined) return;
  if (length !== undefined && !usage && format.length > length)
    report(`${path}/format`, `has ${format.length} characters; the field has ${length}`);
  if (wanted === "date" && read.hasTime) report(`${path}/format`, `has a time; ${name} is a date`);
  if (wanted === "datetime" && !read.hasTime) report(`${path}/format`, `needs the time (hh, mm): ${name} is a date and time`);
  if (wanted === "datetime" && zone === undefined)
    report(`${path}/zone`, "is missing: a time without its zone could be any; say Z or such as +01:00");
}
