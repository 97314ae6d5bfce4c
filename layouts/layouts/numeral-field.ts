// Reads and writes a packed, binary or floating-point field as the digits of its number.

import type { CutText } from "./character-sets.ts";
import { isFloat, type Usage } from "./cobol-numbers.ts";
import { withoutExponent } from "./floating-point.ts";
import { codesOf, figurativeByte, type LayoutField } from "./layout.ts";

const WHOLE = /^(-?)0*([0-9]+)$/;

/** Says how a field is written in a record: as characters, or as the bytes of a number. */
export interface NumeralReading {
  /** Returns undefined where the bytes cannot be read. Empty where they are a figurative constant that means “no value”. */
  cut(cut: CutText): string | undefined;
  /** Returns the result of `cut` without padding. */
  bare(text: string): string;
  /** Says whether the result of `cut` means “no value”. */
  isNone(text: string): boolean;
  /** Returns what `cut` would return for a written value. */
  padded(written: string, width: number): string;
  /** Holds what is written for “no value”; undefined when the layout does not say. */
  none: string | undefined;
  /** Says why the result of `cut` is no value of this field; continues a sentence such as “Salary is …”. */
  whyWrong?(text: string): string | undefined;
}

/** Says whether a code of the layout is a whole number; otherwise it is a character that fills the field. */
export function isWhole(code: string): boolean {
  return WHOLE.test(code);
}

/** `place`: bytes of the record, counted from 0, the end not included. */
export function readNumerals(placed: LayoutField & { usage: Usage }, place: { from: number; to: number }): NumeralReading {
  const { usage, digits, format } = placed;
  const width = digits ?? format?.length ?? 1; // a date has the digits of its format, a number as many as it needs
  const bare = isFloat(usage)
    ? withoutExponent
    : (text: string) => text.replace(WHOLE, (_, sign: string, rest: string) => sign + rest.padStart(width, "0"));
  const nulls = codesOf(placed.null);
  const fills = nulls.filter((code) => !isWhole(code) && figurativeByte(code) === undefined);
  const numbers = new Set(nulls.filter(isWhole).map(bare));
  return {
    cut: (cut) => cut(place.from, place.to, usage) ?? cutFill(cut, place, fills),
    bare,
    isNone: (text) => text === "" || numbers.has(bare(text)),
    padded: (written) => (fills.includes(written) ? "" : written),
    none: nulls.find((code) => figurativeByte(code) === undefined),
  };
}

/** Bytes that are no number may mean “no value”: blanks, for example, where a program never stored one. */
function cutFill(cut: CutText, { from, to }: { from: number; to: number }, fills: readonly string[]): string | undefined {
  const text = fills.length > 0 ? cut(from, to) : undefined;
  return fills.some((fill) => text === fill.repeat(to - from)) ? "" : undefined;
}
