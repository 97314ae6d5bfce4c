// Times that are counted from the moment at which a list is asked: `today-7d` is another day tomorrow.

import { KIND_TRAITS, type Kind } from "./kinds.ts";

export type PeriodStart = "now" | "today" | "week" | "month" | "year";
export type RelativeUnit = "h" | "d" | "w" | "m" | "y";

export interface RelativeTime {
  /** The moment itself, or when its day, week (from Monday on, ISO 8601), month or year begins. */
  from: PeriodStart;
  /** Is negative before it. */
  by: number;
  unit: RelativeUnit;
}

// No more years than leave a year of four digits.
const RELATIVE = /^(now|today|week|month|year)(?:([+-]\d{1,4})([hdwm])|([+-]\d{1,3})(y))?$/;

/** @example readRelativeTime("month-1m") // when the month before this one began */
export function readRelativeTime(text: string): RelativeTime | undefined {
  const [, from, steps, unit, years, year] = RELATIVE.exec(text) ?? [];
  return from === undefined
    ? undefined
    : { from: from as PeriodStart, by: Number(steps ?? years ?? 0), unit: (unit ?? year ?? "d") as RelativeUnit };
}

/** Says whether the values of a kind lie on days, so that a filter may count them from today. */
export function liesOnDays(kind: Kind): boolean {
  return ["date", "date-time"].includes(String(KIND_TRAITS[kind].schema.format));
}

/** Says whether the platform knows a time zone of this name (IANA database). */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false; // a RangeError: there is no such zone
  }
}
