// Query parameters: each is read and checked; every unknown or wrong one is reported.

import type { ProblemDetail } from "../../core/contract/problems.ts";
import type { Acknowledged } from "../../core/contract/records.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { closest } from "../../core/text/similarity.ts";
import { httpErrors } from "./errors.ts";
import { oneOfWords } from "./json-schemas.ts";

export interface Parameter<T> {
  /** A sentence for the OpenAPI document; undefined: the one that descriptions.ts has for its name. */
  meaning?: string;
  /** It may also stand in the object `filter`. */
  isFilter?: boolean;
  /** Ends the sentence "limit must be …". */
  expects: string;
  /** JSON Schema of the text, for the OpenAPI document. */
  schema: Readonly<Record<string, unknown>>;
  /** Returns the value of the text; undefined where it is not what is expected. */
  read(text: string): T | undefined;
  /** Reads the texts of a parameter that is given more than once. Without it that means the texts with commas between. */
  readSeveral?(texts: readonly string[]): T | undefined;
}

export type Parameters<T> = { [Name in keyof T]: Parameter<T[Name]> };

/** `or[0].age[gte]`: a filter of one of several ways to be in a list. */
const IN_WAY = /^or\[([0-9]{1,2})\](?:\.(?=.)|(?=\[))/;

/** Returns the number of the way and the filter's own name; undefined for a parameter that belongs to none. */
export function wayOf(name: string): { way: string; own: string } | undefined {
  const [before, way] = IN_WAY.exec(name) ?? [];
  return before === undefined || way === undefined ? undefined : { way, own: name.slice(before.length) };
}

/**
 * Returns the values of the parameters that are given. One may be repeated or carry `[]`, as many clients write lists, and `age.gte` and
 * `filter[gte][age]` are `age[gte]`. A filter of one of several ways stands under the name `or[0].age[gte]`. Throws BAD_PARAMETER with
 * everything that is wrong.
 *
 * @example
 * const { limit = 10 } = readParameters(request.query, { limit: clampedCount(100) });
 */
export function readParameters<T>(query: unknown, parameters: Parameters<T>): Partial<T> {
  const values: Partial<T> = {};
  const errors: ProblemDetail[] = [];
  const isKnown = (own: string, isNested: boolean) =>
    Object.hasOwn(parameters, own) && (!isNested || parameters[own as keyof T].isFilter === true);
  for (const [name, texts] of textsOf(query, isKnown)) {
    const inWay = wayOf(name);
    const own = inWay?.own ?? name;
    const parameter = isKnown(own, inWay !== undefined) ? parameters[own as keyof T] : undefined;
    const value = parameter && readTexts(parameter, texts);
    if (value !== undefined) values[name as keyof T] = value;
    else
      errors.push({
        parameter: name,
        code: "BAD_PARAMETER",
        detail: whatIsWrong(
          own,
          parameter,
          Object.keys(parameters).filter((one) => isKnown(one, inWay !== undefined)),
        ),
      });
  }
  if (errors.length > 0) throw httpErrors.badParameters(errors);
  return values;
}

/** Returns the text of one parameter, however it is written; undefined if it is not given. For what is decided before all are read. */
export function parameterText(query: unknown, name: string): string | undefined {
  return textsOf(query, (own, isNested) => own === name && !isNested)
    .get(name)
    ?.join(",");
}

/** Returns those of these parameters that are given, as the query of an address: each once, in its usual spelling. */
export function parametersIn(query: unknown, names: readonly string[]): URLSearchParams {
  const given = new URLSearchParams();
  const known = new Set(names);
  for (const [name, texts] of textsOf(query, (own) => known.has(own)))
    if (known.has(wayOf(name)?.own ?? name)) given.set(name, texts.join(","));
  return given;
}

/** Returns each parameter under the name that is known. An unknown name stays as it was sent, so that the error shows it. */
function textsOf(query: unknown, isKnown: (name: string, isNested: boolean) => boolean): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [sent, given] of Object.entries(query as Record<string, string | string[]>)) {
    const inWay = wayOf(sent);
    const own = inWay && (inWay.own.startsWith("[") ? `filter${inWay.own}` : inWay.own);
    const name = own === undefined ? knownName(sent, isKnown) : knownName(own, (one) => isKnown(one, true));
    const key = inWay ? (name === undefined ? sent : `or[${inWay.way}].${name}`) : (name ?? sent);
    found.set(key, [...(found.get(key) ?? []), ...[given].flat()]);
  }
  return found;
}

function knownName(sent: string, isKnown: (name: string, isNested: boolean) => boolean): string | undefined {
  const single = sent.replace(/\[[0-9]{0,3}\]$/, ""); // some clients number the places of a list
  const plain = [sent, single, single.replace(/\.([a-z]+)$/i, "[$1]")];
  const nested = single.startsWith("filter[") ? nestedSpellings(single) : [];
  return plain.find((one) => isKnown(one, false)) ?? nested.find((one) => isKnown(one, true));
}

