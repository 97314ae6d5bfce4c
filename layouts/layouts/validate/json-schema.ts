// Checks a layout against layout.schema.json and names every mistake with its path.

import Ajv, { type DefinedError, type ValidateFunction } from "ajv/dist/2020.js";
import type { Mistake } from "../../../core/dictionary/collections.ts";
import { wordMistakes } from "../../../core/text/schema-mistakes.ts";
import schema from "../layout.schema.json" with { type: "json" };

const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).addSchema(schema, "layout");

/** Paths are JSON pointers (RFC 6901). The schema of one kind gives clearer messages than the whole schema with its `oneOf`. */
export function checkShape(input: unknown, kind: "fixed" | "delimited"): Mistake[] {
  const validate = ajv.getSchema(`layout#/$defs/${kind}`) as ValidateFunction; // compiled once
  return validate(input) ? [] : wordMistakes(validate.errors as DefinedError[]);
}
