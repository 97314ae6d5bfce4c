import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { operatorsOf } from "../../../core/dictionary/filters.ts";
import { describeFilter } from "./describe-filter.ts";
import { putFilters } from "./filter-bounds.ts";
import {
  type Filter,
  fieldOf,
  formatListUrl,
  isFiltered,
  listFields,
  nextSort,
  pageQuery,
  parseListUrl,
  type Search,
  shownColumns,
} from "./list-url.ts";
import { parseFilter } from "./parse-filter.ts";

const employees = collectionOf("employees.example.json");
const customers = collectionOf("datapackage.json");

function collectionOf(file: string): Collection {
  const read = readDataPackage(JSON.parse(readFileSync(new URL(`../../../core/dictionary/${file}`, import.meta.url), "utf8")));
  const [first] = "collections" in read ? read.collections : [];
  if (!first) throw new Error(file);
  return first;
}

/** Writes and reads an address as the router does. */
function travel(search: Record<string, string>): Search {
  return Object.fromEntries(new URLSearchParams(`?${new URLSearchParams(search)}`));
}

const filters: fc.Arbitrary<Filter> = fc
  .constantFrom(...listFields(employees))
  .chain((field) => fc.record({ name: fc.constant(field.name), operator: fc.constantFrom(...operatorsOf(field)), text: fc.string() }));

const states = fc.record({
  q: fc.string(),
  filters: fc.uniqueArray(filters, { selector: ({ name, operator }) => `${name} ${operator}` }),
  sort: fc.option(fc.constantFrom("name", "-age", "createdAt"), { nil: undefined }),
  columns: fc.option(fc.uniqueArray(fc.constantFrom("name", "id", "updatedAt"), { minLength: 1 }), { nil: undefined }),
  limit: fc.constantFrom(25, 50, 100),
  cursor: fc.option(fc.base64String({ minLength: 1 }), { nil: undefined }),
  view: fc.option(fc.constant("1f0a"), { nil: undefined }),
  others: fc.dictionary(fc.constantFrom("colour", "age[like]", "page"), fc.string()),
});

describe("the address", () => {
  test("holds all of a list's state", () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(parseListUrl(employees, travel(formatListUrl(state)))).toEqual({ ...state, others: { ...state.others } });
      }),
    );
  });

  test("of the plain list has no parameters, and says what is usual to the service only", () => {
    const plain = parseListUrl(customers, {});
    expect(formatListUrl(plain)).toEqual({});
    expect(pageQuery(customers, plain)).toEqual({ sort: "-updatedAt", limit: "50" });
  });

  test.each([
    [{ colour: "red" }, { colour: "red" }],
    [{ "age[prefix]": "4" }, { "age[prefix]": "4" }],
    [{ limit: "7000" }, { limit: "7000" }],
    [{ sort: "colour" }, { sort: "colour" }],
  ])("with what nobody knows, %j, leaves it to the service to refuse", (search, sent) => {
    expect(pageQuery(employees, parseListUrl(employees, search))).toMatchObject(sent);
  });

  test("with what it has no words for narrows the list", () => {
    expect([{ "or[0].age": "41" }, {}].map((search) => isFiltered(parseListUrl(employees, search)))).toEqual([true, false]);
  });

  test("asks for records without a value by an empty text", () => {
    expect(pageQuery(employees, parseListUrl(employees, { location: "" }))).toMatchObject({ location: "" });
  });

  test("with columns that are gone shows those that are left, or the usual ones", () => {
    const shown = (columns: string) => shownColumns(customers, parseListUrl(customers, { columns }).columns).map(({ name }) => name);
    expect(shown("accountID,fax,lastName")).toEqual(["accountID", "lastName"]);
    expect(shown("fax")).toEqual(["lastName", "firstName", "accountID", "objectId", "updatedAt"]);
  });
});

