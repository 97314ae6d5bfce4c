// Numbers by their digits: what a double keeps of them, and decimals of which every digit is kept.

/** A number in JSON, whose form Table Schema takes over for its texts (RFC 8259 section 6). */
const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** A double keeps so many digits, whatever they are (IEEE 754, DBL_DIG of C). */
const ALWAYS_KEPT = 15;

export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** Says whether the digits come back when the number is kept as a double. `text` is a number. */
export function keepsDigits(text: string): boolean {
  if (text.length <= ALWAYS_KEPT && !/e/i.test(text)) return true;
  return significant(text) === significant(String(Number(text)));
}

/** Returns the same text for equal numbers: "1.50" and "15e-1" are both "15e-1". Empty for what is no number, such as Infinity. */
function significant(text: string): string {
  const [, whole = "", part = "", exponent = "0"] = /^-?([0-9]+)(?:\.([0-9]+))?(?:e\+?(-?[0-9]+))?$/i.exec(text) ?? [];
  const all = (whole + part).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return whole && "0";
  return `${digits}e${Number(exponent) - part.length + all.length - digits.length}`;
}

/** A number of a JSON body with more digits than a double keeps. It has no properties, so it counts as one value. */
export class LongNumber {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  get text(): string {
    return this.#text;
  }
  /** Writes numbers as every program reads them, because what is stored is JSON. */
  toJSON(): number {
    return Number(this.#text);
  }
}

/** More stand in no price, and fewer would refuse packed numbers of COBOL, which have at most 31 digits. */
export const MOST_WHOLE_DIGITS = 26;
export const MOST_DECIMALS = 10;

/**
 * Returns the number with all its digits: no exponent, no zeros that say nothing, no minus before 0. Undefined for other text and for
 * more than MOST_WHOLE_DIGITS digits before the point.
 *
 * @example readDecimal("012.50") // undefined, as for every number
 * @example readDecimal("1.250e2") // "125"
 */
export function readDecimal(text: string): string | undefined {
  if (text.length > MOST_LENGTH || !NUMBER.test(text)) return undefined;
  const [, sign = "", whole = "", part = "", exponent = "0"] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e\+?(-?[0-9]+))?$/i.exec(text) ?? [];
  const moved = Number(exponent);
  if (Math.abs(moved) > MOST_LENGTH) return undefined;
  const digits = "0".repeat(Math.max(0, -moved)) + whole + part + "0".repeat(Math.max(0, moved - part.length));
  const point = Math.max(0, -moved) + whole.length + moved;
  const before = digits.slice(0, point).replace(/^0+(?=.)/, "") || "0";
  const after = digits.slice(point).replace(/0+$/, "");
  if (before.length > MOST_WHOLE_DIGITS) return undefined;
  const number = after === "" ? before : `${before}.${after}`;
  return number === "0" ? number : sign + number;
}

const MOST_LENGTH = 100; // characters

/** Counts the digits behind the point. `decimal` comes from readDecimal. */
export function countDecimals(decimal: string): number {
  const point = decimal.indexOf(".");
  return point === -1 ? 0 : decimal.length - point - 1;
}

/** Writes at least so many digits behind the point, as prices have them: "4150.50". */
export function padDecimals(decimal: string, decimals: number): string {
  const missing = decimals - countDecimals(decimal);
  if (missing <= 0) return decimal;
  return `${decimal}${decimal.includes(".") ? "" : "."}${"0".repeat(missing)}`;
}

const AFTER_DIGITS = "~"; // sorts after "." and every digit

/**
 * Returns a text that sorts by its bytes as decimals sort by size, and still shows the digits: a letter for how many digits stand before
 * the point, then the number ("d1234.5"). Negative numbers have a capital letter and the digits' complements to nine, so that they sort the
 * other way round.
 */
export function toSortable(decimal: string): string {
  const isNegative = decimal.startsWith("-");
  const digits = isNegative ? decimal.slice(1) : decimal;
  const length = digits.length - (digits.includes(".") ? countDecimals(digits) + 1 : 0);
  if (!isNegative) return String.fromCharCode(A_SMALL + length - 1) + digits;
  return String.fromCharCode(Z_CAPITAL - length + 1) + complement(digits) + AFTER_DIGITS;
}

const A_SMALL = 97;
const Z_CAPITAL = 90;

export function fromSortable(text: string): string {
  return text.endsWith(AFTER_DIGITS) ? `-${complement(text.slice(1, -1))}` : text.slice(1);
}

function complement(digits: string): string {
  return digits.replace(/[0-9]/g, (digit) => String(9 - Number(digit)));
}

/** Says whether decimal `a` is more than `b`. */
export function isMore(a: string, b: string): boolean {
  return toSortable(a) > toSortable(b);
}
