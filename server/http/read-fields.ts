// The fields of a JSON body that is no record: which there are, and what is wrong with them.

import type { ProblemDetail } from "../../core/contract/problems.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { FORBIDDEN } from "../../core/text/clean-text.ts";
import { hasHidden } from "../../core/text/hidden-characters.ts";
import { addressProblem } from "../people/store/addresses.ts";
import { httpErrors } from "./errors.ts";
import { parseJson } from "./parse-json-body.ts";

/** Answers the value of a field (undefined: it was left out), or a sentence that says what is wrong. */
export type FieldReader<T> = (given: unknown) => { value: T } | { problem: string; code?: ProblemDetail["code"] };

type Values<Readers> = { [Name in keyof Readers]: Readers[Name] extends FieldReader<infer T> ? T : never };

/** Reads the whole body. Throws VALIDATION with everything that is wrong, also fields that do not exist. */
export function readFields<Readers extends Record<string, FieldReader<unknown>>>(body: unknown, readers: Readers): Values<Readers> {
  const given = parseJson(body);
  const names = Object.keys(readers).join(", ");
  if (!isObject(given)) throw httpErrors.validation([{ pointer: "", code: "FORM", detail: `Send an object with these fields: ${names}.` }]);
  const errors: ProblemDetail[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readers)) {
    const result = read(Object.hasOwn(given, name) ? given[name] : undefined);
    if ("problem" in result) errors.push({ pointer: `/${name}`, code: result.code ?? "KIND", detail: result.problem });
    else values[name] = result.value;
  }
  for (const name of Object.keys(given).filter((one) => !Object.hasOwn(readers, one))) {
    const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    errors.push({ pointer, code: "UNKNOWN_FIELD", detail: `There is no field of this name here. There are: ${names}.` });
  }
  if (errors.length > 0) throw httpErrors.validation(errors);
  return values as Values<Readers>;
}

/** Says whether the body is an object with this field: it decides which fields the body must have. Throws MALFORMED_JSON. */
export function hasField(body: unknown, name: string): boolean {
  const given = parseJson(body);
  return isObject(given) && Object.hasOwn(given, name);
}

/** Reads a field that may be left out. */
export function optional<T>(read: FieldReader<T>): FieldReader<T | undefined> {
  return (given) => (given === undefined ? { value: undefined } : read(given));
}

/** Reads one line of text without spaces around it and without the characters that no record may have. `least`: characters. */
export function line(what: string, most: number, least = 1): FieldReader<string> {
  return (given) => {
    const value = typeof given === "string" ? given.trim().normalize("NFC") : "";
    const length = [...value].length;
    const isLine = typeof given === "string" && length >= least && length <= most;
    if (!isLine) return { problem: `${what} must be a text of ${least} to ${most} characters, on one line.` };
    if (FORBIDDEN.test(value)) return forbidden(what, "a line break, a control character or a hidden direction mark");
    return hasHidden(value) ? forbidden(what, "one that nobody sees") : { value };
  };
}

/** Reads text of several lines, which may be empty. */
export function lines(what: string, most: number): FieldReader<string> {
  return (given) => {
    const value = typeof given === "string" ? given.replace(/\r\n?/g, "\n").trim().normalize("NFC") : "";
    const isText = typeof given === "string" && [...value].length <= most;
    if (!isText) return { problem: `${what} must be a text of at most ${most} characters.` };
    const isForbidden = FORBIDDEN.test(value.replace(/[\n\t]/g, ""));
    return isForbidden ? forbidden(what, "a control character or a hidden direction mark") : { value };
  };
}

function forbidden(what: string, which: string) {
  return { problem: `${what} has a character that cannot be stored: ${which}. Remove it.`, code: "CHARACTERS" as const };
}

/** Reads any text, as it was sent. */
export function text(what: string, most: number): FieldReader<string> {
  return (given) =>
    typeof given === "string" && given.length <= most && given !== ""
      ? { value: given }
      : { problem: `${what} must be a text of 1 to ${most} characters.` };
}

/** An address as organisations use them. It is taken as it is written: what would have to be changed first is refused. */
export const email: FieldReader<string> = (given) => {
  const value = typeof given === "string" ? given.trim() : "";
  const problem = addressProblem(value);
  if (problem === undefined) return { value };
  if (problem === "form") return { problem: "email must be an address such as anna.berg@example.org." };
  const why = "email has a character that nobody sees, or one that only looks like another. Type the address anew.";
  return { problem: why, code: "CHARACTERS" };
};

export function listOfIds(what: string): FieldReader<string[]> {
  return (given) => {
    const isList =
      Array.isArray(given) && given.length <= 100 && given.every((one) => typeof one === "string" && /^[\w-]{1,64}$/.test(one));
    return isList ? { value: [...new Set(given as string[])] } : { problem: `${what} must be a list of ids.` };
  };
}

export function oneWord<T extends string>(what: string, ...words: readonly T[]): FieldReader<T> {
  return (given) => {
    const value = words.find((word) => word === given);
    return value === undefined ? { problem: `${what} must be ${words.join(" or ")}.` } : { value };
  };
}

/** The version that a change is based on. */
export const version: FieldReader<number> = (given) =>
  Number.isSafeInteger(given) && (given as number) > 0
    ? { value: given as number }
    : { problem: "version must be that of the answer in which you read it." };

export const flag: FieldReader<boolean> = (given) =>
  typeof given === "boolean" ? { value: given } : { problem: "This must be true or false." };
