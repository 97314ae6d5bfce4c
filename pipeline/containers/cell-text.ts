// The text that a row has for the value of a cell: ISO dates, numbers in full, leading zeros by the format.

import { elapsedText, fillPattern, type NumberFormat, numberText, serialText } from "./number-format.ts";

/** A formula whose program did not store its result. No spreadsheet shows this text, so it is nobody's value. */
export const NO_RESULT = "#FORMULA!";

const LONGEST_EXACT = 15; // digits that a spreadsheet keeps

/** Names what is noted of a number, with its cell. */
export type NumberFact = "longNumbers" | "noDate";

export function valueText(value: number, format: NumberFormat | undefined, is1904: boolean, note: (fact: NumberFact) => void): string {
  switch (format?.is) {
    case "date": {
      const text = serialText(value, is1904, format.hasDay);
      if (text === undefined) note("noDate");
      return text ?? numberText(value);
    }
    case "elapsed":
      return elapsedText(value);
    case "parts":
      return valueText(value, format.of(value), is1904, note);
    case "zeros":
      if (Number.isSafeInteger(value)) return fillPattern(format.pattern, value);
  }
  if (Number.isInteger(value) && Math.abs(value) >= 10 ** LONGEST_EXACT) note("longNumbers");
  return numberText(value);
}

/** Is true of a whole number that needs no work: most numbers are. */
export function isShortWhole(text: string): boolean {
  if (text.length > LONGEST_EXACT) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < ZERO || code > NINE) return false;
  }
  return text.charCodeAt(0) !== ZERO || text.length === 1;
}

const [ZERO, NINE] = [48, 57];

/** UTF-16 units of a date or time; a longer text is none, and the patterns for them would take long on it. */
export const LONGEST_TIME = 64;

/** A date at midnight is a date alone. Fractions of a second are kept where there are any. */
export function isoText(text: string): string {
  if (text.length > LONGEST_TIME) return text;
  return text
    .replace(/(\.\d*?)0+(?=Z|$)/, "$1")
    .replace(/\.(?=Z|$)/, "")
    .replace(/T00:00:00$/, "");
}

/** Says whether a text is true as XML Schema or a spreadsheet writes it. */
export function isTrue(text: string | undefined): boolean {
  return text === "1" || text === "true" || text === "on";
}
