// Days of a time zone, as query parameters and as moments.

import { isTimeZone, type PeriodStart, type RelativeTime } from "../../core/dictionary/relative-times.ts";
import { offsetIn } from "../../core/forms/time-zones.ts";
import type { Parameter } from "./query-parameters.ts";

const [DAY_MS, HOUR_MS] = [86_400_000, 3_600_000];

/** A day as YYYY-MM-DD. */
export const day: Parameter<string> = {
  expects: "a day such as 2026-11-22",
  schema: { type: "string", format: "date" },
  read: (given) => (/^[12]\d{3}-\d\d-\d\d$/.test(given) && addDays(given, 0) === given ? given : undefined),
};

/** The name of a time zone in the IANA database. */
export const timeZone: Parameter<string> = {
  expects: "the name of a time zone, such as Europe/Berlin",
  schema: { type: "string" },
  read: (given) => (isTimeZone(given) ? given : undefined),
};

export function addDays(given: string, days: number): string {
  const at = Date.parse(`${given}T00:00:00Z`);
  return Number.isNaN(at) ? "" : new Date(at + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the time that a relative time means at `now`, in ms since 1970, where the clocks are those of `zone`: a moment, and the day on which it lies. */
export function resolveRelative({ from, by, unit }: RelativeTime, zone: string, now: number): { at: number; day: string } {
  if (unit === "h") {
    const at = (from === "now" ? now : startOf(beginning(from, dayAt(now, zone)), zone)) + by * HOUR_MS;
    return { at, day: dayAt(at, zone) };
  }
  const today = dayAt(now, zone);
  const day = shiftedDay(from === "now" ? today : beginning(from, today), by, unit);
  const sinceMidnight = from === "now" ? now - startOf(today, zone) : 0;
  return { at: startOf(day, zone) + sinceMidnight, day };
}

/** Returns the first day of the period in which `given` lies. */
function beginning(from: PeriodStart, given: string): string {
  switch (from) {
    case "week":
      return addDays(given, -((new Date(given).getUTCDay() + 6) % 7)); // Monday is the first (ISO 8601)
    case "month":
      return `${given.slice(0, 8)}01`;
    case "year":
      return `${given.slice(0, 4)}-01-01`;
    case "now":
    case "today":
      return given;
  }
}

/** A month or year later is the same day of the month, or its last one. */
function shiftedDay(given: string, by: number, unit: "d" | "w" | "m" | "y"): string {
  if (unit === "d" || unit === "w") return addDays(given, unit === "d" ? by : by * 7);
  const [year = 0, month = 1, date = 1] = given.split("-").map(Number);
  const months = month - 1 + (unit === "m" ? by : by * 12);
  const last = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** Says when a day begins there, in ms since 1970. */
export function startOf(given: string, zone: string): number {
  const utc = Date.parse(`${given}T00:00:00Z`);
  const guess = utc - offsetIn(zone, utc);
  const start = utc - offsetIn(zone, guess); // the clocks may have been changed between the two
  return dayAt(start, zone) < given ? guess : start; // midnight itself was skipped
}

/** Returns the day that it is there at a time, in ms since 1970. */
export function dayAt(at: number, zone: string): string {
  return new Date(at + offsetIn(zone, at)).toISOString().slice(0, 10);
}
