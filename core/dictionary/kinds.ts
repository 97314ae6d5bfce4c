// Field kinds: how each is read from text and from JSON.

import { message, t } from "../i18n/translate.ts";
import { isMore, isNumber, keepsDigits, LongNumber, readDecimal } from "./decimals.ts";

/**
 * Every kind a field may have; the names are Table Schema's (Data Package v2, "Field types"). Only "decimal" is none of its types: it is a
 * number of which the dictionary says how many decimals are kept exactly (`"type": "number", "decimals": 2`).
 */
export const KIND_NAMES = ["string", "integer", "number", "decimal", "boolean", "date", "datetime", "time", "year"] as const;
export type Kind = (typeof KIND_NAMES)[number];

/**
 * A stored value. A decimal is text without an exponent and without zeros at its end, such as "-12.5". A date is "YYYY-MM-DD", a datetime
 * RFC 3339 in UTC with milliseconds, a time of day "hh:mm:ss"; all three sort as text. A year is a number.
 */
export type Value = string | number | boolean;

/**
 * Names what kinds have in common: which filter operators they have and how those and a bound are worded. text: has a length and may have a
 * pattern. amount: "or more". time: "or later"; a year is a time.
 */
export type KindFamily = "text" | "amount" | "time" | "yesNo";

/** `undefined` from a reader means: this is not of the kind. Text comes trimmed and not empty. */
export interface KindRule {
  family: KindFamily;
  /** Says whether digits may stand behind a point. */
  hasDecimals: boolean;
  /** Says what the value must be, to end the sentence "Age must be …"; `expected` fills in an example. */
  expects: string;
  example?: string;
  fromText(text: string): Value | undefined;
  fromJson(input: unknown): Value | undefined;
  /** The value as a text that `fromText` reads. Undefined: as it stands in JSON. */
  toText?(value: Value): string;
  /** Says whether it is of the kind, but would lose digits. */
  isTooLong?(input: unknown): boolean;
  /** Says whether `a` comes after `b`. Undefined: the kind has no minimum and no maximum. The store has an order of its own, also for text. */
  isAfter: ((a: Value, b: Value) => boolean) | undefined;
}

const INTEGER = /^-?(0|[1-9][0-9]{0,15})$/;
const YEAR = /^-?[0-9]{4}$/; // xsd:gYear without a zone. A fifth digit is a slip more often than a year
const LAST_YEAR = 9_999;
const TIME = /^([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.0+)?)?$/; // xsd:time without a zone, to the second. Inputs and people leave out :00
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
// RFC 3339 section 5.6. Seconds may be left out, because date-time inputs of browsers and spreadsheets leave them out. Digits after
// milliseconds would be lost, so they must be zeros.
const DATETIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:(\.[0-9]{1,3})0{0,6})?)?([Zz]|[+-][0-9]{2}:[0-9]{2})$/;
const FINER = /(:[0-9]{2}\.[0-9]{3})[0-9]{1,6}(?=[Zz+-])/;

const TRUE = new Set(["true", "True", "TRUE", "1"]); // Table Schema's default trueValues
const FALSE = new Set(["false", "False", "FALSE", "0"]);

