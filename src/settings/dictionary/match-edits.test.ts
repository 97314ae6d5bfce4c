import { expect, test } from "vitest";
import type { PackageResource } from "../../../core/dictionary/packages.ts";
import { comparedFields, enoughTogether, matchOf, proposeMatch, withComparison } from "./match-edits.ts";

const PEOPLE: PackageResource = {
  name: "people",
  label: ["firstName", "lastName"],
  schema: {
    fields: [
      { name: "id", type: "integer" },
      { name: "firstName" },
      { name: "lastName" },
      { name: "mail", format: "email" },
      { name: "mobile", format: "phone" },
      { name: "birthday", type: "date" },
      { name: "hiredOn", type: "date" },
      { name: "tags", type: "list", itemType: "string" },
      { name: "oldPhone", format: "phone", retired: true },
    ],
    primaryKey: "id",
  },
};

test("a proposal compares the name, and what few have in common with others", () => {
  expect(proposeMatch(PEOPLE)?.comparisons.map(({ fields, as }) => [fields.join(), as])).toEqual([
    ["firstName,lastName", "name"],
    ["mail", "email"],
    ["mobile", "phone"],
    ["birthday", "date"],
  ]);
  expect(proposeMatch({ ...PEOPLE, label: ["id"] })).toBeUndefined();
});

test("two comparisons of a proposal are enough, and the name alone is worth a look", () => {
  const match = proposeMatch(PEOPLE) ?? { comparisons: [] };
  expect(enoughTogether(match, match.same)).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ]);
  expect(enoughTogether(match, match.maybe)).toEqual([[0], [1], [2, 3]]);
  expect(enoughTogether(match, "9,")).toEqual([]);
  const named = proposeMatch({ ...PEOPLE, schema: { ...PEOPLE.schema, fields: PEOPLE.schema.fields.slice(0, 3) } }) ?? match;
  expect(enoughTogether(named, named.same)).toEqual([[0]]);
});

test("the key, what is retired and several values are not compared", () => {
  expect(comparedFields(PEOPLE).map(({ name }) => name)).toEqual(["firstName", "lastName", "mail", "mobile", "birthday", "hiredOn"]);
  expect(comparedFields(PEOPLE, "date").map(({ name }) => name)).toEqual(["birthday", "hiredOn"]);
});

test("another way takes along what only it has", () => {
  const match = {
    comparisons: [
      { fields: ["firstName", "lastName"], as: "name" as const, weight: 6 },
      { fields: ["mail"], as: "letters" as const, weight: 1, letters: 2 },
    ],
  };
  expect(withComparison(match, 0, { as: "exact" }).comparisons[0]).toEqual({ fields: ["firstName"], as: "exact", weight: 6 });
  expect(withComparison(match, 1, { weight: undefined }).comparisons[1]).toEqual({ fields: ["mail"], as: "letters", letters: 2 });
  expect(withComparison(match, 1, { as: "email" }).comparisons[1]).toEqual({ fields: ["mail"], as: "email", weight: 1 });
});

test("what was written by hand in another shape is left out", () => {
  const match = { comparisons: ["name", { fields: ["mail"], as: "magic" }, { fields: ["mail"], as: "email" }], same: 5 };
  expect(matchOf({ ...PEOPLE, match })).toEqual({ comparisons: [{ fields: ["mail"], as: "email" }], same: 5 });
  expect(matchOf({ ...PEOPLE, match: "yes" })).toBeUndefined();
});
