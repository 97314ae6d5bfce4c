// Checks the detail fields of a layout against the dictionary: names, places and formats.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field, ReportMistake } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { isProblem, validateValue } from "../../../core/dictionary/validate.ts";
import { closest } from "../../../core/text/similarity.ts";
import { type Codec, encodeNational, type LayoutEncoding } from "../character-sets.ts";
import { type DateFormat, readFormat } from "../dates.ts";
import { isEbcdic } from "../ebcdic.ts";
import { expandPicture, isEditedNumber } from "../edited-numbers.ts";
import { openCell, padText } from "../field-codec.ts";
import { KINDS_IN_LAYOUTS } from "../kinds-in-layouts.ts";
import { codesOf, figurativeByte, type LayoutField } from "../layout.ts";
import { hasDaylightSaving, isZone } from "../time-zones.ts";
import { checkNumerals } from "./check-numerals.ts";

interface FieldContext {
  collection: Collection;
  codec: Codec;
  encoding: LayoutEncoding;
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
    let isRight = true;
    const reportHere: ReportMistake = (where, message) => {
      isRight = false;
      report(where, message);
    };
    checkWhere(placed, path, reportHere);
    const { usage } = placed;
    if (placed.encoding) checkNational(placed, field, path, reportHere);
    if (usage) checkNumerals({ ...placed, usage }, { field, codec: context.codec }, path, reportHere);
    else checkBytes(placed, context, path, reportHere);
    if (field) checkFormats(placed, field, path, reportHere);
    if (isRight) checkCodesAreFound(placed, context, path, report);
  }
}

function checkNational({ encoding, usage, length = 0 }: LayoutField, field: Field | undefined, path: string, report: ReportMistake): void {
  const traits = field && KINDS_IN_LAYOUTS[field.kind];
  if (usage || traits?.numeral !== "text" || traits.format) report(`${path}/encoding`, `${encoding} is for texts alone`);
  if (length % 2 === 1) report(`${path}/length`, "must be even: a national character has two bytes");
}

/** A code is never found where reading takes a part of it away, such as padding, or makes other digits of it. */
function checkCodesAreFound(placed: LayoutField, { collection, encoding }: FieldContext, path: string, report: ReportMistake): void {
  const { usage, values = {} } = placed;
  if (placed.length === undefined || usage) return; // codes of numbers in bytes are compared as numbers
  const length = placed.encoding ? placed.length / 2 : placed.length;
  const cell = openCell(placed, collection, encoding);
  const readings = (code: string) =>
    [padText(code, length, cell.filling), code.padEnd(length), code.padStart(length)].map((text) => cell.read(text));
  const complain = (where: string, code: string, meant: string) => {
    const read = readings(code);
    if (read.includes(meant)) return;
    report(
      where,
      `"${code}" is never found: in ${length} bytes it is read as "${read[0]}"; write it as it stands there without its padding`,
    );
  };
  for (const code of codesOf(placed.null)) if (figurativeByte(code) === undefined) complain(`${path}/null`, code, "");
  for (const [code, meaning] of Object.entries(values)) complain(`${path}/values`, code, meaning);
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
  { pad, length = 0, values = {}, digits, sign, ...rest }: LayoutField,
  { codec, encoding }: FieldContext,
  path: string,
  report: ReportMistake,
): void {
  const encode = rest.encoding ? encodeNational : (text: string) => codec.encode(text);
  if (sign?.startsWith("overpunch-ascii") && isEbcdic(encoding))
    report(`${path}/sign`, `is for encodings with ASCII: in ${encoding} it is overpunch${sign.endsWith("leading") ? "-leading" : ""}`);
  if (digits !== undefined) report(`${path}/digits`, 'is for a "usage": characters show their zeros');
  if (pad !== undefined && figurativeByte(pad) === undefined && encode(pad)?.length !== encode(" ")?.length)
    report(`${path}/pad`, "must be one byte in this encoding");
  const codes: [path: string, code: string][] = [
    ...codesOf(rest.null).flatMap((code): [string, string][] => (figurativeByte(code) === undefined ? [[`${path}/null`, code]] : [])),
    ...Object.keys(values).map((code): [string, string] => [`${path}/values`, code]),
  ];
  for (const [at, code] of codes) {
    const needed = encode(code)?.length;
    if (needed === undefined) report(at, `"${code}" has a character that this encoding does not have`);
    else if (needed > length) report(at, `"${code}" has ${needed} bytes; the field has ${length}`);
  }
}

