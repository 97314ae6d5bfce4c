import { afterEach, expect, test } from "vitest";
import { formatBytes } from "./bytes-and-seconds.ts";
import { formatDate, formatNumber, setLocale } from "./format.ts";

afterEach(() => setLocale(""));

test("numbers, dates and sizes follow the chosen locale, and the browser's when none is chosen", () => {
  const before = formatNumber(1234.5);
  setLocale("de-DE");
  expect([formatNumber(1234.5), formatDate("2026-11-03"), formatBytes(1_500)]).toEqual(["1.234,5", "03.11.2026", "1,5 kB"]);
  setLocale("sv-SE");
  expect(formatDate("2026-11-03")).toBe("3 nov. 2026");
  setLocale("");
  expect(formatNumber(1234.5)).toBe(before);
});

test("a number is shown with all of its decimals", () => {
  setLocale("en");
  expect([0.0005, 2.00001, 0.1 + 0.2, 1e-7, -12.5].map(formatNumber)).toEqual([
    "0.0005",
    "2.00001",
    "0.30000000000000004",
    "0.0000001",
    "-12.5",
  ]);
});
