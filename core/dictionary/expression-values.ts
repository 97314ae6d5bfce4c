// Declares the values of expressions, and how they are calculated and compared.

import type { Field } from "./fields.ts";
import { itemsOf, KIND_TRAITS, type KindFamily, type Value } from "./kinds.ts";

/** Says who saves. Programs are known by their key. */
export interface Me {
  id: string;
  name: string;
}

/** Holds all that an expression may read. `old`: the record as it was stored, null for a new one. `today`: YYYY-MM-DD. */
export interface Scope {
  record: Readonly<Record<string, unknown>>;
  old: Readonly<Record<string, unknown>> | null;
  me: Me | null;
  today: string;
}

/** Null means empty: there is no value, or none that can be told. */
export type Result = Value | null;

/** The types of values in expressions, of which two are several values. Years and decimals are numbers. "null" is the type of a value that is always empty. */
export type ExpressionType = "text" | "number" | "boolean" | "date" | "datetime" | "time" | "texts" | "numbers" | "null";

const TYPES_OF_FAMILIES: Record<KindFamily, ExpressionType> = {
  text: "text",
  amount: "number",
  time: "date",
  yesNo: "boolean",
  list: "texts",
};

/** Returns the type that values of a field have in expressions. */
export function typeOfField({ kind, item }: Pick<Field, "kind" | "item">): ExpressionType {
  if (item) return typeOfField(item) === "number" ? "numbers" : "texts";
  const { isMoment, isClock, family, schema } = KIND_TRAITS[kind];
  if (isMoment) return "datetime";
  if (isClock) return "time";
  return schema.type === "integer" ? "number" : TYPES_OF_FAMILIES[family];
}

/** Calculates as a spreadsheet does, with 15 digits, so that 0.1 + 0.2 is 0.3. */
export function calculated(a: Result, b: Result, count: (a: number, b: number) => number): Result {
  if (a === null || b === null) return null;
  const result = count(Number(a), Number(b));
  if (!Number.isFinite(result)) return null; // divided by zero, or larger than any number
  if (Number.isSafeInteger(result)) return result + 0;
  const size = Math.abs(result);
  const short = Math.round(result * SHORT) / SHORT; // most sums are money: toPrecision is ten times as slow and says the same of them
  return size < MONEY && Math.abs(result - short) <= size * 4e-16 ? short : Number(result.toPrecision(15));
}

const SHORT = 100_000; // five decimals
const MONEY = 1_000_000_000; // with five decimals it has 14 digits

/** Reads a value of a record. */
export type Run = (scope: Scope) => Result;

let passes = 0;
let pass = 0; // 0: between passes, where a record may be changed

/** From now on, until `endPass`, one record is asked that does not change: what several rules ask of it is calculated once. */
export function beginPass(): void {
  pass = ++passes;
}

export function endPass(): void {
  pass = 0;
}

/** Calculates once in each pass. */
export function once(run: Run): Run {
  let at = 0;
  let value: Result = null;
  return (scope) => {
    if (pass === 0) return run(scope);
    if (at !== pass) {
      value = run(scope);
      at = pass;
    }
    return value;
  };
}

type Order = "<" | "<=" | ">" | ">=";

/** Compares two values, and tells nothing where one is empty. A file asks a million times, so each order has its own code. */
export const ORDERS: Readonly<Record<Order, (one: Run, other: Run) => Run>> = {
  "<": (one, other) => (scope) => {
    const a = one(scope);
    const b = other(scope);
    return a === null || b === null ? null : a < b;
  },
  "<=": (one, other) => (scope) => {
    const a = one(scope);
    const b = other(scope);
    return a === null || b === null ? null : a <= b;
  },
  ">": (one, other) => (scope) => {
    const a = one(scope);
    const b = other(scope);
    return a === null || b === null ? null : a > b;
  },
  ">=": (one, other) => (scope) => {
    const a = one(scope);
    const b = other(scope);
    return a === null || b === null ? null : a >= b;
  },
};

