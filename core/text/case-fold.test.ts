import { expect, test } from "vitest";
import { asciiLower, caseFold } from "./case-fold.ts";
import { fold } from "./fold.ts";

test.each([
  ["Ben@X.org", "ben@x.org"],
  ["STRAẞE", "straße"],
  ["Straße", "STRASSE"],
  ["ΟΔΟΣ", "οδος"],
  ["ΟΔΟΣ", "οδοσ"],
  ["ÄÖÜ", "äöü"],
  ["Ǆ", "ǆ"],
])("%s and %s are the same", (one, other) => {
  expect(caseFold(one)).toBe(caseFold(other));
});

test("accents count, and the four Turkish letters stay four", () => {
  expect(new Set(["i", "ı", "İ", "é", "e", "Ç", "C"].map(caseFold)).size).toBe(7);
  expect(caseFold("I")).toBe("i");
});

test("every character folds as one that is folded does, sorts by the key of its folded form, and ASCII folds as SQL does", () => {
  const wrong: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const letter = String.fromCodePoint(point);
    const folded = caseFold(letter);
    if (caseFold(folded) !== folded || caseFold(letter.toLowerCase()) !== folded || fold(folded) !== fold(letter)) wrong.push(letter);
    if (point < 0x80 && asciiLower(letter) !== folded) wrong.push(letter);
  }
  expect(wrong).toEqual([]);
});
