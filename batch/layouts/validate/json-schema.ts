// A JSON value against the layout's JSON Schema: every mistake at once, with its path and what to do. Knows the few keywords that schema uses, and no dictionary.

import type { Mistake } from "../../../core/dictionary/collections.ts";
import { isObject } from "../../../core/dictionary/fields.ts";
import { closest } from "../../../core/text/similarity.ts";
import schema from "../layout.schema.json" with { type: "json" };

interface Shape {
  $ref?: string;
  type?: string | string[];
  const?: string;
  enum?: readonly string[];
  required?: readonly string[];
  properties?: Record<string, Shape>;
  additionalProperties?: boolean | Shape;
  items?: Shape;
  minItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
}

const DEFS = schema.$defs as unknown as Record<string, Shape>;

/** Paths are JSON pointers (RFC 6901). */
export function checkShape(input: unknown, def: "fixed" | "delimited"): Mistake[] {
  const mistakes: Mistake[] = [];
  check(input, DEFS[def] as Shape, "", mistakes);
  return mistakes;
}

function check(input: unknown, given: Shape, path: string, mistakes: Mistake[]): void {
  const shape = given.$ref ? (DEFS[given.$ref.slice("#/$defs/".length)] as Shape) : given;
  const wanted = wantedOf(input, shape);
  if (wanted !== undefined) {
    mistakes.push({ path, message: `must be ${wanted}` });
  } else if (Array.isArray(input)) {
    for (const [i, item] of input.entries()) check(item, shape.items ?? {}, `${path}/${i}`, mistakes);
  } else if (isObject(input)) {
    checkKeys(input, shape, path, mistakes);
  }
}

function checkKeys(
  input: Record<string, unknown>,
  { properties = {}, required = [], additionalProperties }: Shape,
  path: string,
  mistakes: Mistake[],
): void {
  for (const key of required) if (!Object.hasOwn(input, key)) mistakes.push({ path: `${path}/${key}`, message: "is missing" });
  for (const [key, value] of Object.entries(input)) {
    const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (Object.hasOwn(properties, key)) check(value, properties[key] as Shape, at, mistakes);
    else if (typeof additionalProperties === "object") check(value, additionalProperties, at, mistakes);
    else mistakes.push({ path: at, message: `is no key here; ${meantKey(key, Object.keys(properties))}` });
  }
}

function meantKey(key: string, keys: readonly string[]): string {
  const meant = closest(key, keys);
  return meant ? `did you mean "${meant}"?` : `there are ${keys.join(", ")}`;
}

/** What the value should have been, or undefined when it is right as far as can be seen without looking into it. */
function wantedOf(input: unknown, shape: Shape): string | undefined {
  if (shape.const !== undefined && input !== shape.const) return JSON.stringify(shape.const);
  if (shape.enum && !shape.enum.includes(input as string)) return oneOf(input, shape.enum);
  const types = shape.type === undefined ? [] : [shape.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(input, type))) return types.map((type) => TYPE_WORDS[type]).join(" or ");
  if (typeof input === "string") return wantedText(input, shape);
  if (typeof input === "number") {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = shape;
    return input < minimum ? `${minimum} or more` : input > maximum ? `at most ${maximum}` : undefined;
  }
  return Array.isArray(input) && input.length < (shape.minItems ?? 0) ? "a list that is not empty" : undefined;
}

function wantedText(input: string, { minLength = 0, maxLength, pattern }: Shape): string | undefined {
  const length = [...input].length; // code points, as JSON Schema counts
  if (maxLength === 1 && length !== 1) return "one character";
  if (length < minLength) return "a text that is not empty";
  return pattern && !new RegExp(pattern, "u").test(input) ? "Z or such as +01:00" : undefined;
}

function oneOf(input: unknown, values: readonly string[]): string {
  const meant = typeof input === "string" ? closest(input, values) : undefined;
  const list = values.map((value) => JSON.stringify(value)).join(", ");
  return meant ? `one of ${list}; did you mean "${meant}"?` : `one of ${list}`;
}

const TYPE_WORDS: Record<string, string> = {
  object: "an object",
  array: "a list",
  string: "a text",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
};

function isOfType(input: unknown, type: string): boolean {
  if (type === "object") return isObject(input);
  if (type === "array") return Array.isArray(input);
  if (type === "integer") return Number.isSafeInteger(input);
  return type === "null" ? input === null : typeof input === type;
}
