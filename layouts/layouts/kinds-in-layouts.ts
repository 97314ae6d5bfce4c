// Says what batch files have for each kind: how a field may stand in a record, and its place in a proposed layout.

import type { Field } from "../../core/dictionary/fields.ts";
import type { Kind } from "../../core/dictionary/kinds.ts";
import type { LayoutField } from "./layout.ts";

export interface KindInLayouts {
  /** Right-justified, with zeros and a sign in front. */
  isNumeric: boolean;
  /** Says what its `format` describes; undefined: `format` does not suit it. */
  format: "date" | "datetime" | "time" | "year" | undefined;
  /** Says what a packed or binary number in its place means: the value itself, a text of digits, digits in its `format`, or a code of `values`. */
  numeral: "value" | "text" | "format" | "code";
  /** Says whether a control total may add up its digits. */
  hasTotal: boolean;
  /** Its place in a proposed layout. */
  propose(field: Field): ProposedPlace;
}

export type ProposedPlace = Omit<LayoutField, "name" | "start"> & { length: number };

const NUMBER = { isNumeric: true, format: undefined, numeral: "value", hasTotal: true } as const;
const MOMENT = { isNumeric: false, numeral: "format", hasTotal: false } as const;

const WIDEST = 40; // bytes for a text field

export const KINDS_IN_LAYOUTS: Record<Kind, KindInLayouts> = {
  string: {
    isNumeric: false,
    format: undefined,
    numeral: "text",
    hasTotal: true,
    propose: ({ maxLength = WIDEST }) => ({ length: Math.min(maxLength, WIDEST) }),
  },
  integer: { ...NUMBER, propose: (field) => withNull(field, digitsOf(field)) },
  number: { ...NUMBER, propose: () => ({ length: 15, decimals: 2 }) },
  decimal: { ...NUMBER, propose: ({ decimals = 0 }) => ({ length: 13 + decimals, decimals }) },
  boolean: {
    isNumeric: false,
    format: undefined,
    numeral: "code",
    hasTotal: false,
    propose: () => ({ length: 1, values: { Y: "true", N: "false" } }),
  },
  date: {
    ...MOMENT,
    format: "date",
    propose: () => ({ length: 8, format: "YYYYMMDD", null: "00000000" }),
  },
  datetime: {
    ...MOMENT,
    format: "datetime",
    propose: () => ({ length: 14, format: "YYYYMMDDhhmmss", zone: "Z", null: "0".repeat(14) }),
  },
  time: {
    ...MOMENT,
    format: "time",
    propose: () => ({ length: 6, format: "hhmmss" }), // zeros are midnight
  },
  year: {
    ...MOMENT,
    format: "year",
    numeral: "text",
    propose: () => ({ length: 4, format: "YYYY", null: "0000" }),
  },
  files: { isNumeric: false, format: undefined, numeral: "text", hasTotal: false, propose: () => ({ length: WIDEST }) },
  list: { isNumeric: false, format: undefined, numeral: "text", hasTotal: false, propose: () => ({ length: WIDEST }) },
  file: { isNumeric: false, format: undefined, numeral: "text", hasTotal: false, propose: () => ({ length: WIDEST }) },
};

/** Serves a field with `skip`, which is read for a control total only. */
export const SKIPPED_KIND: KindInLayouts = KINDS_IN_LAYOUTS.integer;

function digitsOf({ minimum, maximum }: Field): number {
  const longest = Math.max(...[minimum, maximum].map((bound) => (typeof bound === "number" ? String(bound).length : 0)));
  return typeof maximum === "number" && longest > 0 ? longest : 16;
}

/** COBOL writes zeros for “no value”. Where zero is a valid value they cannot mean that. */
function withNull({ required, minimum }: Field, length: number): ProposedPlace {
  return !required && typeof minimum === "number" && minimum > 0 ? { length, null: "0".repeat(length) } : { length };
}