export const KINDS: Record<Kind, KindRule> = {
  string: {
    family: "text",
    hasDecimals: false,
    expects: message("text"),
    fromText: (text) => text,
    fromJson: (input) => (typeof input === "string" ? input : undefined),
    isAfter: undefined,
  },
  integer: {
    family: "amount",
    hasDecimals: false,
    expects: message("a whole number without separators or leading zeros, such as {example}"),
    example: "100482",
    fromText: (text) => (INTEGER.test(text) ? safeInteger(Number(text)) : undefined),
    fromJson: (input) => (typeof input === "number" ? safeInteger(input) : undefined),
    isAfter,
  },
  number: {
    family: "amount",
    hasDecimals: true,
    expects: message("a number with a point before the decimals, such as {example}"),
    example: "12.5",
    fromText: (text) => (isNumber(text) && keepsDigits(text) ? finite(Number(text)) : undefined),
    fromJson: (input) => (typeof input === "number" ? finite(input) : undefined),
    isTooLong: (input) => input instanceof LongNumber || (typeof input === "string" && isNumber(input) && !keepsDigits(input)),
    isAfter,
  },
  decimal: {
    family: "amount",
    hasDecimals: true,
    expects: message("a number with a point before the decimals, such as {example}"),
    example: "12.5",
    fromText: readDecimal,
    fromJson: decimalFromJson,
    isAfter: (a, b) => isMore(String(a), String(b)),
  },
  boolean: {
    family: "yesNo",
    hasDecimals: false,
    expects: message("true or false"),
    fromText: (text) => (TRUE.has(text) ? true : FALSE.has(text) ? false : undefined),
    fromJson: (input) => (typeof input === "boolean" ? input : undefined),
    isAfter: undefined,
  },
  date: {
    family: "time",
    hasDecimals: false,
    expects: message("a date, such as {example}"),
    example: "2026-01-31",
    fromText: readDate,
    fromJson: (input) => (typeof input === "string" ? readDate(input) : undefined),
    isAfter,
  },
  datetime: {
    family: "time",
    hasDecimals: false,
    expects: message("a date and time with its time zone, such as {example}"),
    example: "2026-01-31T08:30:00Z",
    fromText: readDatetime,
    fromJson: (input) => (typeof input === "string" ? readDatetime(input) : undefined),
    isTooLong: (input) => typeof input === "string" && FINER.test(input) && readDatetime(input.replace(FINER, "$1")) !== undefined,
    isAfter,
  },
  time: {
    family: "time",
    hasDecimals: false,
    expects: message("a time of day, such as {example}"),
    example: "08:30",
    fromText: readTime,
    fromJson: (input) => (typeof input === "string" ? readTime(input) : undefined),
    isAfter,
  },
  year: {
    family: "time",
    hasDecimals: false,
    expects: message("a year of four digits, such as {example}"),
    example: "2026",
    fromText: (text) => (YEAR.test(text) ? safeInteger(Number(text)) : undefined),
    fromJson: (input) => (typeof input === "number" && Math.abs(input) <= LAST_YEAR ? safeInteger(input) : undefined),
    toText: (year) => (Number(year) < 0 ? "-" : "") + String(Math.abs(Number(year))).padStart(4, "0"),
    isAfter,
  },
};

/** Returns what a value of the kind must be, to end the sentence "Age must be …". `example` stands in it when it is a value of the kind. */
export function expected(kind: Kind, example = ""): string {
  const rule = KINDS[kind];
  return t(rule.expects, { example: rule.fromText(example) === undefined ? rule.example : example });
}

/** A value as it stands in a file or an address. */
export function textOfValue(kind: Kind, value: Value): string {
  return KINDS[kind].toText?.(value) ?? String(value);
}

/** Numbers by size, what tells a time by time. */
function isAfter(a: Value, b: Value): boolean {
  return a > b;
}

function safeInteger(n: number): number | undefined {
  return Number.isSafeInteger(n) ? n + 0 : undefined; // + 0 turns -0, which JSON can carry, into 0
}

/** Takes a text, or a number, of which the service reads every digit. */
function decimalFromJson(input: unknown): string | undefined {
  if (input instanceof LongNumber) return readDecimal(input.text);
  return typeof input === "string" || typeof input === "number" ? readDecimal(String(input)) : undefined;
}

function finite(n: number): number | undefined {
  return Number.isFinite(n) ? n + 0 : undefined;
}

function readDate(text: string): string | undefined {
  const parts = DATE.exec(text);
  if (!parts) return undefined;
  const [, year, month, day] = parts;
  // Date.UTC takes the years 0–99 as 1900–1999; setUTCFullYear does not. 31 February comes back as another day.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.toISOString().slice(0, 10) === text ? text : undefined;
}

function readTime(text: string): string | undefined {
  const [, hours, minutes, seconds = "00"] = TIME.exec(text) ?? [];
  return hours === undefined ? undefined : `${hours}:${minutes}:${seconds}`;
}

function readDatetime(text: string): string | undefined {
  const parts = DATETIME.exec(text);
  if (!parts) return undefined;
  const [, date, hours, minutes, seconds = "00", fraction = "", zone] = parts;
  if (readDate(date as string) === undefined) return undefined;
  // A leap second (…:60) is refused: it cannot be stored so that it reads back the same.
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const millis = fraction.slice(1).padEnd(3, "0");
  const instant = new Date(`${date}T${hours}:${minutes}:${seconds}.${millis}${zone?.toUpperCase()}`);
  if (Number.isNaN(instant.getTime())) return undefined;
  const written = instant.toISOString();
  return written.length === 24 ? written : undefined; // an offset must not push the year past 0000–9999
}
