// Checks the packed and binary numbers of a layout: where they may be, their length, and their other keys.

import type { Field, ReportMistake } from "../../../core/dictionary/fields.ts";
import type { Codec } from "../character-sets.ts";
import { isFloat, NUMERALS, type Usage } from "../cobol-numbers.ts";
import { KINDS_IN_LAYOUTS } from "../kinds-in-layouts.ts";
import { codesOf, type FixedLayout, figurativeByte, type LayoutField, type NumberPlace } from "../layout.ts";
import { isWhole } from "../numeral-field.ts";
import { detailsOf, fieldsOf } from "../select-detail.ts";

interface UsageRules {
  isLength(bytes: number): boolean;
  lengthRule: string;
  /** Says whether one character may fill the field where it has no value. */
  hasFill: boolean;
}

const FLOAT: UsageRules = {
  isLength: (bytes) => bytes === 4 || bytes === 8,
  lengthRule: "a floating-point number has 4 bytes (COMP-1) or 8 (COMP-2)",
  hasFill: false,
};
const BINARY: UsageRules = { isLength: (bytes) => bytes <= 8, lengthRule: "a binary number has at most 8 bytes", hasFill: false };

const RULES: Record<Usage, UsageRules> = {
  packed: {
    isLength: (bytes) => bytes <= 16,
    lengthRule: "a packed number has at most 16 bytes, which are 31 digits",
    hasFill: true,
  },
  "packed-unsigned": {
    isLength: (bytes) => bytes <= 15,
    lengthRule: "a packed number without a sign has at most 15 bytes, which are 30 digits",
    hasFill: true,
  },
  binary: BINARY,
  "binary-unsigned": BINARY,
  "little-endian": BINARY,
  "little-endian-unsigned": BINARY,
  float: FLOAT,
  "float-little-endian": FLOAT,
  "float-hexadecimal": FLOAT,
};

/** Checks every place with a usage, also in the trailer. */
export function checkUsages(layout: FixedLayout, report: ReportMistake): void {
  const { detail, trailer, lineEnd } = layout;
  const places: [path: string, place: Partial<NumberPlace>][] = [
    ...detail.fields.map((field, i): [string, LayoutField] => [`/detail/fields/${i}`, field]),
    ...(detail.occurs ?? []).map(({ dependingOn }, i): [string, NumberPlace] => [`/detail/occurs/${i}/dependingOn`, dependingOn]),
    ...(trailer?.count ? [["/trailer/count", trailer.count] as [string, NumberPlace]] : []),
    ...(trailer?.totals ?? []).map((total, i): [string, NumberPlace] => [`/trailer/totals/${i}`, total]),
  ];
  const used = places.filter(([, { usage }]) => usage !== undefined);
  for (const [path, { length, usage }] of used) {
    const { isLength, lengthRule } = RULES[usage as Usage];
    if (isFloat(usage) && path.startsWith("/trailer"))
      report(`${path}/usage`, "must be of whole numbers: a count or total has no decimals");
    if (length !== undefined && !isLength(length)) report(`${path}/length`, lengthRule);
  }
  const counts = detailsOf(layout).flatMap(({ occurs = [] }) => occurs.map(({ dependingOn }) => ["a count", dependingOn.usage] as const));
  const others = fieldsOf(layout).map(({ name, usage, encoding }) => [name, usage ?? encoding] as const);
  const inBytes = [...used.map(([path, place]) => [path, place.usage] as const), ...counts, ...others].find(([, what]) => what);
  if (inBytes && lineEnd !== "none")
    report("/lineEnd", `must be "none": bytes of ${inBytes[0]}, which is ${inBytes[1]}, may look like a line end`);
}

type Numeral = LayoutField & { usage: Usage };

/** `field`: undefined for a field with `skip`. */
export function checkNumerals(
  placed: Numeral,
  { field, codec }: { field: Field | undefined; codec: Codec },
  path: string,
  report: ReportMistake,
): void {
  const { usage, start, digits, values } = placed;
  if (start === undefined) report(`${path}/usage`, "needs a place: there is nothing to read");
  for (const key of ["pad", "justify", "sign"] as const) {
    if (placed[key] !== undefined) report(`${path}/${key}`, `is for numbers in characters; ${path}/usage says ${usage}`);
  }
  const numeral = field && KINDS_IN_LAYOUTS[field.kind].numeral;
  if (digits !== undefined && numeral !== "text") report(`${path}/digits`, "is for texts: a number needs no zeros in front");
  checkRoom(placed, codec, path, report);
  if (isFloat(usage)) checkFloat(placed, field, path, report);
  if (field && numeral === "format") checkDigits(placed, field, path, report);
  if (numeral === "code" && values === undefined) report(`${path}/values`, `is missing: say which numbers mean true and false`);
}

/** Checks a number whose digits are a date or a time. */
function checkDigits({ usage, format }: Numeral, field: Field, path: string, report: ReportMistake): void {
  const example = KINDS_IN_LAYOUTS[field.kind].propose(field).format;
  if (format === undefined) report(`${path}/format`, `is missing: say how the digits are a ${field.kind}, such as ${example}`);
  else if (/[^CYMDhmsf]/.test(format)) report(`${path}/format`, `must be of digits alone where usage is ${usage}, such as ${example}`);
}

function checkFloat({ usage, decimals }: Numeral, field: Field | undefined, path: string, report: ReportMistake): void {
  if (field && !KINDS_IN_LAYOUTS[field.kind].isNumeric)
    report(`${path}/usage`, `${usage} is for numbers; ${field.name} is of type ${field.kind}`);
  if (decimals !== undefined && decimals < 0)
    report(`${path}/decimals`, `must be 0 or more: a number with usage ${usage} is rounded to so many digits behind the point`);
}

/** Codes, null markers and digits must fit into the field. For a packed field, `null` may also be a fill character. */
function checkRoom(
  { usage, length = 0, digits, format, values = {}, ...rest }: Numeral,
  codec: Codec,
  path: string,
  report: ReportMistake,
): void {
  const { room, write } = NUMERALS[usage];
  if (!RULES[usage].isLength(length)) return;
  const needed = digits ?? format?.length ?? 0;
  if (needed > room(length)) {
    report(
      `${path}/${digits === undefined ? "format" : "digits"}`,
      `has ${needed} digits; ${length} bytes hold ${room(length)} where usage is ${usage}`,
    );
  }
  for (const code of Object.keys(values)) if (!write(code, length)) report(`${path}/values`, noNumber(code, usage, length));
  for (const code of codesOf(rest.null)) {
    const isFill = RULES[usage].hasFill && !isWhole(code) && codec.encode(code)?.length === 1;
    if (!isFill && figurativeByte(code) === undefined && !write(code, length)) report(`${path}/null`, noNumber(code, usage, length));
  }
}

function noNumber(code: string, usage: Usage, length: number): string {
  const orFill = RULES[usage].hasFill ? ', or for "null" the one character that fills the field' : "";
  return `"${code}" is not a ${usage} number of ${length} bytes: write digits${orFill}`;
}