test.each([
  ["lastName", "age", "lastName,age"],
  ["lastName,age", "age", "lastName,-age"],
  ["lastName,-age", "age", "lastName"],
  ["lastName,-age", "lastName", "-lastName,-age"],
  ["-lastName,age", "lastName", "age"],
  ["-lastName", "lastName", undefined],
  ["-updatedAt", "lastName", "lastName"],
  [undefined, "lastName", "lastName"],
])("with Shift, the order %s becomes for a heading %s: %s", (sort, name, expected) => {
  expect(nextSort(sort, name, true)).toBe(expected);
});

test("what would make the service answer with something else than a page of whole records is left out", () => {
  const search = { fields: "lastName", expand: "customer", deleted: "true", count: "true", hints: "true", offset: "10", guard: "false" };
  const state = parseListUrl(employees, { ...search, page: "3" });
  expect([state.others, pageQuery(employees, state)]).toEqual([{ page: "3" }, { sort: "-updatedAt", limit: "50", page: "3" }]);
});

test("without Shift, a heading ends an order by several fields", () => {
  expect(nextSort("lastName,-age", "age")).toBe("age");
});

test("a heading sorts up, down, and then as usual", () => {
  expect([undefined, "lastName", "-lastName", "accountID"].map((sort) => nextSort(sort, "lastName"))).toEqual([
    "lastName",
    "-lastName",
    undefined,
    "lastName",
  ]);
});

test("a filter replaces the one with the same field and operator, and keeps its place", () => {
  const [a, b]: Filter[] = [
    { name: "age", operator: "gte", text: "20" },
    { name: "age", operator: "lte", text: "30" },
  ];
  const other: Filter = { name: "age", operator: "gte", text: "25" };
  if (!a || !b) throw new Error("filters");
  expect(putFilters([a, b], [other])).toEqual([other, b]);
  expect(putFilters([a, b], [other], [b])).toEqual([other]);
  expect(putFilters([a], [b])).toEqual([a, b]);
});

test.each([
  ["lastName", "prefix", "Ho", "starts with Ho"],
  ["lastName", "in", '"Böhm, Dr.",Kim', "is one of Böhm, Dr., Kim"],
  ["firstName", "eq", "", "is empty"],
  ["objectId", "gte", "7", "at least 7"],
] as const)("the filter %s %s %s reads “%s”", (name, operator, text, expected) => {
  expect(describeFilter(customers, [{ name, operator, text }], (_, value) => String(value)).condition).toBe(expected);
});

test.each([
  ["age", "gte", " 41 ", { text: "41" }],
  ["age", "gte", "old", { wrong: "Age must be a whole number without leading zeros, such as 41." }],
  ["age", "in", "41, 42,, 43", { text: "41,42,43" }],
  ["name", "prefix", "", { wrong: "Enter a value for Name." }],
  ["name", "in", '"Poe, Ana", Bo', { text: '"Poe, Ana",Bo' }],
  ["age", "eq", "7", { text: "7" }],
] as const)("typed for %s %s, %j becomes %j", (name, operator, typed, validated) => {
  const field = fieldOf(employees, name);
  expect(field && parseFilter(field, operator, typed)).toEqual(validated);
});

test("a bookmark with a former name shows the list with the name of today", () => {
  const renamed = (field: Field) => (field.name === "lastName" ? { ...field, name: "surname", formerNames: ["lastName"] } : field);
  const fields = customers.fields.map(renamed);
  const today = { ...customers, fields, byName: new Map(fields.map((field) => [field.name, field])) };
  const state = parseListUrl(today, { "lastName[prefix]": "E", sort: "-lastName,firstName", columns: "lastName,accountID" });
  expect(state).toMatchObject({
    filters: [{ name: "surname", operator: "prefix", text: "E" }],
    sort: "-surname,firstName",
    columns: ["surname", "accountID"],
    others: {},
  });
  expect(formatListUrl(state)).toEqual({ "surname[prefix]": "E", sort: "-surname,firstName", columns: "surname,accountID" });
});
