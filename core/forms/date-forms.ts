// The ways in which people write a date, and what each text may mean.

import { KIND_TRAITS } from "../dictionary/kinds.ts";
import { monthOf } from "./month-names.ts";
import type { Reading } from "./readings.ts";
import { instantIn } from "./time-zones.ts";

const NUMERIC = /^(\d{1,2})([./-]) ?(\d{1,2})\2 ?(\d{4}|\d{2})\.?$/;
const YEAR_FIRST = /^(\d{4})([./-]?)(\d{1,2})\2(\d{1,2})\.?$/;
const DAY_MONTH_NAME = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s/-]*(?:de |of )?(\p{L}{3,})\.?(?: de)?[\s,/-]*(\d{4}|\d{2})$/u;
const MONTH_NAME_DAY = /^(\p{L}{3,})\.?[\s/-]*(\d{1,2})(?:st|nd|rd|th)?[\s,/-]+(\d{4})$/u;
const WEEKDAY = /^\p{L}+\.?,\s*/u;
const MIDNIGHT = /[T ]0?0:00(:00(\.0+)?)?$/;
const TIME = /^(.*\d)[T ,]\s*(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?\s?([ap])?\.?m?\.?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const SERIAL = /^(\d{5})(\.0+)?$/;
const SERIAL_TIME = /^(\d{5})(\.\d+)$/;
const UNIX = /^\d{10}(\d{3})?$/;

const DAY = 86_400_000; // ms
/** Day 0 of a workbook, for days after its invented 29 February 1900. */
const SERIAL_START = Date.UTC(1899, 11, 30);
const SERIAL_START_1904 = Date.UTC(1904, 0, 1);
/** RFC 5322, section 4.3: two digits below it are years from 2000 on, the others from 1900 on. */
export const PIVOT = 50;

/** The form of day numbers of a workbook that counts from 1904. */
export const SERIAL_1904 = "date:serial1904";

/** Several readings: nobody can tell which one is meant. Their names then end with a question mark. */
export function readDate(text: string, is1904 = false): Reading[] {
  const readings = dateReadings(text.replace(MIDNIGHT, ""));
  const serial = SERIAL.exec(text);
  if (serial) readings.push(ofSerial(serial[1], is1904));
  const unix = instantOf(text);
  if (unix !== undefined && unix % DAY === 0) readings.push({ name: "date:unix", text: isoDay(unix) });
  return readings;
}

/**
 * `zones`: the time zones of times that say none, as IANA names them; UTC is one of the choices. A date alone, which workbooks have for
 * midnight, is the start of its day: " t0" in the name says so.
 */
export function readDatetime(text: string, zones: readonly string[], is1904 = false): Reading[] {
  const unix = instantOf(text);
  if (unix !== undefined) return [{ name: "date:unix", text: new Date(unix).toISOString() }];
  const [, serial, fraction] = SERIAL_TIME.exec(text) ?? [];
  if (serial !== undefined) return inZones([ofSerial(serial, is1904)], clockOf(Number(fraction)), zones);
  const [, day = "", hours, minutes, seconds = "00", part = "", half, offset] = TIME.exec(text) ?? [];
  if (/[1-9]/.test(part.slice(4))) return []; // only milliseconds are stored, and nothing is cut off unseen
  if (hours === undefined) return inZones(SERIAL.test(text) ? [ofSerial(text, is1904)] : isoOrOther(text), undefined, zones);
  const hour = half ? (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hours);
  if (half && (Number(hours) > 12 || Number(hours) === 0)) return [];
  const clock = `${String(hour).padStart(2, "0")}:${minutes}:${seconds}${part}`;
  if (!offset) return inZones(isoOrOther(day), clock, zones);
  const iso = /^[+-]/.test(offset) ? offset.replace(/^(...):?/, "$1:") : "Z";
  return isoOrOther(day).map(({ name, text: date }) => ({ name: `${name} t`, text: `${date}T${clock}${iso}` }));
}

/** Takes the start of the day without `clock`. */
function inZones(dates: readonly Reading[], clock: string | undefined, zones: readonly string[]): Reading[] {
  return dates.flatMap(({ name, text }) =>
    zones.flatMap((zone): Reading[] => {
      const instant = instantIn(zone, `${text}T${clock ?? "00:00:00"}Z`);
      return instant === undefined ? [] : [{ name: `${name} ${clock === undefined ? "t0" : "t"}@${zone}`, text: instant }];
    }),
  );
}

function isoOrOther(text: string): Reading[] {
  return KIND_TRAITS.date.fromText(text) === undefined ? dateReadings(text) : [{ name: "date:y-m-d", text }];
}

/** Reads a day number, which may have zeros behind its point. */
function ofSerial(days: string | undefined, is1904: boolean): Reading {
  const start = is1904 ? SERIAL_START_1904 : SERIAL_START;
  return { name: is1904 ? SERIAL_1904 : "date:serial", text: isoDay(start + Number(days) * DAY) };
}

/** Rounds to the second: a fraction of a day in a workbook has no more digits. */
function clockOf(fraction: number): string {
  return new Date(Math.min(Math.round(fraction * 86_400) * 1000, DAY - 1000)).toISOString().slice(11, 19);
}

function dateReadings(text: string): Reading[] {
  const bare = text.replace(WEEKDAY, "");
  const [, first = "", mark = "", second = "", year = ""] = NUMERIC.exec(bare) ?? [];
  if (first !== "") return numericReadings(first, mark, second, year);
  const yearFirst = YEAR_FIRST.exec(bare);
  if (yearFirst) {
    const [, y = "", sign = "", m = "", d = ""] = yearFirst;
    return sign === "" && (m + d).length < 4 ? [] : valid(`date:y${sign}m${sign}d`, y, Number(m), d);
  }
  const named = DAY_MONTH_NAME.exec(bare);
  if (named)
    return valid(named[3]?.length === 2 ? "date:d mon yy" : "date:d mon y", named[3] as string, monthOf(named[2] as string), named[1]);
  const american = MONTH_NAME_DAY.exec(bare);
  return american ? valid("date:mon d y", american[3] as string, monthOf(american[1] as string), american[2]) : [];
}

/**
 * Puts the day first with dots: so write all locales of the CLDR that separate by dots. Otherwise it takes whatever is a date; a day and
 * a month of the same number are one date in both orders.
 */
function numericReadings(first: string, mark: string, second: string, year: string): Reading[] {
  const y = year.length === 2 ? "yy" : "y";
  const dayFirst = valid(`date:d${mark}m${mark}${y}`, year, Number(second), first);
  if (dayFirst.length > 0 && mark === ".") return dayFirst;
  const monthFirst = valid(`date:m${mark}d${mark}${y}`, year, Number(first), second);
  if (dayFirst.length > 0 && first === second) return [{ name: `date:x${mark}x${mark}${y}`, text: (dayFirst[0] as Reading).text }];
  const yearFirst = mark === "-" && y === "yy" ? valid("date:yy-m-d", first.padStart(2, "0"), Number(second), year) : [];
  return [...dayFirst, ...monthFirst, ...yearFirst];
}

function valid(name: Reading["name"], year: string, month: number | undefined, day = ""): Reading[] {
  if (month === undefined) return [];
  const full = year.length === 4 ? year : `${Number(year) < PIVOT ? "20" : "19"}${year}`;
  const text = `${full}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
  return KIND_TRAITS.date.fromText(text) === undefined ? [] : [{ name, text }];
}

/** Seconds or milliseconds since 1970, if the digits leave no doubt which: from September 2001 on. */
function instantOf(text: string): number | undefined {
  const digits = UNIX.exec(text);
  if (!digits || text.startsWith("0")) return undefined;
  return digits[1] === undefined ? Number(text) * 1000 : Number(text);
}

function isoDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
