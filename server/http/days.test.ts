import { expect, test } from "vitest";
import { readRelativeTime } from "../../core/dictionary/relative-times.ts";
import { resolveRelative } from "./days.ts";

const NOW = Date.parse("2026-03-31T22:30:00Z"); // in Berlin the first of April, a Wednesday

test.each([
  ["now", "UTC", "2026-03-31T22:30:00.000Z"],
  ["now-36h", "UTC", "2026-03-30T10:30:00.000Z"],
  ["now-7d", "UTC", "2026-03-24T22:30:00.000Z"],
  ["today", "UTC", "2026-03-31T00:00:00.000Z"],
  ["today", "Europe/Berlin", "2026-03-31T22:00:00.000Z"],
  ["today-7d", "Europe/Berlin", "2026-03-24T23:00:00.000Z"], // before the clocks went forward
  ["today+1d", "America/New_York", "2026-04-01T04:00:00.000Z"],
  ["today-1m", "UTC", "2026-02-28T00:00:00.000Z"],
  ["today+2w", "UTC", "2026-04-14T00:00:00.000Z"],
  ["today-1h", "UTC", "2026-03-30T23:00:00.000Z"],
  ["week", "UTC", "2026-03-30T00:00:00.000Z"],
  ["month", "UTC", "2026-03-01T00:00:00.000Z"],
  ["month", "Europe/Berlin", "2026-03-31T22:00:00.000Z"],
  ["month-1m", "UTC", "2026-02-01T00:00:00.000Z"],
  ["month+1m", "UTC", "2026-04-01T00:00:00.000Z"],
  ["year-999y", "UTC", "1027-01-01T00:00:00.000Z"],
])("%s means in %s %s", (text, zone, instant) => {
  const time = readRelativeTime(text);
  const resolved = time && resolveRelative(time, zone, NOW);
  expect(resolved && new Date(resolved.at).toISOString()).toBe(instant);
});

test("a relative day is the day that it is there", () => {
  const dayOf = (text: string, zone: string) => resolveRelative(readRelativeTime(text) ?? { from: "now", by: 0, unit: "d" }, zone, NOW).day;
  expect([dayOf("today", "UTC"), dayOf("today", "Europe/Berlin"), dayOf("now-1h", "Europe/Berlin")]).toEqual([
    "2026-03-31",
    "2026-04-01",
    "2026-03-31",
  ]);
});

test.each(["", "Today", "today-", "today-7", "7d", "today-7s", "today-12345d", "today-1000y", "todays", "2026-03-31"])(
  "%j is no relative time",
  (text) => {
    expect(readRelativeTime(text)).toBeUndefined();
  },
);
