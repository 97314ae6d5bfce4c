import { describe, expect, test } from "vitest";
import { type BrokenLayout, changed, fields, mistakesOf, staff } from "../../testing/broken-layouts.ts";
import { customersLayout } from "../../testing/layouts.ts";
import type { DelimitedLayout } from "../layout.ts";

const MISTAKEN: BrokenLayout[] = [
  [
    "an unknown collection",
    customersLayout({ collection: "costumers" }),
    '/collection: there is no collection "costumers"; did you mean "customers"?',
  ],
  [
    "a collection like none",
    customersLayout({ collection: "orders" }),
    '/collection: there is no collection "orders"; there are customers, employees',
  ],
  [
    "a required field that is not there",
    changed(({ detail }) => Object.assign(detail, { fields: detail.fields.slice(0, 3) })),
    "/detail/fields: accountID (Account ID) is required and is not here: add it",
  ],
  [
    "fields that overlap",
    fields({ name: "x", skip: true, start: 60, length: 5 }),
    "/detail/fields/4: x (bytes 60–64) overlaps accountID (bytes 52–61): move one of them or make it shorter",
  ],
  [
    "a field within another one",
    fields({ name: "x", skip: true, start: 40, length: 1 }),
    "/detail/fields/4: x (byte 40) overlaps lastName (bytes 32–51): move one of them or make it shorter",
  ],
  [
    "a field over the record type",
    fields({ name: "x", skip: true, start: 1, length: 1 }),
    "/detail/fields/4: x (byte 1) overlaps recordType (byte 1): move one of them or make it shorter",
  ],
  [
    "a field beyond the record",
    customersLayout({ recordLength: 60 }),
    "/detail/fields/3: ends at byte 61, but a record has 60: move it, make it shorter, or make recordLength longer",
  ],
  [
    "an action over a field",
    customersLayout({ action: { start: 61, length: 1, add: "A" } }),
    "/action: action (byte 61) overlaps accountID (bytes 52–61): move one of them or make it shorter",
  ],
  [
    "a header's fields that overlap",
    customersLayout({ header: { type: "H", sender: { start: 2, length: 8 }, fileId: { start: 9, length: 8 } } }),
    "/header/fileId: fileId (bytes 9–16) overlaps sender (bytes 2–9): move one of them or make it shorter",
  ],
  [
    "a count over the total",
    customersLayout({ trailer: { type: "T", count: { start: 2, length: 9 }, totals: [{ of: "objectId", start: 10, length: 9 }] } }),
    "/trailer/totals/0: the total of objectId (bytes 10–18) overlaps count (bytes 2–10): move one of them or make it shorter",
  ],
  [
    "a trailer beyond the record",
    customersLayout({ trailer: { type: "T", count: { start: 60, length: 9 } } }),
    "/trailer/count: ends at byte 68, but a record has 64: move it, make it shorter, or make recordLength longer",
  ],
  [
    "types without a place",
    changed((layout) => Reflect.deleteProperty(layout, "recordType")),
    "/recordType: is missing: /header/type says that there are types",
  ],
  [
    "a place for types without types",
    { ...(staff({ name: "id", start: 2, length: 5 }) as object), recordType: { start: 1, length: 1 } },
    "/detail/type: is missing: recordType says that there are types",
  ],
  [
    "a type of another length",
    customersLayout({ ignoredTypes: ["**"] }),
    '/ignoredTypes/0: "**" must fill the record type, which has 1 byte',
  ],
  [
    "two kinds with one type",
    customersLayout({ trailer: { type: "H" } }),
    '/trailer/type: "H" is /header/type already: every kind of record needs a type of its own',
  ],
  ["EBCDIC's line end elsewhere", customersLayout({ lineEnd: "nl" }), "/lineEnd: nl is EBCDIC's; utf-8 has lf or crlf"],
  [
    "short records without line ends",
    customersLayout({ lineEnd: "none", trimmed: true }),
    "/trimmed: needs line ends: without them nothing says where a record ends",
  ],
  [
    "a constant that has no room",
    customersLayout({ header: { type: "H", sender: { start: 2, length: 3, constant: "HOST1" } } }),
    "/header/sender/constant: has 5 bytes; there is room for 3",
  ],
  [
    "a constant that the encoding has not",
    customersLayout({ encoding: "cp037", header: { type: "H", sender: { start: 2, length: 9, constant: "Łódź" } } }),
    "/header/sender/constant: has a character that this encoding does not have",
  ],
  [
    "a total of nothing",
    customersLayout({ trailer: { type: "T", totals: [{ of: "objectID2", start: 2, length: 9 }] } }),
    '/trailer/totals/0/of: no detail field with a place is called "objectID2"; did you mean "objectId"?',
  ],
  [
    "an action without codes",
    customersLayout({ action: { start: 62, length: 1 } }),
    "/action: has no code: say which mean add, change and delete",
  ],
  [
    "a code for two actions",
    customersLayout({ action: { start: 62, length: 1, add: "A", change: ["C", "A"] } }),
    '/action/change: "A" means add already',
  ],
  [
    "a code of another length",
    customersLayout({ action: { start: 62, length: 1, delete: "DEL" } }),
    '/action/delete: "DEL" must fill 1 byte',
  ],
];

