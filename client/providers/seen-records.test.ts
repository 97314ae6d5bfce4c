// Tests what a provider sends of a form, and against which version.

import { expect, test } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import { bestBase, changesOf } from "./seen-records.ts";

const fields = [
  { name: "objectId", type: "integer" },
  { name: "name", type: "string" },
  { name: "tags", type: "list", itemType: "string" },
];
const read = readDataPackage({ resources: [{ name: "things", schema: { fields, primaryKey: "objectId" } }] });
if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
const [things] = read.collections;
if (!things) throw new Error("no collection");

test.each([
  ["other values with the same text", ["a,b"], { tags: ["a,b"] }],
  ["the same values", ["a", "b"], {}],
  ["another order", ["b", "a"], { tags: ["b", "a"] }],
  ["the text of an input", "a,b", {}],
])("of a list is sent what differs: %s", (_, tags, changed) => {
  expect(changesOf(things, { objectId: 1, name: "n", tags }, { objectId: 1, name: "n", tags: ["a", "b"] })).toEqual(changed);
});

test("a list that nobody has changed stands against no version", () => {
  const own = { id: 1, objectId: 1, createdAt: "", updatedAt: "", createdBy: null, updatedBy: null };
  const version = (number: number, name: string) => ({ ...own, version: number, name, tags: ["a"] });
  const versions = [version(2, "n"), version(1, "n")];
  expect(bestBase(things, { name: "n", tags: ["a", "b"] }, versions)).toBe(versions[0]);
});
