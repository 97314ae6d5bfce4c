// Tests which values are one in several spellings, and which only look like it.

import { expect, test } from "vitest";
import { findSpellings } from "./spellings.ts";

const found = (values: Record<string, number>) =>
  findSpellings(new Map(Object.entries(values))).map(({ texts }) => texts.map(({ text, isSure }) => (isSure ? text : `${text}?`)));

test.each<[string, Record<string, number>, string[][]]>([
  [
    "case, accents, spaces and punctuation are no difference",
    { "Müller GmbH": 9, "muller gmbh": 2, "Müller-G.m.b.H.": 1 },
    [["Müller GmbH", "muller gmbh", "Müller-G.m.b.H."]],
  ],
  ["umlauts that are written as two letters are asked about", { Köln: 5, Koeln: 2 }, [["Köln", "Koeln?"]]],
  ["words in another order are asked about", { "Ann Lee": 5, "Lee, Ann": 2 }, [["Ann Lee", "Lee, Ann?"]]],
  [
    "one letter more, less, other or swapped is asked about",
    { Hamburg: 9, Hambrug: 3, Hambur: 2, Hamburgg: 1 },
    [["Hamburg", "Hambrug?", "Hambur?", "Hamburgg?"]],
  ],
  ["short words are not believed to have slips", { Bonn: 9, Born: 3, Bonn_: 1 }, [["Bonn", "Bonn_"]]],
  ["other digits are another value", { "Plant 12": 9, "Plant 13": 9, "Plant 1.2": 3, "PLANT 12": 1 }, [["Plant 12", "PLANT 12"]]],
  ["numbers are no spellings", { "1.5": 3, "15": 2, "1,5": 1 }, []],
  ["signs that mean something stay", { C: 4, "C++": 3, "C#": 2, "c.": 1 }, [["C", "c."]]],
  [
    "what most rows gain from comes first",
    { Köln: 9, koln: 1, Essen: 9, essen: 4 },
    [
      ["Essen", "essen"],
      ["Köln", "koln"],
    ],
  ],
  ["of three in a row the ends are not one", { Martin: 9, Martina: 8, Martinas: 7 }, [["Martin", "Martina?"]]],
  ["values in other scripts are folded, too", { Иванов: 3, "ИВАНОВ ": 1, 王: 2 }, [["Иванов", "ИВАНОВ "]]],
])("%s", (_, values, groups) => {
  expect(found(values)).toEqual(groups);
});

test("ten thousand values that are alike are grouped, each value at most once", () => {
  const values = new Map(
    Array.from({ length: 10_000 }, (_, i) => [`Company ${String.fromCharCode(97 + (i % 26))}${(i * 7919) % 10_007}`, 1]),
  );
  const texts = findSpellings(values).flatMap((group) => group.texts.map(({ text }) => text));
  expect(new Set(texts).size).toBe(texts.length);
});