/** Checks the keys that depend on the kind of the field. */
function checkFormats(placed: LayoutField, field: Field, path: string, report: ReportMistake): void {
  const { format, zone, decimals, sign, values = {}, constant } = placed;
  const { kind } = field;
  const traits = KINDS_IN_LAYOUTS[kind];
  if (decimals !== undefined && (decimals < 0 ? !traits.isNumeric : !KIND_TRAITS[kind].hasDecimals))
    report(`${path}/decimals`, `is for a number; ${field.name} is of type ${kind}`);
  if (placed.picture !== undefined) checkPicture({ ...placed, picture: placed.picture }, field, path, report);
  if (sign !== undefined && !traits.isNumeric) report(`${path}/sign`, `is for numbers; ${field.name} is of type ${kind}`);
  for (const key of ["zone", "disambiguation"] as const) {
    if (placed[key] !== undefined && traits.format !== "datetime")
      report(`${path}/${key}`, `is for a date and time; ${field.name} is of type ${kind}`);
  }
  if (zone !== undefined && !isZone(zone)) report(`${path}/zone`, unknownZone(zone));
  if (placed.disambiguation !== undefined && (zone === undefined || !hasDaylightSaving(zone)))
    report(`${path}/disambiguation`, "is for a zone whose clocks are set forward and back, such as Europe/Berlin");
  if (placed.pivot !== undefined && !format?.replace("YYYY", "").replace("CYY", "").includes("YY"))
    report(`${path}/pivot`, "is for a format with a year of two digits (YY)");
  if (format !== undefined) checkFormat(format, field, placed, path, report);
  for (const [code, meaning] of Object.entries(values)) checkMeaning(field, meaning, `${path}/values/${code}`, report);
  if (constant !== undefined) checkMeaning(field, constant, `${path}/constant`, report);
}

function checkPicture(placed: LayoutField & { picture: string }, { name, kind }: Field, path: string, report: ReportMistake): void {
  const { picture, length } = placed;
  const others = (["usage", "sign", "decimals", "digits", "pad", "justify"] as const).filter((key) => placed[key] !== undefined);
  const width = expandPicture(picture).length;
  if (!KINDS_IN_LAYOUTS[kind].isNumeric) report(`${path}/picture`, `is for numbers; ${name} is of type ${kind}`);
  else if (!isEditedNumber(picture)) report(`${path}/picture`, `${picture} is not known here: read the field as text`);
  else if (others.length > 0) report(`${path}/picture`, `says it all: leave ${others.join(" and ")} out`);
  else if (length !== undefined && length !== width) report(`${path}/picture`, `has ${width} characters; the field has ${length}`);
}

export function unknownZone(zone: string): string {
  const meant = closest(zone, Intl.supportedValuesOf("timeZone"));
  return `is no zone that this program knows; ${meant ? `did you mean "${meant}"?` : "write it as in Europe/Berlin"}`;
}

function checkMeaning(field: Field, text: string, path: string, report: ReportMistake): void {
  const validated = validateValue({ ...field, required: false }, text, "text");
  if (isProblem(validated)) report(path, validated.message);
}

type Subject = DateFormat["is"];
const SUBJECTS: Record<Subject, string> = { date: "a date", datetime: "a date and time", time: "a time of day", year: "a year" };

function whyOther(is: Subject, wanted: Subject, name: string): string {
  if (wanted === "date" && is === "datetime") return `has a time; ${name} is a date`;
  if (wanted === "datetime" && is === "date") return `needs the time (hh, mm): ${name} is a date and time`;
  return `describes ${SUBJECTS[is]}; ${name} is ${SUBJECTS[wanted]}`;
}

function checkFormat(
  format: string,
  { kind, name }: Field,
  { zone, pivot, length, usage }: LayoutField,
  path: string,
  report: ReportMistake,
): void {
  const read = readFormat(format, pivot);
  const wanted = KINDS_IN_LAYOUTS[kind].format;
  const wrong = wanted === undefined ? `is for dates; ${name} is of type ${kind}` : "wrong" in read ? read.wrong : undefined;
  if (wrong !== undefined) report(`${path}/format`, wrong);
  if ("wrong" in read || wrong !== undefined) return;
  if (length !== undefined && !usage && format.length > length)
    report(`${path}/format`, `has ${format.length} characters; the field has ${length}`);
  if (wanted !== undefined && wanted !== read.is) report(`${path}/format`, whyOther(read.is, wanted, name));
  if (wanted === "datetime" && zone === undefined)
    report(`${path}/zone`, "is missing: a time without its zone could be any; say Z, such as +01:00, or such as Europe/Berlin");
}
