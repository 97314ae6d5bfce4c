// Checks a layout against layout.schema.json and names every mistake with its path.

import Ajv, { type DefinedError, type ValidateFunction } from "ajv/dist/2020.js";
import type { Mistake } from "../../../core/dictionary/collections.ts";
import { closest } from "../../../core/text/similarity.ts";
import schema from "../layout.schema.json" with { type: "json" };

const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).addSchema(schema, "layout");

/** Paths are JSON pointers (RFC 6901). The schema of one kind gives clearer messages than the whole schema with its `oneOf`. */
export function checkShape(input: unknown, kind: "fixed" | "delimited"): Mistake[] {
  const validate = ajv.getSchema(`layout#/$defs/${kind}`) as ValidateFunction; // compiled once
  if (validate(input)) return [];
  const mistakes = (validate.errors as DefinedError[]).map(toMistake);
  return mistakes.filter(({ path, message }, i) => mistakes.findIndex((other) => other.path === path && other.message === message) === i);
}

function toMistake(error: DefinedError): Mistake {
  const { instancePath: path, keyword } = error;
  if (keyword === "required") return { path: `${path}/${error.params.missingProperty}`, message: "is missing" };
  if (keyword === "additionalProperties") {
    const key = error.params.additionalProperty;
    const keys = Object.keys((error.parentSchema?.properties ?? {}) as object);
    return { path: `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, message: `is not a key here; ${meantKey(key, keys)}` };
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
    case "maxLength":
      return "must be a text that is not empty";
    case "minItems":
      return "must be a list that is not empty";
    case "pattern":
      return String(error.schema).includes("LOW-VALUES") // the patterns of the schema are those of `pad` and `zone`
        ? "must be one character, LOW-VALUES or HIGH-VALUES"
        : "must be Z, such as +01:00, or such as Europe/Berlin";
    default:
      return error.message ?? "is not as the schema says";
  }
}

function meantKey(key: string, keys: readonly string[]): string {
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
  boolean: "true or false",
  null: "null",
};
