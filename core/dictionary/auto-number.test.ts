import fc from "fast-check";
import { expect, test } from "vitest";
import { fromNumber, numbersOf, patternMistake, toNumber } from "./auto-number.ts";

test.each(["INV", "{yyyy}", "{00}{000}", "{yyyy}{yyyy}{0}", "{year}-{0}", "{0", "0}", "{}", "{0000000000000000}"])(
  "%s is no pattern",
  (pattern) => {
    expect(patternMistake(pattern)).toContain("must have {0…0} once");
  },
);

test.each([
  ["INV-{yyyy}-{00000}", "2026", 42, "INV-2026-00042"],
  ["{0}", "2026", 7, "7"],
  ["{000}/{yyyy}", "2026", 1234, "1234/2026"],
  ["(A+B). {00}$", "2026", 5, "(A+B). 05$"],
])("%s of %s and %i is %s", (pattern, year, n, text) => {
  expect(patternMistake(pattern)).toBeUndefined();
  expect(toNumber(pattern, year, n)).toBe(text);
  expect(fromNumber(pattern, year, text)).toBe(n);
  expect(new RegExp(`^(?:${numbersOf(pattern)})$`, "u").test(text)).toBe(true);
});

test("what is given is read again, and nothing else is read as a number", () => {
  const pattern = "A-{yyyy}-{000}";
  fc.assert(fc.property(fc.nat(), (n) => fromNumber(pattern, "2026", toNumber(pattern, "2026", n)) === n));
  for (const other of ["A-2025-001", "A-2026-01", "A-2026-0001", "A-2026-001 ", "a-2026-001", "", "A-2026-99999999999999999999"])
    expect(fromNumber(pattern, "2026", other)).toBeUndefined();
});