describe("what could not be read is named with its path and what to do", () => {
  test.each(MISTAKEN)("%s", (_what, layout, expected) => {
    expect(mistakesOf(layout).split("\n")).toContain(expected);
  });
});

const delimited = (change: Partial<DelimitedLayout>): DelimitedLayout => ({ kind: "delimited", collection: "customers", ...change });
const OF_COLUMNS: BrokenLayout[] = [
  [
    "an unknown column",
    delimited({ columns: ["lastname2", "accountID"] }),
    '/columns/0: Customers have no field "lastname2"; did you mean "lastName"?',
  ],
  [
    "a column twice",
    delimited({ columns: ["lastName", null, "lastName", "accountID"] }),
    "/columns/2: lastName stands in column 1 already",
  ],
  [
    "a required field without a column",
    delimited({ columns: ["lastName"] }),
    "/columns: accountID (Account ID) is required and is not here: add it",
  ],
  [
    "neither heading nor columns",
    delimited({ headingLine: 0 }),
    "/columns: is missing: a file without a heading does not say which column is which field",
  ],
  [
    "an action by name without a heading",
    delimited({ headingLine: 0, columns: ["lastName", "accountID", null], action: { column: "ACT", add: "A" } }),
    "/action/column: must be a number: a file without a heading has no names",
  ],
  [
    "an action beyond the columns",
    delimited({ columns: ["lastName", "accountID"], action: { column: 3, add: "A" } }),
    "/action/column: there are 2 columns",
  ],
  [
    "an action in a field's column",
    delimited({ columns: ["lastName", "accountID"], action: { column: 2, add: "A" } }),
    "/columns/1: is the action's column: say null here",
  ],
  ["a delimiter that is none", { ...delimited({}), delimiter: "::" }, '/delimiter: must be one of ",", ";", "\\t", "|"; did you mean ","?'],
];

describe("a delimited layout", () => {
  test.each(OF_COLUMNS)("%s", (_what, layout, expected) => {
    expect(mistakesOf(layout).split("\n")).toContain(expected);
  });

  test("may have only its collection", () => {
    expect(mistakesOf(delimited({}))).toBe("");
  });
});

test("an update needs the key and no more, as does a layout that has no code for adding", () => {
  const layout = {
    ...customersLayout(),
    trailer: { type: "T" },
    detail: { type: "D", fields: [{ name: "firstName", start: 12, length: 20 }] },
  };
  expect(mistakesOf(layout, "update")).toBe("/detail/fields: objectId (Object ID) is required and is not here: add it");
  layout.detail.fields.push({ name: "objectId", start: 2, length: 10 });
  expect(mistakesOf(layout, "update")).toBe("");
  expect(mistakesOf({ ...layout, action: { start: 62, length: 1, change: "C" } })).toBe("");
  expect(mistakesOf({ ...layout, action: { start: 62, length: 1, add: "A" } })).toContain("lastName (Last name) is required");
});
