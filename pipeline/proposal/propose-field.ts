// Proposes what the field of a column is, each part with its reason in words. What is uncertain stays text.

import { message, t, tCount, tNumber } from "../../core/i18n/translate.ts";
import { fold } from "../../core/text/fold.ts";
import type { AutoFixName } from "../model/value-fixes.ts";
import type { ColumnWatch } from "./column-watch.ts";
import { hasShortYear, type ValueReader } from "./value-readers.ts";

/** The sorts of fields that a column can become. */
export const PROPOSED_SORTS = [
  "text",
  "multiline",
  "choice",
  "integer",
  "decimal",
  "number",
  "boolean",
  "date",
  "datetime",
  "time",
  "year",
  "email",
  "phone",
  "uri",
] as const;
export type ProposedSort = (typeof PROPOSED_SORTS)[number];

export interface FieldProposal {
  sort: ProposedSort;
  /** Belongs to an exact number. */
  decimals?: number;
  /** Lists, for a choice, the values of its list. */
  choices?: readonly string[];
  /** Counts, for text, the most characters. */
  maxLength?: number;
  isRequired: boolean;
  isUnique: boolean;
  /** Fixes by which the cells of this file are read. */
  fixes: readonly AutoFixName[];
  /** The unit that stands beside the numbers. */
  unit?: string;
  /** Says in sentences why it is so. */
  evidence: readonly string[];
}

/** Headings whose digits are no amounts, though they may look so. */
const DIGITS_AS_TEXT =
  /(?:^|[^\p{L}])(?:plz|zip|post(?:al)?[- _]?code|iban|bic|isbn|ean|gtin|barcode|vin|tel|fax|phone|mobile?|handy)(?:$|[^\p{L}])|postleitzahl|telefon|telephone|phone|mobil|kontonummer|bankleitzahl|steuernummer|account ?(?:id|no|number)/iu;
const PHONE = /(?:^|[^\p{L}])(?:tel|fax|mobile?|handy)(?:$|[^\p{L}])|telefon|telephone|phone|mobil/iu;
const YEAR = /(?:^|[^\p{L}])(?:year|jahr)$|(?:jahr|jahrgang)$/iu;
const IDENTIFIER =
  /(?:^|[^\p{L}])(?:id|no|nr|num|number|nummer|code|key|sku|e-?mail|isbn|iban|vin|serial|kennzeichen)\.?(?:$|[^\p{L}])|(?:nummer|nr\.?|ID)$/u;

/** Says whether the heading names what tells records apart. */
function namesAnIdentifier(heading: string): boolean {
  return IDENTIFIER.test(heading) || IDENTIFIER.test(heading.toLowerCase());
}

/** Says whether the heading names a year. */
export function namesAYear(heading: string): boolean {
  return YEAR.test(heading);
}

const ENOUGH_ROWS = 10; // below it, that every row has a value says little
const MOST_CHOICES = 20;
const LONGEST_CHOICE = 60; // characters
const ROWS_A_CHOICE = 5;
const FAR_DIGITS = 11; // more are rather an identifier than an amount
const MOST_DECIMALS = 10;

export function proposeField(heading: string, column: ColumnWatch, rows: number): FieldProposal {
  if (column.filled === 0) return { ...UNKNOWN, evidence: [t("No row has a value.")] };
  const found = sortOf(heading, column);
  const isText = found.sort === "text" || found.sort === "multiline" || found.sort === "choice";
  const fixes = [
    ...found.fixes,
    ...(column.words > 0 && !isText ? (["empty"] as const) : []),
    ...(column.hasHidden ? (["hidden"] as const) : []),
  ];
  const filled = isText ? column.filled : column.meant;
  const isRequired = rows >= ENOUGH_ROWS && filled === rows;
  const isUnique = isIdentifier(heading, column, found.sort);
  const evidence = [
    ...found.evidence,
    ...(isUnique ? [t("No value stands there twice.")] : []),
    filled === rows
      ? t("Every row has a value.")
      : tCount(rows - filled, "{n} row has no value.", "{n} rows have no value.", { n: tNumber(rows - filled) }),
    ...(found.maxLength ? [t("The longest has {n} characters.", { n: tNumber(column.longest) })] : []),
  ];
  return { ...found, fixes, isRequired, isUnique, evidence };
}

