// The query of an address to checked values; every parameter that is unknown or wrong is named. Knows no list and no write.

import type { ProblemDetail } from "../../dictionary/wire.ts";
import { badParameters } from "./refusal.ts";

export interface Parameter<T> {
  /** Ends the sentence "limit must be …". */
  expects: string;
  /** Undefined: not what is expected. */
  read(text: string): T | undefined;
}

type Parameters<T> = { [Name in keyof T]: Parameter<T[Name]> };

/** Throws BAD_PARAMETER with all that is wrong. A parameter that is not given is left out. */
export function readParameters<T>(query: unknown, parameters: Parameters<T>): Partial<T> {
  const values: Partial<T> = {};
  const errors: ProblemDetail[] = [];
  for (const [name, text] of Object.entries(query as Record<string, string | string[]>)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name as keyof T] : undefined;
    const value = parameter && typeof text === "string" ? parameter.read(text) : undefined;
    if (value !== undefined) values[name as keyof T] = value;
    else errors.push({ parameter: name, code: "BAD_PARAMETER", detail: whatIsWrong(name, parameter, Object.keys(parameters)) });
  }
  if (errors.length > 0) throw badParameters(errors);
  return values;
}

function whatIsWrong(name: string, parameter: Parameter<unknown> | undefined, known: readonly string[]): string {
  if (parameter) return `${name} must be ${parameter.expects}, and given once.`;
  return `There is no parameter of this name here. There are: ${known.join(", ") || "none"}.`;
}

export function oneOf<T extends string>(...words: T[]): Parameter<T> {
  return { expects: `one of ${words.join(", ")}`, read: (text) => words.find((word) => word === text) };
}

export function text(maxLength: number): Parameter<string> {
  return { expects: `text of at most ${maxLength} characters`, read: (given) => (given.length <= maxLength ? given : undefined) };
}

/** A whole number from 1 on; more than `largest` is taken as `largest`. */
export function clampedCount(largest: number): Parameter<number> {
  return {
    expects: `a whole number from 1 to ${largest}`,
    read: (given) => (/^[1-9][0-9]{0,8}$/.test(given) ? Math.min(Number(given), largest) : undefined),
  };
}
