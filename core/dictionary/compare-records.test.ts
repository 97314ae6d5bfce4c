// How alike two records are, value by value, and which of them are found at all.

import { describe, expect, test } from "vitest";
import { compareRecords, toCompared } from "./compare-records.ts";
import type { Match } from "./match.ts";
import { keysOf } from "./match-keys.ts";

const MATCH: Match = {
  comparisons: [
    { fields: ["first", "last"], as: "name", weight: 10, unlike: 4 },
    { fields: ["phone"], as: "phone", weight: 10 },
    { fields: ["email"], as: "email", weight: 10 },
    { fields: ["born"], as: "date", weight: 10, days: 2 },
    { fields: ["street"], as: "letters", weight: 10, letters: 2 },
    { fields: ["account"], as: "exact", weight: 10, unlike: 3 },
  ],
  same: 10,
  maybe: 1,
};

type Values = Record<string, string | null>;

function likeness(one: Values, other: Values, match = MATCH) {
  return compareRecords(match, toCompared(match, one), toCompared(match, other));
}

function found(one: Values, other: Values): string | undefined {
  const [reason] = likeness(one, other, { ...MATCH, maybe: -100 }).reasons;
  return reason && `${reason.found}${reason.letters ? ` ${reason.letters}` : ""}`;
}

describe("names", () => {
  const name = (text: string): Values => {
    const [first = "", last = null] = text.split("/");
    return { first, last };
  };
  test.each([
    ["Anna/Müller", "anna/MUELLER", "same"],
    ["Anna/Müller", "Anna/Muller", "same"],
    ["Sinéad/O'Neill", "Sinead/ONeill", "same"],
    ["Dr. Anna/Müller", "Anna/Müller", "same"],
    ["Anna-Maria/Weber", "Annamaria/Weber", "same"],
    ["Anna/Weber", "Weber/Anna", "swapped"],
    ["Anna/Weber", "Anna/Webre", "letters 1"],
    ["Anna/Weber", "Ana/Weber", "part"], // a slip in a name of three letters makes another name
    ["Johanna/Lindström", "Johana/Lindstrom", "letters 1"],
    ["Johanna/Lindström", "Johana/Lindstrm", "letters 2"],
    ["Anna/Weber", "A./Weber", "initials"],
    ["Anna/Weber", "Anna Luise/Weber", "longer"],
    ["Anna/Weber", "Anna/Schulz", "part"],
    ["Anna/Weber", "Ben/Schulz", "different"],
    ["Иван/Петров", "Петров/Иван", "swapped"],
    ["伟/王", "伟/王", "same"],
  ])("%s and %s: %s", (one, other, expected) => {
    expect(found(name(one), name(other))).toBe(expected);
    expect(found(name(other), name(one))).toBe(expected);
  });
});

test.each([
  ["phone", "+49 171 1234567", "0171/1234567", "same"],
  ["phone", "+49 (0)171 1234567", "0049 171 1234567", "same"],
  ["phone", "+49 171 1234567", "+49 171 1234576", "letters 1"],
  ["phone", "+49 171 1234567", "+49 171 9999999", "different"],
  ["phone", "112", "112", undefined],
  ["email", "Ben@X.org", " ben@x.ORG", "same"],
  ["email", "ben.miller@x.org", "ben.miler@x.org", "letters 1"],
  ["email", "ben@x.org", "eva@x.org", "different"],
  ["born", "1980-03-04", "1980-03-04", "same"],
  ["born", "1980-03-04", "1980-04-03", "swapped"],
  ["born", "1980-03-04", "1980-03-06", "days"],
  ["born", "1980-03-04", "1990-03-04", "letters 1"],
  ["born", "1980-03-04", "1991-03-04", "different"],
  ["street", "Hauptstraße 5", "hauptstrasse 5", "same"],
  ["street", "Hauptstraße 5", "Hauptstrase 7", "letters 2"],
  ["street", "Hauptstraße 5", "Gartenweg 5", "different"],
  ["account", "007-A", "007-A", "same"],
  ["account", "007-A", "007-a", "different"],
  ["account", "007-A", null, undefined],
] as const)("%s %s and %s: %s", (field, one, other, expected) => {
  expect(found({ [field]: one }, { [field]: other })).toBe(expected);
});

test("the points are added, and those that are unlike are taken away", () => {
  const same = { first: "Anna", last: "Weber", account: "1" };
  expect(likeness(same, same)).toMatchObject({ score: 20, level: "same" });
  expect(likeness(same, { ...same, account: "2" })).toMatchObject({ score: 7, level: "maybe" });
  expect(likeness(same, { ...same, last: "Webre" })).toMatchObject({ score: 18.5, level: "same" });
  expect(likeness(same, { first: "Ben", last: "Schulz", account: "2" })).toEqual({ score: -7, level: undefined, reasons: [] });
  expect(likeness({}, same)).toMatchObject({ level: undefined, reasons: [] });
});

test("records that are alike have a key in common, and others do not", () => {
  const keys = (values: Values) => keysOf(MATCH, toCompared(MATCH, values));
  const shared = (one: Values, other: Values) => keys(one).some((key) => keys(other).includes(key));
  const anna = { first: "Anna", last: "Weber", phone: "+49 171 1234567", email: "anna@x.org", born: "1980-03-04" };
  expect(shared({ first: "Anna", last: "Weber" }, { first: "Weber", last: "Anna" })).toBe(true);
  expect(shared({ first: "Anna", last: "Weber" }, { first: "Anna", last: "Webber" })).toBe(true);
  expect(shared(anna, { first: "Eva", last: "Schulz", phone: "0171 1234567" })).toBe(true);
  expect(shared(anna, { first: "Eva", last: "Schulz", email: "anna@other.org" })).toBe(true);
  expect(shared(anna, { first: "A.", last: "Schulz", born: "1980-03-04" })).toBe(true);
  expect(shared(anna, { first: "Eva", last: "Schulz", born: "1980-03-04", phone: "+49 30 5555555" })).toBe(false);
  expect(keys({})).toEqual([]);
  for (const key of keys(anna)) expect(Number.isSafeInteger(key)).toBe(true);
});
