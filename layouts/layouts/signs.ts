// The signs of numbers in characters: in a byte of their own, or punched over a digit as COBOL does it.

import type { LayoutEncoding } from "./character-sets.ts";
import { ebcdicTable, isEbcdic } from "./ebcdic.ts";

/** `leading` and `trailing` are a byte of their own; the others are in the last or the first digit. */
export const SIGNS = ["overpunch", "overpunch-leading", "overpunch-ascii", "overpunch-ascii-leading", "leading", "trailing"] as const;
export type Sign = (typeof SIGNS)[number];

export interface SignForm {
  /** Digits with a minus in front if there is one; undefined when the sign is not where it must be. Other text is unchanged. */
  read(text: string): string | undefined;
  /** `width`: characters of the field. Longer digits are not cut. */
  write(digits: string, isNegative: boolean, width: number): string;
}

/** Says why `read` gives undefined; continues a sentence such as “Salary is …”. */
export function whyUnsigned(sign: Sign, text: string): string {
  return `“${text.trim()}”, which has no + or - ${sign === "leading" ? "in front" : "at its end"}`;
}

export function openSign(sign: Sign, encoding: LayoutEncoding): SignForm {
  switch (sign) {
    case "overpunch":
      return overpunch({ isLeading: false, ...tablesOf(encoding, "{") });
    case "overpunch-leading":
      return overpunch({ isLeading: true, ...tablesOf(encoding, "{") });
    case "overpunch-ascii":
      return overpunch({ isLeading: false, ...tablesOf(encoding, "p") });
    case "overpunch-ascii-leading":
      return overpunch({ isLeading: true, ...tablesOf(encoding, "p") });
    case "leading":
      return {
        read: (text) => separate(/^([+-])([0-9.]+)$/, text, 1, 2),
        write: (digits, isNegative, width) => `${isNegative ? "-" : "+"}${digits.padStart(width - 1, "0")}`,
      };
    case "trailing":
      return {
        read: (text) => separate(/^([0-9.]+)([+-])$/, text, 2, 1),
        write: (digits, isNegative, width) => `${digits.padStart(width - 1, "0")}${isNegative ? "-" : "+"}`,
      };
  }
}

function separate(form: RegExp, text: string, signAt: number, digitsAt: number): string | undefined {
  const parts = form.exec(text);
  if (!parts) return /^[0-9.]+$/.test(text) ? undefined : text;
  return `${parts[signAt] === "-" ? "-" : ""}${parts[digitsAt]}`;
}

interface Overpunch {
  /** The character of a digit and its sign. */
  meanings: ReadonlyMap<string, { digit: number; isNegative: boolean }>;
  /** Holds what is written, by the digit. */
  plus: string;
  minus: string;
}

// On computers with ASCII they are text: the bytes of a mainframe, translated.
const PLUS = "{ABCDEFGHI";
const MINUS = "}JKLMNOPQR";
/** GnuCOBOL and Micro Focus write this on them: bit 6 of a digit is set. */
const MINUS_ASCII = "pqrstuvwxy";
const DIGITS = "0123456789";

/** In EBCDIC the sign is the first half of the byte, whatever character the code page has for it. `writes`: the form to write in ASCII. */
function tablesOf(encoding: LayoutEncoding, writes: "{" | "p"): Overpunch {
  if (isEbcdic(encoding)) {
    const table = ebcdicTable(encoding);
    const zone = (half: number) => table.slice(16 * half, 16 * half + 10).join("");
    const [plus, minus] = [zone(0xc), zone(0xd)];
    return { meanings: meaningsOf([plus, zone(0xa), zone(0xe)], [minus, zone(0xb)]), plus, minus };
  }
  const meanings = meaningsOf([PLUS], [MINUS, MINUS_ASCII]);
  return writes === "{" ? { meanings, plus: PLUS, minus: MINUS } : { meanings, plus: DIGITS, minus: MINUS_ASCII };
}

function meaningsOf(plus: readonly string[], minus: readonly string[]): Overpunch["meanings"] {
  const of = (rows: readonly string[], isNegative: boolean) =>
    rows.flatMap((row) =>
      [...row].map((character, digit): [string, { digit: number; isNegative: boolean }] => [character, { digit, isNegative }]),
    );
  return new Map([...of(plus, false), ...of(minus, true)]);
}

function overpunch({ isLeading, meanings, plus, minus }: Overpunch & { isLeading: boolean }): SignForm {
  const put = (text: string, character: string) => (isLeading ? character + text.slice(1) : text.slice(0, -1) + character);
  return {
    read(text) {
      const meaning = meanings.get((isLeading ? text[0] : text.at(-1)) ?? "");
      return meaning ? `${meaning.isNegative ? "-" : ""}${put(text, String(meaning.digit))}` : text;
    },
    write(digits, isNegative, width) {
      const padded = isLeading ? digits.padStart(width, "0") : digits;
      return put(padded, (isNegative ? minus : plus)[Number(isLeading ? padded[0] : padded.at(-1))] as string);
    },
  };
}
