import { expect, test } from "vitest";
import type { Package, PackageField } from "../../../core/dictionary/packages.ts";
import { mergeDrafts } from "./merge-drafts.ts";

const draftOf = (...fields: PackageField[]): Package => ({
  resources: [
    {
      id: "c000000001",
      name: "things",
      schema: { fields: [{ id: "f000000001", name: "id", type: "integer" }, ...fields], primaryKey: "id" },
    },
  ],
});
const name = { id: "f000000002", name: "name", title: "Name" };

test("what each has changed and added is there, without an id for what is new", () => {
  const mine = draftOf({ ...name, title: "Full name" }, { name: "phone", title: "Phone" });
  const theirs = draftOf({ name: "fax", title: "Fax" }, { ...name, description: "As on the card" });
  const { merged, conflicts } = mergeDrafts(draftOf(name), mine, theirs);
  expect(conflicts).toEqual([]);
  expect(merged.resources[0]?.schema.fields.slice(1)).toEqual([
    { name: "fax", title: "Fax" },
    { ...name, title: "Full name", description: "As on the card" },
    { name: "phone", title: "Phone" },
  ]);
});

test("what both have changed is as the other person left it, and is named", () => {
  const both = mergeDrafts(draftOf(name), draftOf({ ...name, title: "Mine" }), draftOf({ ...name, title: "Theirs" }));
  expect(both.merged.resources[0]?.schema.fields[1]).toMatchObject({ title: "Theirs" });
  expect(both.conflicts).toEqual(["things.name title"]);
});

test("two who add a field of one name have one field, and both are told where they differ", () => {
  const { merged, conflicts } = mergeDrafts(draftOf(), draftOf({ name: "fax", type: "string" }), draftOf({ name: "fax", type: "integer" }));
  expect(merged.resources[0]?.schema.fields.slice(1)).toEqual([{ name: "fax", type: "integer" }]);
  expect(conflicts).toEqual(["things.fax type"]);
});
