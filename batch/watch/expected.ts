// Files that are expected by a time of day, and which of them are late.

import { dayIn, isZone, openZone } from "../../layouts/layouts/time-zones.ts";

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const DAY = 86_400_000; // ms
const MOST_DAYS = 366; // looked back

/** One file is expected on each of these days. One that is loaded from `from` on counts for the day of the next `by`. */
export interface Expected {
  /** Times of day such as "06:30" in the zone. Where `from` is not before `by`, it is that of the day before. Default: "00:00". */
  by: string;
  from?: string;
  zone: string;
  /** Default: each day of the week. */
  days?: readonly (typeof WEEKDAYS)[number][];
  /** ISO days on which no file is expected. */
  except?: readonly string[];
}

const isTime = (value: unknown) => typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(value);
const isList = (isRight: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every(isRight);
const CHECKS: Record<keyof Expected, (value: unknown) => boolean> = {
  by: isTime,
  from: (value) => value === undefined || isTime(value),
  zone: (value) => typeof value === "string" && isZone(value),
  days: (value) => value === undefined || isList((day) => (WEEKDAYS as readonly unknown[]).includes(day))(value),
  except: (value) => value === undefined || isList((day) => new Date(String(day)).toJSON()?.slice(0, 10) === day)(value),
};

/** Returns undefined when a key or a value is wrong. */
export function readExpected(value: unknown): Expected | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const given = value as Record<string, unknown>;
  const isRight = Object.entries(CHECKS).every(([key, check]) => check(given[key])) && Object.keys(given).every((key) => key in CHECKS);
  return isRight ? (value as Expected) : undefined;
}

export interface Late {
  /** Epoch milliseconds of the latest time by which a file was expected. */
  due: number;
  sentence: string;
}

/**
 * Says whether the file of the latest expected day is missing. `last`: when such a file was loaded last; both in epoch milliseconds. A file
 * that came too late for a day is never taken for that of the next one: `from` lies between them.
 */
export function lateness(
  { by, from = "00:00", zone, days = WEEKDAYS, except = [] }: Expected,
  last: number | undefined,
  now: number,
): Late | undefined {
  const clock = openZone(zone, "earlier");
  const at = (day: string, time: string) => {
    const instant = clock.toInstant(`${day}T${time}:00`);
    return "iso" in instant ? Date.parse(instant.iso) : Number.NaN;
  };
  const missing: { day: string; due: number }[] = [];
  const today = Date.parse(dayIn(zone, now));
  for (let back = 0; back < MOST_DAYS; back++) {
    const day = isoDay(today - back * DAY);
    const weekday = WEEKDAYS[new Date(day).getUTCDay()];
    const due = at(day, by);
    if (!weekday || !days.includes(weekday) || except.includes(day) || due > now) continue;
    const begin = at(from >= by ? isoDay(Date.parse(day) - DAY) : day, from);
    if (last !== undefined && last >= begin) break;
    missing.push({ day, due });
    if (last === undefined) break; // nothing is known of the days before
  }
  const [latest] = missing;
  if (!latest) return undefined;
  const often = missing.length > 1 ? `, as on ${missing.length - 1} expected ${missing.length === 2 ? "day" : "days"} before` : "";
  const before =
    last === undefined
      ? "None is known."
      : `The last one was loaded on ${new Date(last).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
  return { due: latest.due, sentence: `late. It was expected by ${latest.day} ${by} (${zone})${often}. ${before}` };
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
