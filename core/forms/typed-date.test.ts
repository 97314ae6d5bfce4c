import { expect, test } from "vitest";
import { isTwofold, readTypedForm } from "./typed-date.ts";

test.each([
  ["1985-06-30", "1985-06-30"],
  ["30.06.1985", "1985-06-30"],
  ["30.6.85", "1985-06-30"],
  ["30. Juni 1985", "1985-06-30"],
  ["June 30, 1985", "1985-06-30"],
  ["Sunday, 30 June 1985", "1985-06-30"],
  ["31.02.2026", undefined],
  ["soon", undefined],
  ["31228", undefined],
  ["", undefined],
])("the typed date %j is %j", (text, date) => {
  expect(readTypedForm("date", text, "en", "UTC")).toBe(date);
});

test.each([
  ["en-US", "2026-01-02"],
  ["en-GB", "2026-02-01"],
  ["de", "2026-02-01"],
])("what stands first in 1/2/2026 is said by the locale %s", (locale, date) => {
  expect(readTypedForm("date", "1/2/2026", locale, "UTC")).toBe(date);
});

test.each([
  ["31.01.2026 08:30", "2026-01-31T07:30:00.000Z"],
  ["31.01.2026, 08:30:15", "2026-01-31T07:30:15.000Z"],
  ["2026-01-31T08:30", "2026-01-31T07:30:00.000Z"],
  ["2026-01-31T08:30Z", "2026-01-31T08:30Z"],
  ["1/31/2026 8:30 pm", "2026-01-31T19:30:00.000Z"],
  ["31.01.2026", undefined],
])("the typed time %j is %j", (text, instant) => {
  const found = readTypedForm("datetime", text, "en", "Europe/Amsterdam");
  expect(found && new Date(found).toISOString()).toBe(instant && new Date(instant).toISOString());
});

test.each([
  ["1/2/2026", true],
  ["01.02.2026", false],
  ["31/1/2026", false],
  ["2/2/2026", false],
  ["2026-01-02", false],
])("whether the locale decides on %j: %j", (text, expected) => {
  expect(isTwofold(text)).toBe(expected);
});