/** Does so with a number that stands in the expression. */
export const ORDERS_TO_NUMBER: Readonly<Record<Order, (one: Run, bound: number) => Run>> = {
  "<": (one, bound) => (scope) => {
    const a = one(scope);
    return a === null ? null : (a as number) < bound;
  },
  "<=": (one, bound) => (scope) => {
    const a = one(scope);
    return a === null ? null : (a as number) <= bound;
  },
  ">": (one, bound) => (scope) => {
    const a = one(scope);
    return a === null ? null : (a as number) > bound;
  },
  ">=": (one, bound) => (scope) => {
    const a = one(scope);
    return a === null ? null : (a as number) >= bound;
  },
};

export const SUMS = {
  "+": (a: number, b: number) => a + b,
  "-": (a: number, b: number) => a - b,
  "*": (a: number, b: number) => a * b,
  "/": (a: number, b: number) => a / b,
  "%": (a: number, b: number) => a % b,
};

interface KnownFunction {
  usage: string;
  takes: readonly (ExpressionType | "any" | "text or several")[];
  /** Says how many it needs, where it can do without the last ones. */
  least?: number;
  gives: ExpressionType;
  /** It says something about an empty value, too. */
  takesEmpty?: true;
  call(first: Value, second: Value | undefined, scope: Scope): Result;
}

const DAY_MS = 86_400_000;

export const FUNCTIONS: Readonly<Record<string, KnownFunction>> = {
  isEmpty: { usage: "isEmpty(field)", takes: ["any"], gives: "boolean", takesEmpty: true, call: (value) => (value as Result) === null },
  age: {
    usage: "age(date) or age(date, on)",
    takes: ["date", "date"],
    least: 1,
    gives: "number",
    call: (born, on, { today }) => yearsBetween(String(born), String(on ?? today)),
  },
  days: {
    usage: "days(later, earlier)",
    takes: ["date", "date"],
    gives: "number",
    call: (later, earlier) => Math.round((Date.parse(String(later)) - Date.parse(String(earlier))) / DAY_MS),
  },
  digits: { usage: "digits(text)", takes: ["text"], gives: "text", call: (text) => String(text).replace(/[^0-9]/g, "") },
  size: {
    usage: "size(text or several values)",
    takes: ["text or several"],
    gives: "number",
    call: (value) => (typeof value === "string" ? countCharacters(value) : itemsOf(value).length),
  },
  string: { usage: "string(value)", takes: ["any"], gives: "text", call: (value) => String(value) },
  contains: {
    usage: 'text.contains("part")',
    takes: ["text", "text"],
    gives: "boolean",
    call: (text, part) => (text as string).includes(part as string),
  },
  startsWith: {
    usage: 'text.startsWith("begin")',
    takes: ["text", "text"],
    gives: "boolean",
    call: (text, part) => (text as string).startsWith(part as string),
  },
  endsWith: {
    usage: 'text.endsWith("end")',
    takes: ["text", "text"],
    gives: "boolean",
    call: (text, part) => (text as string).endsWith(part as string),
  },
};

/** Counts code points. A file asks a million times, and a regular expression takes four times as long for a short text. */
function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) if (isHalf(text.charCodeAt(i), 0xd800) && isHalf(text.charCodeAt(i + 1), 0xdc00)) count--;
  return count;
}

/** Says whether a unit is the first half of a character (0xd800), or the second (0xdc00). */
function isHalf(unit: number, begin: 0xd800 | 0xdc00): boolean {
  return (unit & 0xfc00) === begin;
}

/** Counts full years. Whoever is born on 29 February is a year older on 1 March of other years. */
function yearsBetween(born: string, on: string): number {
  return Number(on.slice(0, 4)) - Number(born.slice(0, 4)) - (on.slice(4) < born.slice(4) ? 1 : 0);
}
