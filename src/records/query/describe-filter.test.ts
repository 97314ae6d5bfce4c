import { expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { formatValue } from "../../values/format-value.ts";
import { describeFilter } from "./describe-filter.ts";

const fields = [
  { name: "id", type: "integer" },
  { name: "late", title: "Late", type: "boolean" },
  { name: "note", title: "Note", type: "string" },
  { name: "age", title: "Age", type: "integer" },
];
const read = readDataPackage({ resources: [{ name: "things", singular: "thing", schema: { fields, primaryKey: "id" } }] });
if ("mistakes" in read) throw new Error("package");
const collection = read.collections[0] as Collection;

test.each([
  ["late", "eq", "true", "Late", "is Yes"],
  ["late", "eq", "", "Late", "is unknown"],
  ["note", "eq", "", "Note", "is empty"],
  ["note", "prefix", "ab", "Note", "starts with ab"],
  ["age", "gte", "7", "Age", "at least 7"],
  ["age", "gt", "7", "Age", "more than 7"],
  ["note", "ne", "ab", "Note", "is not ab"],
  ["note", "ne", "", "Note", "has a value"],
  ["note", "null", "false", "Note", "has a value"],
  ["late", "null", "true", "Late", "is unknown"],
  ["gone", "eq", "x", "gone", "x"],
] as const)("the filter %s[%s]=%s reads: %s %s", (name, operator, text, title, condition) => {
  expect(describeFilter(collection, [{ name, operator, text }], formatValue)).toEqual({ title, condition });
});
