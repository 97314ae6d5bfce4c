import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import { readRelativeTime } from "../../../core/dictionary/relative-times.ts";
import { formatValue } from "../../values/format-value.ts";
import { describeFilter } from "./describe-filter.ts";
import { joinBounds, PERIODS, relativeWords } from "./filter-bounds.ts";
import { type Filter, matchQuery, parseListUrl } from "./list-url.ts";

const read = readDataPackage(JSON.parse(readFileSync(new URL("../../../core/dictionary/employees.example.json", import.meta.url), "utf8")));
const [employees] = ("collections" in read ? read.collections : []) as [Collection];

function chipsOf(search: Record<string, string>): string[] {
  return joinBounds(employees, parseListUrl(employees, search).filters).map((bounds) => {
    const { title, condition } = describeFilter(employees, bounds, formatValue);
    return `${title} ${condition}`;
  });
}

test.each([
  [{ "age[gte]": "30", "name[prefix]": "a", "age[lte]": "40" }, ["Age between 30 and 40", "Name starts with a"]],
  [{ "age[lte]": "40", "age[gte]": "30" }, ["Age between 30 and 40"]],
  [{ "age[gte]": "30", "age[lt]": "40" }, ["Age at least 30", "Age less than 40"]],
  [{ "name[gte]": "a", "name[lte]": "b" }, ["Name from a", "Name up to b"]],
  [{ "age[gte]": "", "age[lte]": "40" }, ["Age is empty", "Age at most 40"]],
  [{ "updatedAt[gte]": "month", "updatedAt[lt]": "month+1m" }, ["Changed this month"]],
  [{ "birthday[gte]": "today-1d", "birthday[lt]": "today" }, ["Birthday yesterday"]],
  [{ "birthday[gte]": "today-6d", "birthday[lt]": "today+1d" }, ["Birthday in the last 7 days"]],
  [{ "birthday[gte]": "today-6d", "birthday[lt]": "today" }, ["Birthday from 6 days ago", "Birthday before today"]],
  [{ "updatedAt[gte]": "today-3w", "updatedAt[lte]": "now" }, ["Changed between 3 weeks ago and now"]],
  [{ "updatedAt[lt]": "month-1d" }, ["Changed before month-1d"]],
  [{ "name[prefix]": "today" }, ["Name starts with today"]],
])("the filters %j read %j", (search, chips) => {
  expect(chipsOf(search as unknown as Record<string, string>)).toEqual(chips);
});

test("every period is one of relative times that the service reads", () => {
  for (const { from, until } of PERIODS) expect([readRelativeTime(from), readRelativeTime(until)]).not.toContain(undefined);
});

test("what is counted from today is asked in the reader's time zone, and nothing else is", () => {
  const asked = (search: Record<string, string>) => Object.keys(matchQuery(employees, parseListUrl(employees, search)));
  expect(asked({ "updatedAt[gte]": "today-7d" })).toEqual(["updatedAt[gte]", "timeZone"]);
  expect(asked({ "updatedAt[gte]": "2026-01-01T00:00:00Z" })).toEqual(["updatedAt[gte]"]);
});

test("a text that is no relative time has no words", () => {
  expect(["2026-01-01", "tomorrow", ""].map(relativeWords)).toEqual([undefined, undefined, undefined]);
});

test("two bounds of one field are found whatever stands between them, once each", () => {
  const filters: Filter[] = [
    { name: "age", operator: "gte", text: "1" },
    { name: "salary", operator: "lte", text: "9" },
    { name: "salary", operator: "gte", text: "2" },
  ];
  expect(joinBounds(employees, filters).map((bounds) => bounds.length)).toEqual([1, 2]);
});
