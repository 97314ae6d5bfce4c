// Words what Ajv finds wrong with a JSON document, for whoever wrote it by hand: layouts and dictionaries.

import type { DefinedError } from "ajv";
import { closest } from "./similarity.ts";

/** `path` is a JSON pointer (RFC 6901) to the value or name that is wrong; `message` ends a sentence that begins with it. */
interface SchemaMistake {
  path: string;
  message: string;
}

/**
 * Returns one mistake for each place and sentence. Ajv must run with `allErrors` and `verbose`. A schema says in its `$comment` how a text that
 * misses the `pattern` must be or which names an object has, and in the `description` of what is `not` allowed why.
 */
export function wordMistakes(errors: readonly DefinedError[]): SchemaMistake[] {
  const mistakes = errors.map(toMistake);
  return mistakes.filter(({ path, message }, i) => mistakes.findIndex((other) => other.path === path && other.message === message) === i);
}

function toMistake(error: DefinedError): SchemaMistake {
  const { instancePath: path, keyword } = error;
  if (keyword === "required") return { path: `${path}/${error.params.missingProperty}`, message: "is missing" };
  if (keyword === "additionalProperties") {
    const key = error.params.additionalProperty;
    const { $comment, properties = {} } = error.parentSchema ?? {};
    const message = `is not a key here; ${$comment ?? meantKey(key, properties as Properties)}`;
    return { path: `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, message };
  }
  return { path, message: mustBe(error) };
}

function mustBe(error: DefinedError): string {
  switch (error.keyword) {
    case "type":
      return `must be ${[error.schema]
        .flat()
        .map((type) => TYPES[String(type)] ?? type)
        .join(" or ")}`;
    case "const":
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    case "enum":
      return `must be ${oneOf(error.data, error.params.allowedValues)}`;
    case "minimum":
      return `must be ${error.params.limit} or more`;
    case "maximum":
      return `must be at most ${error.params.limit}`;
    case "minLength":
      return "must be a text that is not empty";
    case "maxLength":
      return `must have at most ${error.params.limit} characters`;
    case "minItems":
      return "must be a list that is not empty";
    case "maxItems":
      return `must be a list of at most ${error.params.limit}`;
    case "uniqueItems":
      return `must have each entry once; entry ${Math.max(error.params.i, error.params.j) + 1} stands there already`;
    case "pattern":
      return String(error.parentSchema?.$comment ?? error.message);
    case "not":
      return String(error.parentSchema?.description ?? "is not supported");
    default:
      return error.message ?? "is not as the schema says";
  }
}

type Properties = Readonly<Record<string, { properties?: object }>>;

/** Proposes a key with nearly this name, or the object beside it in which this key would have its place. */
function meantKey(key: string, properties: Properties): string {
  const keys = Object.keys(properties);
  const owner = keys.find((name) => Object.hasOwn(properties[name]?.properties ?? {}, key));
  if (owner !== undefined) return `it belongs into "${owner}"`;
  const meant = closest(key, keys);
  return meant ? `did you mean "${meant}"?` : `there are ${keys.join(", ")}`;
}

function oneOf(input: unknown, values: readonly unknown[]): string {
  const meant = typeof input === "string" ? closest(input, values.map(String)) : undefined;
  const list = values.map((value) => JSON.stringify(value)).join(", ");
  return meant ? `one of ${list}; did you mean "${meant}"?` : `one of ${list}`;
}

const TYPES: Record<string, string> = {
  object: "an object",
  array: "a list",
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  null: "null",
};
