// How a field of each kind may stand in a record, and which keys of a layout suit it.

import type { Kind } from "../../core/dictionary/kinds.ts";

export interface KindTraits {
  /** Right-justified, with zeros and a sign in front. */
  isNumeric: boolean;
  /** Whether `decimals` suits it. */
  hasDecimals: boolean;
  /** What its `format` describes; undefined: `format` does not suit it. */
  format: "date" | "datetime" | "time" | "year" | undefined;
  /** What a packed or binary number in its place means: the value itself, a text of digits, digits in its `format`, or a code of `values`. */
  numeral: "value" | "text" | "format" | "code";
  /** Whether a control total may add up its digits. */
  hasTotal: boolean;
}

export const KIND_TRAITS: Record<Kind, KindTraits> = {
  string: { isNumeric: false, hasDecimals: false, format: undefined, numeral: "text", hasTotal: true },
  integer: { isNumeric: true, hasDecimals: false, format: undefined, numeral: "value", hasTotal: true },
  number: { isNumeric: true, hasDecimals: true, format: undefined, numeral: "value", hasTotal: true },
  decimal: { isNumeric: true, hasDecimals: true, format: undefined, numeral: "value", hasTotal: true },
  boolean: { isNumeric: false, hasDecimals: false, format: undefined, numeral: "code", hasTotal: false },
  date: { isNumeric: false, hasDecimals: false, format: "date", numeral: "format", hasTotal: false },
  datetime: { isNumeric: false, hasDecimals: false, format: "datetime", numeral: "format", hasTotal: false },
  time: { isNumeric: false, hasDecimals: false, format: "time", numeral: "format", hasTotal: false },
  year: { isNumeric: false, hasDecimals: false, format: "year", numeral: "text", hasTotal: false },
};

/** For a field with `skip`, which is read for a control total only. */
export const SKIPPED_TRAITS: KindTraits = KIND_TRAITS.integer;
