// Tests what dragging cells on puts into the next ones.

import fc from "fast-check";
import { expect, test } from "vitest";
import { continueSeries } from "./continue-series.ts";

test.each([
  [["Berlin"], ["Berlin", "Berlin", "Berlin"]],
  [["7"], ["7", "7", "7"]],
  [["2026-01-31"], ["2026-01-31", "2026-01-31", "2026-01-31"]],
  [
    ["7", "9"],
    ["11", "13", "15"],
  ],
  [
    ["10", "5"],
    ["0", "-5", "-10"],
  ],
  [
    ["1.50", "1.75"],
    ["2.00", "2.25", "2.50"],
  ],
  [
    ["0,2", "0,1"],
    ["0,0", "-0,1", "-0,2"],
  ],
  [
    ["008", "009"],
    ["010", "011", "012"],
  ],
  [
    ["A-9", "A-10"],
    ["A-11", "A-12", "A-13"],
  ],
  [
    ["INV/2026/099", "INV/2026/100"],
    ["INV/2026/101", "INV/2026/102", "INV/2026/103"],
  ],
  [
    ["2026-12-30", "2026-12-31"],
    ["2027-01-01", "2027-01-02", "2027-01-03"],
  ],
  [
    ["2026-11-01", "2026-12-01"],
    ["2027-01-01", "2027-02-01", "2027-03-01"],
  ],
  [
    ["2026-01-31", "2026-02-28"],
    ["2026-03-28", "2026-04-25", "2026-05-23"],
  ],
  // No series: the same again.
  [
    ["1", "2", "4"],
    ["1", "2", "4"],
  ],
  [
    ["1.5", "1.55"],
    ["1.5", "1.55", "1.5"],
  ],
  [
    ["Yes", "No"],
    ["Yes", "No", "Yes"],
  ],
  [
    ["2026-02-30", "2026-02-31"],
    ["2026-02-30", "2026-02-31", "2026-02-30"],
  ],
  [
    ["", "1"],
    ["", "1", ""],
  ],
])("%j goes on as %j", (source, expected) => {
  expect(continueSeries(source, 3)).toEqual(expected);
});

test("a series of whole numbers is continued by its own step, without rounding", () => {
  const whole = fc.integer({ min: -(10 ** 9), max: 10 ** 9 });
  fc.assert(
    fc.property(whole, fc.integer({ min: -10_000, max: 10_000 }), fc.nat({ max: 50 }), (start, by, count) => {
      const expected = Array.from({ length: count }, (_, i) => String(start + by * (i + 2)));
      expect(continueSeries([String(start), String(start + by)], count)).toEqual(expected);
    }),
  );
});
