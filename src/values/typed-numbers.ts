// Numbers as the reader types them, with the signs of the chosen locale (Unicode CLDR, "Numbers").

import { isNumber, padDecimals } from "../../core/dictionary/decimals.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { readNumber, unwrapNumber } from "../../core/forms/number-forms.ts";
import { t } from "../../core/i18n/translate.ts";
import { currentLocale } from "./format.ts";
import { formatValue, isKey } from "./format-value.ts";

/** Says how a locale writes numbers. */
export interface NumberSigns {
  /** Is undefined for the browser's own. */
  locale: string | undefined;
  decimal: string;
  group: string;
  /** A whole number with group signs, after spaces and apostrophes became the group sign "_". */
  grouped: RegExp;
  /** The ten digits, 0 first. */
  digits: readonly string[];
}

const ASCII_DIGITS = [..."0123456789"];
const known = new Map<string | undefined, NumberSigns>();

/** Returns the signs of the chosen locale. */
export function numberSigns(): NumberSigns {
  const locale = currentLocale();
  let signs = known.get(locale);
  if (!signs) {
    signs = signsOf(locale);
    known.set(locale, signs);
  }
  return signs;
}

function signsOf(locale: string | undefined): NumberSigns {
  const parts = new Intl.NumberFormat(locale).formatToParts(123_456_789.5);
  const signOf = (type: string, usual: string) => parts.find((part) => part.type === type)?.value ?? usual;
  const hasPairs = parts.filter(({ type }) => type === "integer")[1]?.value.length === 2; // 12,34,56,789 as in India
  const digit = new Intl.NumberFormat(locale, { useGrouping: false });
  return {
    locale,
    decimal: signOf("decimal", "."),
    group: signOf("group", ""),
    grouped: hasPairs ? /^[1-9][0-9]{0,2}(?:_[0-9]{2,3})*_[0-9]{3}$/ : /^[1-9][0-9]{0,2}(?:_[0-9]{3})+$/,
    digits: ASCII_DIGITS.map((each) => digit.format(Number(each))),
  };
}

/** Numbers that people read as amounts. A number that is a key is copied sign by sign, and one of a closed list is chosen. */
export function isTypedNumber(field: Field): boolean {
  return KIND_TRAITS[field.kind].isAmount === true && !field.enum && !isKey(field);
}

