import fc from "fast-check";
import { expect, test } from "vitest";
import { neighboursOf, spellingsOf } from "./near-words.ts";

const LATIN = [..."abcdefghijklmnopqrstuvwxyz"];
const word = fc.array(fc.constantFrom(...LATIN), { minLength: 3, maxLength: 12 }).map((letters) => letters.join(""));

test("a word with one letter left out, added, changed or swapped is among the neighbours of what was typed", () => {
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom(...LATIN), (meant, place, letter) => {
      const at = place % meant.length;
      const [before, after] = [meant.slice(0, at), meant.slice(at + 1)];
      const slips = [
        before + after,
        before + letter + meant.slice(at),
        before + letter + after,
        before + after[0] + meant[at] + after.slice(1),
      ];
      for (const typed of slips) {
        if (typed === meant || typed.length < 3 || typed.includes("undefined")) continue;
        expect(neighboursOf(typed)).toContainEqual([meant]);
      }
    }),
  );
});

test.each([
  ["obrien", ["o", "brien"]],
  ["hanspeter", ["hans", "peter"]],
  ["петрв", ["петров"]],
  ["wolfenbuetel", ["wolfenbuttel"]],
  ["dusseldoerfler", ["dusseldorfler"]],
  ["muellerstoetter", ["mullerstotter"]],
])("%s may mean %j", (typed, meant) => {
  expect(neighboursOf(typed)).toContainEqual(meant);
});

test.each(["ab", "x".repeat(25), "4711"])("%s has no neighbours: too many words are near it, or too few letters are in it", (typed) => {
  expect(neighboursOf(typed)).toEqual([]);
});

test.each([
  ["Müller", ["mueller"]],
  ["Mueller", ["muller"]],
  ["Sørensen", ["soerensen"]],
  ["Aagaard", ["agard"]],
  ["Århus", ["aarhus"]],
  ["Smith", []],
])("the umlauts of %s are also written %j", (typed, others) => {
  expect(spellingsOf(typed)).toEqual(others);
});