/** `filter[age]` is `age`, `filter[gte][age]` and `filter[age][gte]` are `age[gte]`, `filter[customer][city]` is `customer.city`. */
function nestedSpellings(sent: string): string[] {
  const parts = /^filter((?:\[[^[\]]+\]){1,4})$/.exec(sent)?.[1]?.slice(1, -1).split("][") ?? [];
  return parts.flatMap((operator, i) => [parts.join("."), `${parts.filter((_, j) => j !== i).join(".")}[${operator}]`]);
}

function readTexts<T>(parameter: Parameter<T>, texts: readonly string[]): T | undefined {
  if (texts.length > 1 && parameter.readSeveral) return parameter.readSeveral(texts);
  return parameter.read(texts.join(","));
}

function whatIsWrong(name: string, parameter: Parameter<unknown> | undefined, known: readonly string[]): string {
  if (parameter) return `${name} must be ${parameter.expects}.`;
  const meant = closest(name, known);
  const listed = [...new Set(known.map((one) => one.replace(/\[.*/, "")))]; // `age` stands for `age[gte]` and its kin
  const sentence = `There is no parameter of this name here.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
  return `${sentence} There are: ${listed.join(", ") || "none"}.`;
}

export function oneOf<T extends string>(...words: T[]): Parameter<T> {
  return { expects: `one of ${words.join(", ")}`, schema: oneOfWords(words), read: (text) => words.find((word) => word === text) };
}

/** Refuses NUL, which PostgreSQL takes in no text. */
export function text(maxLength: number): Parameter<string> {
  return {
    expects: `text of at most ${maxLength} characters, none of them NUL`,
    schema: { type: "string", maxLength, pattern: "^[^\\u0000]*$" },
    read: (given) => (given.length <= maxLength && !given.includes("\0") ? given : undefined),
  };
}

/** Reads a whole number from 0 to `largest`. */
export function countUpTo(largest: number): Parameter<number> {
  return {
    expects: `a whole number from 0 to ${largest}`,
    schema: { type: "integer", minimum: 0, maximum: largest },
    read: (given) => (/^(0|[1-9][0-9]{0,8})$/.test(given) && Number(given) <= largest ? Number(given) : undefined),
  };
}

/** Reads a whole number from 1; one above `largest` counts as `largest`. */
export function clampedCount(largest: number): Parameter<number> {
  return {
    expects: `a whole number of at least 1; more than ${largest} is read as ${largest}`,
    schema: { type: "integer", minimum: 1 },
    read: (given) => (/^[1-9][0-9]*$/.test(given) ? Math.min(Number(given), largest) : undefined),
  };
}

const RULES = /^[A-Za-z]\w*(,[A-Za-z]\w*){0,99}$/;

/** The warnings that may be broken: names of rules, of which a caller need not know all, or all. */
export const acknowledge: Parameter<Acknowledged> = {
  expects: "all, or names of rules with commas between",
  schema: { type: "string", pattern: RULES.source },
  read: (given) => (given === "all" ? "all" : RULES.test(given) ? given.split(",") : undefined),
};

export const flag: Parameter<boolean> = {
  expects: "true or false",
  schema: { type: "boolean" },
  read: (given) => (given === "true" ? true : given === "false" ? false : undefined),
};

/** A time with its zone (RFC 3339), as UTC with ms. */
export const instant: Parameter<string> = {
  expects: "a time with its zone, such as 2026-03-09T14:30:00.000Z, with + written as %2B",
  schema: { type: "string", format: "date-time" },
  read: (given) => KIND_TRAITS.datetime.fromText(given) as string | undefined,
};

/** Takes several collections. What is wrong with them is said without their names, of which the caller may not know all. */
export function someCollections(collections: readonly { name: string }[]): Parameter<string[]> {
  const expects = "collections that you may read, by their names, each once, with commas between";
  return { ...someOf(collections.map(({ name }) => name)), expects };
}

/** Reads several of these names, separated by commas, each once. */
export function someOf(names: readonly string[]): Parameter<string[]> {
  return {
    expects: `some of ${names.join(", ")}, each once, with commas between`,
    schema: { type: "array", items: oneOfWords(names), minItems: 1, uniqueItems: true },
    read(given) {
      const words = given.split(",");
      return words.every((word) => names.includes(word)) && new Set(words).size === words.length ? words : undefined;
    },
  };
}

/** A list of all names would stand in the document once for each collection. */
export function nameAmong(expects: string, all: readonly { name: string }[]): Parameter<string> {
  return { expects, schema: { type: "string" }, read: (given) => all.find(({ name }) => name === given)?.name };
}