export const MARKS = /[\u200e\u200f\u061c\u2060]/g; // direction marks that locales put around signs, and UNREAD
const MINUS = /^[-\u2212\u2012\u2013]/;
const SPACES = /(?<=[0-9])(?:[ \u00a0\u2009\u202f]|['\u2019])(?=[0-9])/g; // no locale writes decimals behind them (ISO 80000-1, 7.3.1)

/**
 * Returns the number as the dictionary and the service write it: "-1234.5". Undefined if the text is no number, or could be two of them:
 * "50.000" is fifty thousand in German, fifty in English, and in French it may be either.
 */
export function readTypedNumber(text: string, signs = numberSigns()): string | undefined {
  const typed = plainDigits(text, signs);
  const minus = typed.startsWith("-") ? "-" : "";
  const [whole = "", part, ...more] = typed.slice(minus.length).split(signs.decimal);
  if (more.length > 0) return undefined;
  const decimals = part === undefined ? "" : `.${part}`;
  // Programs write an exponent, and a point before decimals, but no group signs.
  const groups = EXPONENT.test(typed) ? whole : withGroupSign(whole, signs);
  if (groups === undefined) return undefined;
  if (signs.grouped.test(groups)) return numberOf(minus + groups.replaceAll("_", "") + decimals);
  // Keypads and programs write a point. It separates no groups here, so it stands before decimals.
  const hasPoint = signs.decimal !== "." && !isTwofold(groups);
  if (groups.includes("_") && !(hasPoint && groups === whole.replace(".", "_"))) return undefined;
  if ((whole.includes(".") && !hasPoint) || (whole === "" && !part)) return undefined;
  return numberOf(`${minus}${whole || "0"}${decimals}`); // ",5" is read, too
}

const EXPONENT = /[0-9]e[-+]?[0-9]+$/i;

/** Writes "_" for the group sign. Undefined for signs of two sorts: "1 234.567" is no whole number. */
function withGroupSign(whole: string, { group }: NumberSigns): string | undefined {
  const sorts = new Set(whole.match(/[^0-9]/g));
  if (sorts.size > 1 || sorts.has("_")) return undefined;
  const groups = whole.replace(SPACES, "_");
  return group === "" ? groups : groups.replaceAll(group, "_");
}

/** Is true of a point that the locale knows neither before decimals nor between groups, and behind it three digits: as in "50.000". */
function isTwofold(whole: string): boolean {
  return /^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(whole);
}

function numberOf(text: string): string | undefined {
  return isNumber(text) ? text : undefined;
}

/** Drops spaces around it and direction marks, and writes ASCII digits, and the hyphen as the minus sign. */
export function plainDigits(text: string, signs: Pick<NumberSigns, "digits">): string {
  return toAsciiDigits(text.trim().replace(MARKS, ""), signs).replace(MINUS, "-");
}

function toAsciiDigits(text: string, { digits }: Pick<NumberSigns, "digits">): string {
  if (digits[0] === "0") return text;
  return [...text].map((sign) => ASCII_DIGITS[digits.indexOf(sign)] ?? sign).join("");
}

const UNREAD = "\u2060"; // a word joiner: not seen, and part of no number

/** Reads the number also of a text with a currency, a plus, brackets, a minus behind it, or "–" for no decimals: "(1.234,50 €)", "12.–". */
export function readWrittenNumber(text: string, signs = numberSigns()): string | undefined {
  const alone = readTypedNumber(text, signs);
  if (alone !== undefined) return alone;
  const { rest, signs: marks } = unwrapNumber(plainDigits(text, signs));
  const number = readTypedNumber(rest.replace(NO_DECIMALS, ""), signs);
  if (number === undefined || number.startsWith("-") || marks.length > 1) return undefined;
  return marks === "" || marks === "+" ? number : `-${number}`;
}

const NO_DECIMALS = /[.,][-–]+$/;

/** Returns the number, or the text so that no rule takes it for one. */
export function readOrRefuse(text: string, signs = numberSigns()): string {
  return readWrittenNumber(text, signs) ?? (isNumber(text.trim()) ? `${text.trim()}${UNREAD}` : text);
}

/** Returns the text of an input for a number of the service: without group signs, so that it can be changed sign by sign. */
export function writeTypedNumber(field: Field, number: string, signs = numberSigns()): string {
  if (!isNumber(number)) return number;
  const padded = field.decimals === undefined ? number : padDecimals(number, field.decimals);
  const text = padded.replace(".", signs.decimal);
  return signs.digits[0] === "0" ? text : text.replace(/[0-9]/g, (digit) => signs.digits[Number(digit)] ?? digit);
}

/**
 * Says what was understood, where the text could mean another number to someone else: "50000" for "50.000", "1,5" for "1.5". A long one
 * is grouped as in the list, so that its zeros can be counted. Empty for digits with the locale’s own decimal sign, for other text
 * and for a field of another kind.
 */
export function understood(field: Field, text: string): string {
  if (!isTypedNumber(field)) return "";
  const signs = numberSigns();
  const number = readWrittenNumber(text, signs);
  const value = number === undefined ? undefined : KIND_TRAITS[field.kind].fromText(withoutZeros(field, number));
  if (value === undefined) return "";
  const isPlain = /^-?[0-9]*$/.test(toAsciiDigits(text.trim(), signs).replace(MINUS, "-").replace(signs.decimal, ""));
  if (isPlain) return "";
  const grouped = formatValue(field, value);
  // One sign alone could again be read in two ways, and the list shows at most twenty decimals.
  const isClear = (grouped.match(SIGNS_WITHIN)?.length ?? 0) > 1 && !String(value).includes("e");
  return isClear ? grouped : writeTypedNumber(field, String(value), signs);
}

const SIGNS_WITHIN = /(?<=\p{Nd})\P{Nd}(?=\p{Nd})/gu;

/** Decimals that are all zeros say nothing of a whole number: "5.00". */
export function withoutZeros({ kind }: Field, number: string): string {
  return KIND_TRAITS[kind].isWhole ? number.replace(/\.0+$/, "") : number;
}

/**
 * Returns the values that a refused text may have in another form, each as the reader writes it, and the decimal sign of that form: "1234,56" for
 * "1,234.56" in German. Two where nobody can tell, as of "50.000" in French.
 */
export function otherNumbers(field: Field, text: string): { texts: string[]; decimal: string } {
  const signs = numberSigns();
  const readings = readNumber(plainDigits(text, signs)).map((one) => ({ ...one, text: withoutZeros(field, one.text) }));
  const values = readings.flatMap(({ text: meant }) => KIND_TRAITS[field.kind].fromText(meant) ?? []);
  const texts = [...new Set(values.map((value) => writeTypedNumber(field, String(value), signs)))];
  return { texts, decimal: readings[0]?.name.charAt("number:".length) ?? "" };
}

/** Says what a number of the field must be, to end the sentence "Age must be …". */
export function numberExpected(field: Field): string {
  const { fromText, isWhole, example: usual = "" } = KIND_TRAITS[field.kind];
  const example = formatValue(field, fromText(field.example) ?? usual);
  return isWhole
    ? t("a whole number without leading zeros, such as {example}", { example }) // separators are read here
    : t("a number, such as {example}", { example });
}

/** Separates values of a list: where a comma stands before decimals, it cannot also end a value. */
export function separatorOf(field: Field): "," | ";" {
  return isTypedNumber(field) && numberSigns().decimal !== "." ? ";" : ",";
}
