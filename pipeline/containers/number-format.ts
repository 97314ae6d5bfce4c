// Says what a number format makes of a number: a date, a time, digits behind zeros (ECMA-376-1, 18.8.30 and 18.8.31).

import { tooManyParts } from "./xml-parts.ts";

/**
 * date: the value is a serial date, perhaps with a time. elapsed: a length of time. zeros: digits filled up to a width, such as
 * 00501. general: a number, however it is shown.
 */
export type NumberFormat =
  | { is: "general" }
  | { is: "percent" }
  | { is: "date"; hasDay: boolean }
  | { is: "elapsed" }
  | { is: "zeros"; pattern: string }
  /** Parts of different sorts: the value decides. */
  | { is: "parts"; of(value: number): NumberFormat };

const GENERAL: NumberFormat = { is: "general" };

/** Formats that a workbook need not define. Those of East Asian languages (27–36, 50–58) are dates, too. */
const BUILT_IN: Readonly<Record<number, string>> = {
  9: "0%",
  10: "0.00%",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
};

const LONGEST_FORMAT = 1_000; // UTF-16 units; Excel allows 255, and the patterns below would take long on more

/** `id` and, where the workbook defines it, the format itself. Throws FileError for a format that is too long for any program. */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  if (code !== undefined && code.length > LONGEST_FORMAT) throw tooManyParts();
  if (code !== undefined) return parseFormat(code);
  const known = BUILT_IN[id];
  if (known !== undefined) return parseFormat(known);
  return (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? { is: "date", hasDay: true } : GENERAL;
}

/** A format has parts for positive numbers, negative ones, zero and text; or the first two say for which they are: `[<1]0%;[>=100]0.0;0`. */
export function parseFormat(code: string): NumberFormat {
  const parts = code.replace(/"[^"]*"?|[\\_*].|;/g, (token) => (token === ";" ? "\0" : token)).split("\0", 4);
  if (parts.length === 4 || (parts.length > 1 && parts.at(-1)?.includes("@"))) parts.pop();
  const [first = GENERAL, second = first, third = first] = parts.map(parsePart);
  const [isFirst, isSecond] = parts.map(conditionOf);
  if ([second, third].every((part) => JSON.stringify(part) === JSON.stringify(first))) return first;
  if (isFirst || isSecond)
    return { is: "parts", of: (value) => ((isFirst?.(value) ?? value > 0) ? first : (isSecond?.(value) ?? true) ? second : third) };
  if (second.is === first.is && third.is === first.is) return first;
  return { is: "parts", of: (value) => (value < 0 && second.is !== "zeros" ? second : value === 0 ? third : first) };
}

const CONDITION = /\[(<=|>=|<>|<|>|=)\s*(-?[\d.]+(?:E[+-]?\d+)?)\]/i;

function conditionOf(part: string): ((value: number) => boolean) | undefined {
  const [, sign, limit] = CONDITION.exec(part) ?? [];
  if (sign === undefined) return undefined;
  const than = Number(limit);
  return (value) => (value < than ? /^</.test(sign) : value > than ? sign.includes(">") : sign.includes("="));
}

function parsePart(part: string): NumberFormat {
  if (/\[(?:h+|m+|s+)\]/i.test(part)) return { is: "elapsed" };
  // Text in quotation marks, escaped and repeated characters, colours, conditions and languages are no part of the number.
  const bare = part.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, "");
  if (/^\s*(?:general|standard)\s*$/i.test(bare)) return GENERAL;
  if (/[ymdhs]|AM\/PM|A\/P/i.test(bare) && !/[0#?]\s*[/%,]|#/.test(bare.replace(/[.,]0+/g, ""))) {
    return { is: "date", hasDay: /[yd]|mmm/i.test(bare) || !/[hs]/i.test(bare) };
  }
  if (bare.includes("%")) return { is: "percent" };
  return /^[^#?.,E/@]*00[^#?.,E/@]*$|^[^#?.,E/@]*0[^#?.,E/@0]+0[^#?.,E/@]*$/i.test(bare)
    ? { is: "zeros", pattern: literalPattern(part) }
    : GENERAL;
}

/** Returns the format with its literal characters as they are shown: `"K"00\-000` becomes `K00-000`, zeros marked by NUL. */
function literalPattern(part: string): string {
  return part.replace(/"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]|(0)/g, (_, quoted?: string, escaped?: string, zero?: string) =>
    zero ? "\0" : (quoted ?? escaped ?? ""),
  );
}

/** Writes a whole number in its pattern. Digits beyond the pattern stand in front. */
export function fillPattern(pattern: string, number: number): string {
  let digits = String(Math.abs(number));
  const places = pattern.split("\0").length - 1;
  digits = digits.padStart(places, "0");
  let next = digits.length;
  let shown = "";
  let left = places;
  for (let i = pattern.length - 1; i >= 0; i--) {
    if (pattern[i] !== "\0") {
      shown = pattern[i] + shown;
      continue;
    }
    const from = --left === 0 ? 0 : next - 1;
    shown = digits.slice(from, next) + shown;
    next = from;
  }
  return number < 0 ? `-${shown}` : shown;
}

const DAY = 86_400_000; // ms
const LAST_DAY = 2_958_466; // the day after 9999-12-31
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const NO_DAY = 60; // 29 February 1900, which Excel counts although it was none

/**
 * Returns the date, the date and time, or the time alone of a serial number, in the form of ISO 8601 without a zone. Undefined for a number
 * that is no date: spreadsheets show it as #####. `hasDay`: whether its format shows a day, a month or a year.
 */
export function serialText(serial: number, is1904: boolean, hasDay: boolean): string | undefined {
  const ms = Math.round(serial * DAY);
  if (!(ms >= 0) || ms >= LAST_DAY * DAY) return undefined;
  const day = Math.floor(ms / DAY);
  const time = timeText(ms - day * DAY);
  if (day === 0 && !(is1904 && hasDay)) return time; // with 1904 its first day has the number 0
  if (day === NO_DAY && !is1904) return ms === day * DAY ? "1900-02-29" : `1900-02-29T${time}`;
  const shift = !is1904 && day < NO_DAY ? 1 : 0;
  const date = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + (day + shift) * DAY);
  const text = date.toISOString().slice(0, 10);
  return ms === day * DAY ? text : `${text}T${time}`;
}

/** Writes "27:30:00", also beyond a day. */
export function elapsedText(serial: number): string {
  const ms = Math.round(Math.abs(serial) * DAY);
  return (serial < 0 ? "-" : "") + timeText(ms);
}

function timeText(ms: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const seconds = Math.floor(ms / 1000);
  const rest = ms % 1000;
  const fraction = rest === 0 ? "" : `.${String(rest).padStart(3, "0")}`;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${fraction}`;
}

/** Returns the shortest text of a number. Fractions have the 15 digits with which spreadsheets work; whole numbers have all of theirs. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return "";
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(15));
  return String(rounded);
}