const UNKNOWN: FieldProposal = { sort: "text", isRequired: false, isUnique: false, fixes: [], evidence: [], maxLength: 200 };

type Found = Omit<FieldProposal, "isRequired" | "isUnique">;

function sortOf(heading: string, column: ColumnWatch): Found {
  const { yesNo, date, moment, clock, email, uri, phone, international } = column;
  if (yesNo.isAnswered) {
    const fixes = allOf(column, yesNo);
    if (fixes) return { sort: "boolean", fixes, evidence: [inWords("boolean", column, yesNo)] };
  }
  const times = [["date", date], ["time", clock], ["datetime", moment]] as const; // biome-ignore format: short
  for (const [sort, reader] of times) {
    const fixes = allOf(column, reader);
    if (fixes) return { sort, fixes, evidence: [inWords(sort, column, reader)] };
  }
  const amount = amountOf(heading, column);
  if (amount) return amount;
  const formats = [["email", email], ["uri", uri], ["phone", PHONE.test(heading) ? phone : international]] as const; // biome-ignore format: short
  for (const [sort, reader] of formats) {
    const fixes = allOf(column, reader);
    if (fixes) return { sort, fixes, evidence: [inWords(sort, column, reader)] };
  }
  return textOf(heading, column);
}

/** Returns the fixes with which every meant cell of the column is read. */
function allOf({ meant, words }: ColumnWatch, reader: ValueReader): AutoFixName[] | undefined {
  return meant > words && reader.fits === meant ? reader.forms() : undefined;
}

function amountOf(heading: string, column: ColumnWatch): Found | undefined {
  const { number } = column;
  const fixes = allOf(column, number);
  const units = [...number.units].filter((unit) => unit !== "");
  const [unit] = units;
  if (!fixes || DIGITS_AS_TEXT.test(heading) || units.length > 1) return undefined;
  const isPlain = fixes.length === 0;
  const shared = { fixes, ...(unit && { unit }) };
  const unitWords = unit ? [t("Each amount is in {unit}.", { unit })] : [];
  if (number.hasLongFractions || number.decimals > MOST_DECIMALS)
    return isPlain && !unit ? { sort: "number", ...shared, evidence: [inWords("number", column, number)] } : undefined;
  if (number.decimals > 0) {
    const decimals = Math.max(2, number.decimals);
    const evidence = [
      inWords("decimal", column, number),
      t("At most {n} digits stand behind the point.", { n: number.decimals }),
      ...unitWords,
    ];
    return { sort: "decimal", decimals, ...shared, evidence };
  }
  if (number.longest > FAR_DIGITS && !(column.isKey && namesAnIdentifier(heading))) return undefined;
  const isYear = isPlain && namesAYear(heading) && number.longest === 4 && number.least >= 1000;
  const sort = isYear ? "year" : "integer";
  return { sort, ...shared, evidence: [inWords(sort, column, number), ...unitWords] };
}

function textOf(heading: string, column: ColumnWatch): Found {
  const { filled, values, hasMore, longest, hasLines } = column;
  const maxLength = roomFor(longest);
  if (hasLines) return { sort: "multiline", maxLength, fixes: [], evidence: [t("Some values have several lines.")] };
  const why = whyText(heading, column);
  const distinct = values.size;
  const isFew = !hasMore && distinct >= 2 && distinct <= MOST_CHOICES && filled >= ROWS_A_CHOICE * distinct;
  const isChoice = isFew && longest <= LONGEST_CHOICE && column.words === 0 && why.length === 0;
  const spellings = isChoice ? twoSpellings([...values.keys()]) : undefined;
  const evidence = [
    hasMore
      ? t("More than {n} different values.", { n: tNumber(distinct) })
      : tCount(distinct, "{n} different value.", "{n} different values.", { n: tNumber(distinct) }),
    ...(spellings ? [t("“{a}” and “{b}” may be one value, so this is no list.", spellings)] : []),
    ...why,
  ];
  if (!isChoice || spellings) return { sort: "text", maxLength, fixes: [], evidence };
  return { sort: "choice", choices: [...values.keys()], fixes: [], evidence };
}

