// Names the constraint of today that a stored value breaks.

import type { Problem, ProblemCode } from "../contract/problems.ts";
import type { Constraint } from "../contract/violations.ts";
import type { Field } from "./fields.ts";
import type { Value } from "./kinds.ts";
import { isProblem, validateValue } from "./validate.ts";

const OF_CODE: Partial<Record<ProblemCode, Constraint>> = {
  REQUIRED: "required",
  TOO_SHORT: "minLength",
  TOO_LONG: "maxLength",
  TOO_SMALL: "minimum",
  TOO_LARGE: "maximum",
  TOO_PRECISE: "decimals",
  ENUM: "enum",
  CHARACTERS: "characters",
  REFERENCE_MISMATCH: "foreignKey",
};

/** Returns the first constraint that a stored value breaks, as a save would name it; undefined where it keeps all. */
export function brokenBy(field: Field, value: Value | null): Constraint | undefined {
  const writable = field.readOnly ? { ...field, readOnly: false } : field; // a right of the caller, and no rule of the value
  const checked = validateValue(writable, value, "json");
  return isProblem(checked) ? constraintOf(field, checked, value) : undefined;
}

function constraintOf({ pattern }: Field, { code }: Problem, value: Value | null): Constraint | undefined {
  if (code !== "PATTERN") return OF_CODE[code];
  return pattern && !pattern.test(String(value)) ? "pattern" : "format";
}
