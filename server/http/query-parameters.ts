// Query parameters: each is read and checked; every unknown or wrong one is reported.

import type { ProblemDetail } from "../../core/contract/problems.ts";
import { httpErrors } from "./errors.ts";

export interface Parameter<T> {
  /** Ends the sentence "limit must be …". */
  expects: string;
  /** JSON Schema of the text, for the OpenAPI document. */
  schema: Readonly<Record<string, unknown>>;
  /** The value of the text; undefined where it is not what is expected. */
  read(text: string): T | undefined;
}

export type Parameters<T> = { [Name in keyof T]: Parameter<T[Name]> };

/**
 * The values of the parameters that are given. Throws BAD_PARAMETER with everything that is wrong.
 *
 * @example
 * const { limit = 10 } = readParameters(request.query, { limit: clampedCount(100) });
 */
export function readParameters<T>(query: unknown, parameters: Parameters<T>): Partial<T> {
  const values: Partial<T> = {};
  const errors: ProblemDetail[] = [];
  for (const [name, text] of Object.entries(query as Record<string, string | string[]>)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name as keyof T] : undefined;
    const value = parameter && typeof text === "string" ? parameter.read(text) : undefined;
    if (value !== undefined) values[name as keyof T] = value;
    else errors.push({ parameter: name, code: "BAD_PARAMETER", detail: whatIsWrong(name, parameter, Object.keys(parameters)) });
  }
  if (errors.length > 0) throw httpErrors.badParameters(errors);
  return values;
}

function whatIsWrong(name: string, parameter: Parameter<unknown> | undefined, known: readonly string[]): string {
  if (parameter) return `${name} must be ${parameter.expects}, and given once.`;
  return `There is no parameter of this name here. There are: ${known.join(", ") || "none"}.`;
}

export function oneOf<T extends string>(...words: T[]): Parameter<T> {
  return { expects: `one of ${words.join(", ")}`, schema: { enum: words }, read: (text) => words.find((word) => word === text) };
}

export function text(maxLength: number): Parameter<string> {
  return {
    expects: `text of at most ${maxLength} characters`,
    schema: { type: "string", maxLength },
    read: (given) => (given.length <= maxLength ? given : undefined),
  };
}

/** A whole number from 1; one above `largest` counts as `largest`. */
export function clampedCount(largest: number): Parameter<number> {
  return {
    expects: `a whole number from 1 to ${largest}`,
    schema: { type: "integer", minimum: 1 },
    read: (given) => (/^[1-9][0-9]{0,8}$/.test(given) ? Math.min(Number(given), largest) : undefined),
  };
}

export const flag: Parameter<boolean> = {
  expects: "true or false",
  schema: { type: "boolean" },
  read: (given) => (given === "true" ? true : given === "false" ? false : undefined),
};

/** Several of these names, separated by commas, each once. */
export function someOf(names: readonly string[]): Parameter<string[]> {
  return {
    expects: `some of ${names.join(", ")}, each once, with commas between`,
    schema: { type: "array", items: { enum: names }, minItems: 1, uniqueItems: true },
    read(given) {
      const words = given.split(",");
      return words.every((word) => names.includes(word)) && new Set(words).size === words.length ? words : undefined;
    },
  };
}
