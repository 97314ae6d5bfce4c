// How a packed or binary field is read and written: the digits of its number in the place of characters. Judges nothing.

import type { CutText } from "./character-sets.ts";
import type { Usage } from "./cobol-numbers.ts";
import { codesOf, type LayoutField } from "./layout.ts";

const WHOLE = /^(-?)0*([0-9]+)$/;

/** How a field stands in a record: in characters, or as COBOL keeps numbers. */
export interface NumeralReading {
  /** Undefined where bytes are neither. */
  cut(cut: CutText): string | undefined;
  /** What `cut` gave, without what only fills the field up. */
  bare(text: string): string;
  /** Whether what `cut` gave means that there is no value. */
  isNone(text: string): boolean;
  /** As `cut` would give back what was written. */
  padded(written: string, width: number): string;
  /** What is written when there is no value; undefined when nothing says so. */
  none: string | undefined;
}

/** A number as a code or a marker of the layout says it, or a character that fills the field. */
export function isWhole(code: string): boolean {
  return WHOLE.test(code);
}

/** `place`: bytes of the record from 0, the end not included. */
export function readNumerals(placed: LayoutField & { usage: Usage }, place: { from: number; to: number }): NumeralReading {
  const { usage, digits, format } = placed;
  const width = digits ?? format?.length ?? 1; // a date has as many digits as its format, a number those that it needs
  const bare = (text: string) => text.replace(WHOLE, (_, sign: string, rest: string) => sign + rest.padStart(width, "0"));
  const nulls = codesOf(placed.null);
  const fills = nulls.filter((code) => !isWhole(code));
  const numbers = new Set(nulls.filter(isWhole).map(bare));
  return {
    cut: (cut) => cut(place.from, place.to, usage) ?? cutFill(cut, place, fills),
    bare,
    isNone: (text) => text === "" || numbers.has(bare(text)),
    padded: (written) => (fills.includes(written) ? "" : written),
    none: nulls[0],
  };
}

/** Bytes that are no number may be the marker of none: blanks, where a program never put one. */
function cutFill(cut: CutText, { from, to }: { from: number; to: number }, fills: readonly string[]): string | undefined {
  const text = fills.length > 0 ? cut(from, to) : undefined;
  return fills.some((fill) => text === fill.repeat(to - from)) ? "" : undefined;
}
