import { caseFold } from "../text/case-fold.ts";
import type { Field } from "./fields.ts";
import type { Value } from "./kinds.ts";

/** Returns what is compared where a value of the field must be unique, or is looked for. */
export function uniqueValue({ caseless }: Pick<Field, "caseless">, value: Value): Value {
  return caseless && typeof value === "string" ? caseFold(value) : value;
}