/** Finds two values that differ in what people do not look at. */
function twoSpellings(values: readonly string[]): { a: string; b: string } | undefined {
  const seen = new Map<string, string>();
  for (const b of values) {
    const a = seen.get(fold(b));
    if (a !== undefined) return { a, b };
    seen.set(fold(b), b);
  }
  return undefined;
}

/** Says why it stays text although most values look like something else. */
function whyText(heading: string, column: ColumnWatch): string[] {
  const { date, moment, clock, number, email, meant } = column;
  const isNumber = number.fits === meant && meant > 0;
  if (number.zeros > 0) return [t("Values begin with a zero, which a number would lose, so this stays text.")];
  if (isNumber && DIGITS_AS_TEXT.test(heading)) return [t("These digits are a name and no amount, so this stays text.")];
  if (isNumber && number.longest > FAR_DIGITS) return [t("So many digits are a name and no amount, so this stays text.")];
  if (isNumber && number.units.size > 1) return [t("The amounts have different units, so this stays text.")];
  if (number.fits === meant && number.asked)
    return [
      t("The point or comma of “{text}” may stand before decimals or between thousands, so this stays text.", { text: number.asked }),
    ];
  if (date.fits === meant && date.asked)
    return [t("“{text}” does not say whether the day or the month stands first, so this stays text.", { text: date.asked })];
  if (date.misfit && hasShortYear(date.misfit)) return [t("“{text}” does not say its century, so this stays text.", { text: date.misfit })];
  const near = [["date", date], ["datetime", moment], ["time", clock], ["decimal", number], ["email", email]] as const; // biome-ignore format: short
  for (const [sort, reader] of near) {
    if (reader.isGivenUp || reader.misfits === 0 || reader.fits < 4 * reader.misfits) continue;
    const values = { n: tNumber(reader.misfits), all: tNumber(meant), text: reader.misfit };
    return [t(MISFITS[sort], values)];
  }
  return [];
}

const MISFITS = {
  date: message("{n} of {all} values are no dates, such as “{text}”, so this stays text."),
  datetime: message("{n} of {all} values are no dates with a time, such as “{text}”, so this stays text."),
  time: message("{n} of {all} values are no times of day, such as “{text}”, so this stays text."),
  decimal: message("{n} of {all} values are no numbers, such as “{text}”, so this stays text."),
  email: message("{n} of {all} values are no e-mail addresses, such as “{text}”, so this stays text."),
};

const ALL_ARE: Record<Exclude<ProposedSort, "text" | "multiline" | "choice">, string> = {
  integer: message("All {n} values are whole numbers."),
  decimal: message("All {n} values are numbers with decimals."),
  number: message("All {n} values are numbers."),
  boolean: message("All {n} values are yes or no."),
  date: message("All {n} values are dates."),
  datetime: message("All {n} values are dates with a time."),
  time: message("All {n} values are times of day."),
  year: message("All {n} values are years."),
  email: message("All {n} values are e-mail addresses."),
  phone: message("All {n} values are phone numbers."),
  uri: message("All {n} values are web addresses."),
};

function inWords(sort: keyof typeof ALL_ARE, { meant }: ColumnWatch, { formed }: ValueReader): string {
  const all = meant === 1 ? t("There is only one value.") : t(ALL_ARE[sort], { n: tNumber(meant) });
  return formed && sort !== "boolean" ? `${all} ${t("They are written like “{text}”.", { text: formed })}` : all;
}

/** A name or an amount that happens to stand nowhere twice tells no records apart. */
function isIdentifier(heading: string, { values, hasMore, filled, words, samples }: ColumnWatch, sort: ProposedSort): boolean {
  if (hasMore || values.size < filled || filled < ENOUGH_ROWS || words > 0) return false;
  if (sort !== "text" && sort !== "integer" && sort !== "email") return false;
  const isCode =
    sort === "text" && filled >= 50 && !DIGITS_AS_TEXT.test(heading) && samples.every((text) => /\d/.test(text) && !/\s/.test(text));
  return namesAnIdentifier(heading) || isCode;
}

const ROOMS = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];

/** Returns twice as much as the longest value needs, so that the next file fits as well. */
function roomFor(longest: number): number {
  return ROOMS.find((room) => room >= 2 * longest) ?? 4 * longest;
}
