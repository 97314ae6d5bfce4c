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

test("a value is chosen as it is, and no value by an empty text", () => {
  expect(filtersOfGroup(field("boolean"), true)).toEqual([{ name: "x", operator: "eq", text: "true" }]);
  expect(filtersOfGroup(field("year"), 7)).toEqual([{ name: "x", operator: "eq", text: "0007" }]);
  expect(filtersOfGroup(field("string"), null)).toEqual([{ name: "x", operator: "eq", text: "" }]);
});
