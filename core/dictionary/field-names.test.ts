// Field names that a dictionary may not use.

import { expect, test } from "vitest";
import { readDataPackage } from "./collections.ts";

function rejections(...names: string[]): string[] {
  const fields = [{ name: "id", type: "integer" }, ...names.map((name) => ({ name, type: "string" }))];
  const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: "id" } }] });
  return "mistakes" in read ? read.mistakes.map(({ path, message }) => `${path}: ${message}`) : [];
}

test.each([
  ...[
    "createdAt",
    "UPDATEDAT",
    "createdBy",
    "updatedBy",
    "version",
    "limit",
    "cursor",
    "sort",
    "q",
    "fields",
    "count",
    "expand",
    "offset",
    "hints",
    "Deleted",
    "guard",
    "columns",
    "constructor",
    "toString",
  ],
])("%s is the service's own", (name) => {
  expect(rejections(name)).toEqual([`/resources/0/schema/fields/1/name: "${name}" is used by the service itself`]);
});

test.each(["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"])("%s is a system column of PostgreSQL", (name) => {
  expect(rejections(name)).toEqual([`/resources/0/schema/fields/1/name: "${name}" is a name that PostgreSQL keeps for itself`]);
});

test.each(["_rowid_", "__proto__", "naïf", "名前", "имя", "two words", "a-b", 'a"b', "a$fold", "1st", "", "a".repeat(64), "a".repeat(80)])(
  "%j is no name",
  (name) => {
    expect(rejections(name)).toEqual([expect.stringMatching(/name: a name is at most 63 letters \(a to z\), digits and _/)]);
  },
);

test("two names that differ only in capitals are one name", () => {
  expect(rejections("code", "Code")).toEqual(['/resources/0/schema/fields/2/name: a second field is named "Code"']);
});
