// The kinds of fields: one row of traits each.

import { message, t } from "../i18n/translate.ts";
import { readItems, writeItems } from "../text/items.ts";
import { isMore, isNumber, keepsDigits, LongNumber, readDecimal } from "./decimals.ts";

/**
 * Every kind a field may have; the names are Table Schema's (Data Package v2, "Field types"). Only "decimal" is none of its types: it is a
 * number of which the dictionary says how many decimals are kept exactly (`"type": "number", "decimals": 2`), and "file" a text that names
 * content (`"type": "string", "format": "file"`), of which "files" has several (`"type": "list", "format": "file"`).
 */
export const KIND_NAMES = [
  "string",
  "integer",
  "number",
  "decimal",
  "boolean",
  "date",
  "datetime",
  "time",
  "year",
  "list",
  "file",
  "files",
] as const;
export type Kind = (typeof KIND_NAMES)[number];

/**
 * A stored value. A decimal is text without an exponent and without zeros at its end, such as "-12.5". A date is "YYYY-MM-DD", a datetime
 * RFC 3339 in UTC with milliseconds, a time of day "hh:mm:ss"; all three sort as text. A year is a number. A list has at least one item, and
 * none twice. A file is the text that `writeFileValue` makes.
 */
export type Value = string | number | boolean | readonly Item[];

/** One of several values. */
export type Item = string | number;

/** Names what kinds have in common: which filter operators they have, and how those are worded. A year is a time. */
export type KindFamily = "text" | "amount" | "time" | "yesNo" | "list";

/**
 * Holds all that the dictionary knows of a kind: its row. Code asks for a trait and never for the name of a kind. `undefined` from a
 * reader means: this is not of the kind. Text comes trimmed and not empty.
 */
export interface KindTraits {
  family: KindFamily;
  /** Says what sort of value it is, for people. */
  title: string;
  /** Describes a value in JSON, as JSON Schema (2020-12) does. The OpenAPI document says what decimals and times are. */
  schema: Readonly<Record<string, unknown>>;
  /** Holds the attributes of its input, in forms, filters and changes of many. */
  input: { type: "text"; inputMode?: "numeric" | "decimal"; dir?: "auto" };
  /** Names its type in Table Schema, if not as the kind is named; the field's `decimals` tell it from that type. */
  type?: Kind;
  /** Says whether it has a length, and may have a pattern and a format. */
  isText?: true;
  /** Says whether it is an amount: aligned by its digits, and typed with the reader's decimal sign. */
  isAmount?: true;
  /** Says whether it counts: only such a field may be a key, and decimals that are all zeros mean nothing. */
  isWhole?: true;
  /** Says whether digits may stand behind a point. */
  hasDecimals?: true;
  /** Says whether its values are times, which people read in the form of their language. */
  isTime?: true;
  /** Says whether it is a moment, shown and typed in the reader's time zone. */
  isMoment?: true;
  /** Says whether it is a time of day, which people write in many ways. */
  isClock?: true;
  /** Says whether a value is several, each of the field's `item`. Such fields neither sort nor are unique, keys or names of records. */
  isList?: true;
  /** Says whether a value names content. Requests and files cannot give one: the content is sent to an address of its own. */
  isFile?: true;
  /** Says whether a field of it may have `categories` (Data Package v2, "Table Schema"). */
  hasCategories?: true;
  /** Lists its values with the words for them, if there are so few that one is chosen. */
  choices?: Readonly<Record<string, string>>;
  /** Says what the value must be, to end the sentence "Age must be …"; `expected` fills in an example. */
  expects: string;
  example?: string;
  /** Asks for a missing value, if not by "Enter the …". */
  asksFor?: string;
  /** `delimiter`: stands between several values, if not a comma. */
  fromText(text: string, delimiter?: string): Value | undefined;
  fromJson(input: unknown): Value | undefined;
  /** Writes the value as a text that `fromText` reads. Undefined: as it stands in JSON. */
  toText?(value: Value, delimiter?: string): string;
  /** Returns why a value of the kind cannot be stored: it would lose digits. */
  tooFine?(input: unknown): string | undefined;
  /** Holds its order; undefined: the kind has no minimum and no maximum. The store has an order of its own, also for text. */
  order?: Order;
  /** Returns values like those of the field, the best first. `row`: from 0. Not each has to obey the field's rules. */
  samples(field: Sampled, row: number): string[];
}

interface Order {
  /** Says whether `a` comes after `b`. */
  isAfter(a: Value, b: Value): boolean;
  /** Say that a value is below the minimum, or above the maximum. */
  tooSmall: string;
  tooLarge: string;
}

