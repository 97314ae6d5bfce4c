import { expect, test } from "vitest";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Kind } from "../../../core/dictionary/kinds.ts";
import { filtersOfGroup } from "./summary-groups.ts";

const field = (kind: Kind) => ({ name: "x", title: "X", kind }) as Field;
const texts = (kind: Kind, ...given: [value: string, period: "day" | "week" | "month" | "quarter" | "year"]) =>
  filtersOfGroup(field(kind), ...given).map(({ operator, text }) => `${operator} ${text}`);

test("the records of a period lie from its first day to the one before the next period's", () => {
  expect(texts("date", "2026", "year")).toEqual(["gte 2026-01-01", "lt 2027-01-01"]);
  expect(texts("date", "2026-Q4", "quarter")).toEqual(["gte 2026-10-01", "lt 2027-01-01"]);
  expect(texts("date", "2026-12", "month")).toEqual(["gte 2026-12-01", "lt 2027-01-01"]);
  expect(texts("date", "2026-12-28", "week")).toEqual(["gte 2026-12-28", "lt 2027-01-04"]);
  expect(texts("date", "2024-02-28", "day")).toEqual(["gte 2024-02-28", "lt 2024-02-29"]);
});

test("moments are chosen by the clocks of the reader", () => {
  const [first, next] = filtersOfGroup(field("datetime"), "2026-03", "month").map(({ text }) => text);
  expect([first, next]).toEqual([new Date(2026, 2, 1).toISOString(), new Date(2026, 3, 1).toISOString()]);
});

test("what the list has chosen by the same field goes on to hold", () => {
  const within = (...others: string[]) =>
    filtersOfGroup(
      field("date"),
      "2026-11",
      "month",
      others.map((words) => ({ name: "x", operator: words.split(" ")[0] as "gte", text: words.split(" ")[1] ?? "" })),
    ).map(({ operator, text }) => `${operator} ${text}`);
  expect(within("gte 2026-11-15")).toEqual(["gte 2026-11-15", "lt 2026-12-01"]);
  expect(within("gte 2026-10-15", "lt 2026-11-15")).toEqual(["gte 2026-11-01", "lt 2026-11-15"]);
  expect(within("gt 2026-10-31", "lte 2026-11-30")).toEqual(["gte 2026-11-01", "lte 2026-11-30"]);
  expect(within("gt 2026-11-01", "lte 2026-12-01")).toEqual(["gt 2026-11-01", "lt 2026-12-01"]);
  expect(within("ne 2026-11-07", "null false")).toEqual(["ne 2026-11-07", "null false", "gte 2026-11-01", "lt 2026-12-01"]);
  // What counts from today counts from another day tomorrow: it stays, and the group's bounds are said in another way.
  expect(within("gte today-29d", "lt today+1d")).toEqual(["gte today-29d", "gt 2026-10-31", "lt today+1d", "lte 2026-11-30"]);
});

test("filters of other fields stay, and a value leaves no other filter of its field", () => {
  const others = [
    { name: "y", operator: "gte", text: "1" },
    { name: "x", operator: "contains", text: "or" },
  ] as const;
  expect(filtersOfGroup(field("string"), "north", undefined, others)).toEqual([others[0], { name: "x", operator: "eq", text: "north" }]);
});

test("a value is chosen as it is, and no value by an empty text", () => {
  expect(filtersOfGroup(field("boolean"), true)).toEqual([{ name: "x", operator: "eq", text: "true" }]);
  expect(filtersOfGroup(field("year"), 7)).toEqual([{ name: "x", operator: "eq", text: "0007" }]);
  expect(filtersOfGroup(field("string"), null)).toEqual([{ name: "x", operator: "eq", text: "" }]);
});
