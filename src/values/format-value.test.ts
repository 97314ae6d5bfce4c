import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import { describeFilter } from "../records/query/describe-filter.ts";
import { setLocale } from "./format.ts";
import { formatValue } from "./format-value.ts";

const file = readFileSync(new URL("../../core/dictionary/employees.example.json", import.meta.url), "utf8");
const read = readDataPackage(JSON.parse(file));
const [employees] = "collections" in read ? read.collections : [];

test.each([
  ["id", "1000000001", "is 1000000001"],
  ["age", "1234", "is 1,234"],
  ["salary", "4150.5", "is 4,150.50"],
  ["permanent", "true", "is Yes"],
  ["contract", "part", "is Part time"],
  ["begins", "14:05:00", "is 2:05 PM"],
  ["begins", "14:05:30", "is 2:05:30 PM"],
  ["firstyear", "2019", "is 2019"],
  ["birthday", "1985-06-30", "is Jun 30, 1985"],
  ["salary", "4.150,50", "is 4.150,50"],
] as const)("the filter of %s for %s reads “%s”", (name, text, expected) => {
  if (!employees) throw new Error("The example dictionary has no collection.");
  setLocale("en-US");
  expect(describeFilter(employees, [{ name, operator: "eq", text }], formatValue).condition.replace("\u202f", " ")).toBe(expected);
});
