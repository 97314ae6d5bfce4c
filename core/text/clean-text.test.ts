import fc from "fast-check";
import { expect, test } from "vitest";
import { FORBIDDEN, INVISIBLE, isClean } from "./clean-text.ts";

const UNITS = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
const SCRIPTS = [
  "Ann Müller",
  "Ångström",
  "Γιώργος",
  "Наталья",
  "Համբարձում",
  "גדליהו",
  "محمد",
  "გიორგი",
  "王小明",
  "まさこ",
  "김민수",
  "№ 5",
];

function needsNothing(text: string): boolean {
  return text === text.trim() && text === text.normalize("NFC") && !FORBIDDEN.test(text) && !INVISIBLE.test(text);
}

test("a clean text is trimmed and in NFC, without forbidden and invisible characters", () => {
  const clean = UNITS.filter(isClean);
  const wrong = clean.filter((text) => !needsNothing(text));
  const any = fc.string({
    unit: fc.oneof(fc.constantFrom(...clean), fc.constantFrom(...UNITS), fc.constantFrom(" ", "\u3000")),
    maxLength: 6,
  });
  fc.assert(
    fc.property(any, (text) => !isClean(text) || needsNothing(text)),
    { numRuns: 20_000 },
  );
  expect(wrong).toEqual([]);
  expect(clean.length).toBeGreaterThan(50_000);
});

test("two clean characters beside each other stay two", () => {
  // Each second character of a composition, as Unicode's own data say.
  const seconds = UNITS.flatMap((text) => [...text.normalize("NFD")].slice(1));
  expect(seconds.length).toBeGreaterThan(10_000);
  expect(seconds.filter(isClean)).toEqual([]);
});

test("names of many scripts are clean, and what people paste beside them is not", () => {
  expect(SCRIPTS.filter((text) => !isClean(text))).toEqual([]);
  const others = [" a", "a\u00a0", "a\nb", "e\u0301", "\u1100\u1161", "\u212b", "a\u200bb", "\ufeffa", "\u202ea", "\ud83d", "\0"];
  expect(others.filter(isClean)).toEqual([]);
});