/** The properties of a field that its samples are made of. */
interface Sampled {
  title: string;
  example: string;
  minimum?: Value;
  maximum?: Value;
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

const TRUE_OR_FALSE = { true: message("Yes"), false: message("No") };
const TOO_MANY_DIGITS = message("{title} has more digits than can be stored without rounding. Use at most 15.");
const TOO_FINE = message("{title} has more digits of a second than can be stored. Use at most three.");
const LETTERS = "ABCDEFGHIJ"; // for fields too short for their example
const [DAY, HOUR] = [86_400_000, 3_600_000]; // ms

const BY_SIZE: Order = {
  isAfter,
  tooSmall: message("{title} must be {bound} or more."),
  tooLarge: message("{title} must be {bound} or less."),
};
const BY_TIME: Order = {
  isAfter,
  tooSmall: message("{title} must be {bound} or later."),
  tooLarge: message("{title} must be {bound} or earlier."),
};
const AMOUNT = { family: "amount", isAmount: true, order: BY_SIZE, samples: sampleNumbers } as const;
const TIMES = { family: "time", isTime: true, order: BY_TIME } as const;

const SEVERAL = {
  family: "list",
  schema: { type: "array" },
  input: { type: "text", dir: "auto" },
  isList: true,
  expects: message("a list of values, such as {example}"),
  example: "a, b",
  fromText: (text, delimiter) => someItems(readItems(text, delimiter)),
  fromJson: (input) => (Array.isArray(input) && input.every(isItem) ? someItems(input) : undefined),
  toText: (value, delimiter) => writeItems(itemsOf(value), delimiter),
} satisfies Omit<KindTraits, "title" | "samples">;

export const KIND_TRAITS: Record<Kind, KindTraits> = {
  string: {
    family: "text",
    title: message("Text"),
    schema: { type: "string" },
    input: { type: "text", dir: "auto" },
    isText: true,
    hasCategories: true,
    expects: message("text"),
    fromText: (text) => text,
    fromJson: (input) => (typeof input === "string" ? input : undefined),
    samples: ({ title, example }, row) => [
      row === 0 ? example : `${example} ${row + 1}`,
      `${title} ${row + 1}`,
      LETTERS[row % LETTERS.length] as string,
    ],
  },
  integer: {
    ...AMOUNT,
    title: message("Whole number"),
    schema: { type: "integer" },
    input: { type: "text", inputMode: "numeric" },
    isWhole: true,
    hasCategories: true,
    expects: message("a whole number without separators or leading zeros, such as {example}"),
    example: "100482",
    fromText: (text) => (INTEGER.test(text) ? safeInteger(Number(text)) : undefined),
    fromJson: (input) => (typeof input === "number" ? safeInteger(input) : undefined),
  },
  number: {
    ...AMOUNT,
    title: message("Number"),
    schema: { type: "number" },
    input: { type: "text", inputMode: "decimal" },
    hasDecimals: true,
    expects: message("a number with a point before the decimals, such as {example}"),
    example: "12.5",
    fromText: (text) => (isNumber(text) && keepsDigits(text) ? finite(Number(text)) : undefined),
    fromJson: (input) => (typeof input === "number" ? finite(input) : undefined),
    tooFine: (input) =>
      input instanceof LongNumber || (typeof input === "string" && isNumber(input) && !keepsDigits(input)) ? TOO_MANY_DIGITS : undefined,
  },
  decimal: {
    ...AMOUNT,
    title: message("Exact number"),
    schema: { type: "string", pattern: "^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$" },
    input: { type: "text", inputMode: "decimal" },
    type: "number",
    hasDecimals: true,
    expects: message("a number with a point before the decimals, such as {example}"),
    example: "12.5",
    fromText: readDecimal,
    fromJson: decimalFromJson,
    order: { ...BY_SIZE, isAfter: (a, b) => isMore(String(a), String(b)) },
  },
  boolean: {
    family: "yesNo",
    title: message("Yes or no"),
    schema: { type: "boolean" },
    input: { type: "text" }, // where it is no choice
    choices: TRUE_OR_FALSE,
    expects: message("true or false"),
    asksFor: message("Choose yes or no for {title}."),
    fromText: (text) => (TRUE.has(text) ? true : FALSE.has(text) ? false : undefined),
    fromJson: (input) => (typeof input === "boolean" ? input : undefined),
    samples: (_, row) => [String(row % 2 === 0)],
  },
  date: {
    ...TIMES,
    title: message("Date"),
    schema: { type: "string", format: "date" },
    // An input of type "date" shows the browser's form instead of the reader's, and takes no 9.3. and no "yesterday".
    input: { type: "text" },
    expects: message("a date, such as {example}"),
    example: "2026-01-31",
    fromText: readDate,
    fromJson: (input) => (typeof input === "string" ? readDate(input) : undefined),
    samples: ({ example }, row) => [new Date(Date.parse(example || "2026-01-31") + row * DAY).toISOString().slice(0, 10)],
  },
  datetime: {
    ...TIMES,
    title: message("Date and time"),
    schema: { type: "string", format: "date-time" },
    input: { type: "text" },
    isMoment: true,
    expects: message("a date and time with its time zone, such as {example}"),
    example: "2026-01-31T08:30:00Z",
    fromText: readDatetime,
    fromJson: (input) => (typeof input === "string" ? readDatetime(input) : undefined),
    tooFine: (input) =>
      typeof input === "string" && FINER.test(input) && readDatetime(input.replace(FINER, "$1")) !== undefined ? TOO_FINE : undefined,
    samples: ({ example }, row) => [new Date(Date.parse(example || "2026-01-31T08:30:00Z") + row * DAY).toISOString()],
  },
  time: {
    ...TIMES,
    title: message("Time of day"),
    // The format "time" has a zone (RFC 3339, full-time), and this none. Seconds may be left out in a request.
    schema: { type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$" },
    input: { type: "text" },
    isClock: true,
    expects: message("a time of day, such as {example}"),
    example: "08:30",
    fromText: readTime,
    fromJson: (input) => (typeof input === "string" ? readTime(input) : undefined),
    samples: ({ example }, row) => {
      const first = Date.parse(`2026-01-31T${readTime(example) ?? "08:30:00"}Z`);
      return [new Date(first + row * HOUR).toISOString().slice(11, 19)];
    },
  },
  year: {
    ...TIMES,
    title: message("Year"),
    schema: { type: "integer", minimum: -LAST_YEAR, maximum: LAST_YEAR },
    input: { type: "text", inputMode: "numeric" },
    expects: message("a year of four digits, such as {example}"),
    example: "2026",
    fromText: (text) => (YEAR.test(text) ? safeInteger(Number(text)) : undefined),
    fromJson: (input) => (typeof input === "number" && Math.abs(input) <= LAST_YEAR ? safeInteger(input) : undefined),
    toText: writeYear,
    samples: ({ example, minimum }, row) => [writeYear(Number(example || (minimum ?? 2026)) + row)],
  },
  // The items are judged by the field's `item` (validateValue), which knows what they are.
  list: { ...SEVERAL, title: message("Several values"), samples: ({ example }) => [example] },
  // Any text is read, for filters; `file` of the field says that nobody gives one (validateValue).
  file: {
    family: "text",
    title: message("File"),
    schema: { type: "string" },
    input: { type: "text", dir: "auto" },
    type: "string",
    isFile: true,
    expects: message("text"),
    fromText: (text) => text,
    fromJson: (input) => (typeof input === "string" ? input : undefined),
    samples: () => [],
  },
  // It is like a list: the items, of kind "file", say that nobody gives one.
  files: { ...SEVERAL, title: message("Several files"), type: "list", isFile: true, samples: () => [] },
};

function sampleNumbers({ example, minimum, maximum }: Sampled, row: number): string[] {
  return [String(Number(example || (minimum ?? 1)) + row), String(Number(minimum ?? 1) + row), String(maximum ?? "")];
}

function writeYear(year: Value): string {
  return (Number(year) < 0 ? "-" : "") + String(Math.abs(Number(year))).padStart(4, "0");
}

/** Returns what a value of the kind must be, to end the sentence "Age must be …". `example` stands in it when it is a value of the kind. */
export function expected(kind: Kind, example = ""): string {
  const traits = KIND_TRAITS[kind];
  return t(traits.expects, { example: traits.fromText(example) === undefined ? traits.example : example });
}

/** Returns a value as it stands in a file or an address. */
export function textOfValue({ kind, delimiter }: { kind: Kind; delimiter?: string }, value: Value): string {
  return KIND_TRAITS[kind].toText?.(value, delimiter) ?? String(value);
}

/** Says whether two values are the same; of several the order counts. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b || !Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

/** Returns the items of a list; of no value, and of another one, there are none. */
export function itemsOf(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value : [];
}

function isItem(given: unknown): given is Item {
  return typeof given === "string" || typeof given === "number";
}

function someItems(items: readonly Item[]): Value | undefined {
  return items.length > 0 ? items : undefined;
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
