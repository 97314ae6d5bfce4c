import Ajv from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { UploadMode } from "../src/upload/match.ts";
import schema from "./layout.schema.json" with { type: "json" };
import type { DelimitedLayout, FixedLayout, LayoutField } from "./layout.ts";
import { proposeLayout } from "./propose.ts";
import { readLayout, tellMistakes } from "./read-layout.ts";
import { customers, customersLayout, employees } from "./test-layouts.ts";

const isOfSchema = new Ajv({ allowUnionTypes: true }).compile(schema);

function mistakesOf(layout: unknown, mode?: UploadMode): string {
  const read = readLayout(typeof layout === "string" ? layout : JSON.stringify(layout), [customers, employees], mode);
  return "mistakes" in read ? tellMistakes(read.mistakes) : "";
}

/** The customers' layout, with something changed in it that no type would allow. */
function changed(change: (layout: Record<string, never> & FixedLayout) => void): unknown {
  const layout = structuredClone(customersLayout());
  change(layout as Record<string, never> & FixedLayout);
  return layout;
}

function fields(...more: Partial<LayoutField>[]): unknown {
  const { detail } = customersLayout();
  return { ...customersLayout({ recordLength: 200 }), detail: { ...detail, fields: [...detail.fields, ...more] } };
}

function staff(field: Record<string, unknown>): unknown {
  const rest = [
    { name: "name", start: 50, length: 9 },
    { name: "permanent", constant: "true" },
  ];
  return { kind: "fixed", collection: "employees", recordLength: 80, lineEnd: "lf", detail: { fields: [...rest, field] } };
}

test("a right layout has no mistakes, and is right by the schema that editors use", () => {
  for (const layout of [customersLayout(), proposeLayout(customers), proposeLayout(employees, "cp500")]) {
    expect(mistakesOf(layout)).toBe("");
    expect([isOfSchema(layout), isOfSchema.errors]).toEqual([true, null]);
  }
});

const SHAPE: [what: string, layout: unknown, told: string][] = [
  ["no JSON", "{", "/: is not JSON: "],
  ["a list", [], '/: must be an object, such as { "kind": "fixed", … }'],
  ["no kind", {}, '/kind: must be "fixed" or "delimited"'],
  ["an unknown kind", { kind: "xml" }, '/kind: must be "fixed" or "delimited"'],
  [
    "nothing but a kind",
    { kind: "fixed" },
    "/collection: is missing\n/recordLength: is missing\n/lineEnd: is missing\n/detail: is missing",
  ],
  [
    "a slip in a key",
    changed((layout) => Object.assign(layout, { recordLenght: 64 })),
    '/recordLenght: is no key here; did you mean "recordLength"?',
  ],
  ["a strange key", changed((layout) => Object.assign(layout.detail, { x: 1 })), "/detail/x: is no key here; there are type, fields"],
  [
    "an unknown encoding",
    changed((layout) => Object.assign(layout, { encoding: "cp1140" })),
    '/encoding: must be one of "utf-8", "iso-8859-1", "windows-1252", "cp037", "cp500"',
  ],
  ["a slip in an encoding", changed((layout) => Object.assign(layout, { encoding: "windows-1253" })), 'did you mean "windows-1252"?'],
  [
    "an unknown line end",
    changed((layout) => Object.assign(layout, { lineEnd: "cr" })),
    '/lineEnd: must be one of "none", "lf", "crlf", "nl"',
  ],
  ["a length in quotes", changed((layout) => Object.assign(layout, { recordLength: "64" })), "/recordLength: must be a whole number"],
  ["no length", changed((layout) => Object.assign(layout, { recordLength: 0 })), "/recordLength: must be 1 or more"],
  [
    "a length beyond what mainframes have",
    changed((layout) => Object.assign(layout, { recordLength: 40000 })),
    "/recordLength: must be at most 32760",
  ],
  [
    "a start from 0",
    changed((layout) => Object.assign(layout.detail.fields[0] ?? {}, { start: 0 })),
    "/detail/fields/0/start: must be 1 or more",
  ],
  [
    "half a byte",
    changed((layout) => Object.assign(layout.detail.fields[0] ?? {}, { length: 1.5 })),
    "/detail/fields/0/length: must be a whole number",
  ],
  [
    "a pad of two characters",
    changed((layout) => Object.assign(layout.detail.fields[1] ?? {}, { pad: "  " })),
    "/detail/fields/1/pad: must be one character",
  ],
  [
    "a side that is none",
    changed((layout) => Object.assign(layout.detail.fields[1] ?? {}, { justify: "centre" })),
    '/detail/fields/1/justify: must be one of "left", "right"',
  ],
  ["no fields", changed((layout) => Object.assign(layout.detail, { fields: [] })), "/detail/fields: must be a list that is not empty"],
  ["a field without a name", changed((layout) => Object.assign(layout.detail, { fields: [{}] })), "/detail/fields/0/name: is missing"],
  [
    "a zone that is none",
    staff({ name: "hiredatetime", start: 1, length: 14, zone: "CET" }),
    "/detail/fields/2/zone: must be Z or such as +01:00",
  ],
  [
    "several mistakes at once",
    changed((layout) => Object.assign(layout, { lineEnd: 1, trimmed: "no" })),
    '/lineEnd: must be one of "none", "lf", "crlf", "nl"\n/trimmed: must be true or false',
  ],
];

describe("what is not of the layout's shape is named with its path", () => {
  test.each(SHAPE)("%s", (_what, layout, told) => {
    expect(mistakesOf(layout)).toContain(told);
    if (typeof layout !== "string") expect(isOfSchema(layout)).toBe(false); // an editor would have said so
  });
});

const MEANING: [what: string, layout: unknown, told: string][] = [
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
    "an unknown field",
    fields({ name: "fristName", start: 70, length: 5 }),
    '/detail/fields/4/name: Customers have no field "fristName"; did you mean "firstName"?',
  ],
  [
    "a field that is there twice",
    fields({ name: "firstName", start: 70, length: 5 }),
    "/detail/fields/4/name: firstName stands in /detail/fields/1 already",
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
    "/detail/fields/4: x (byte 40) overlaps lastName (bytes 32–51)",
  ],
  [
    "a field over the record type",
    fields({ name: "x", skip: true, start: 1, length: 1 }),
    "/detail/fields/4: x (byte 1) overlaps recordType (byte 1)",
  ],
  [
    "a field beyond the record",
    customersLayout({ recordLength: 60 }),
    "/detail/fields/3: ends at byte 61, but a record has 60: move it, make it shorter, or make recordLength longer",
  ],
  [
    "an action over a field",
    customersLayout({ action: { start: 61, length: 1, add: "A" } }),
    "/action: action (byte 61) overlaps accountID (bytes 52–61)",
  ],
  [
    "a header's fields that overlap",
    customersLayout({ header: { type: "H", sender: { start: 2, length: 8 }, fileId: { start: 9, length: 8 } } }),
    "/header/fileId: fileId (bytes 9–16) overlaps sender (bytes 2–9)",
  ],
  [
    "a count over the total",
    customersLayout({ trailer: { type: "T", count: { start: 2, length: 9 }, totals: [{ of: "objectId", start: 10, length: 9 }] } }),
    "/trailer/totals/0: the total of objectId (bytes 10–18) overlaps count (bytes 2–10)",
  ],
  [
    "a trailer beyond the record",
    customersLayout({ trailer: { type: "T", count: { start: 60, length: 9 } } }),
    "/trailer/count: ends at byte 68, but a record has 64",
  ],
  [
    "types without a place",
    changed((layout) => Reflect.deleteProperty(layout, "recordType")),
    "/recordType: is missing: /header/type says that there are types",
  ],
  [
    "a place for types, and none said",
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
    "/header/sender/constant: has a character that this encoding has not",
  ],
  [
    "a total of nothing",
    customersLayout({ trailer: { type: "T", totals: [{ of: "objectID2", start: 2, length: 9 }] } }),
    '/trailer/totals/0/of: no detail field with a place is called "objectID2"; did you mean "objectId"?',
  ],
  [
    "a field without a place",
    fields({ name: "x", skip: true }),
    '/detail/fields/4/start: is missing; a field that is not in the file has a "constant"\n/detail/fields/4/length: is missing\n/detail/fields/4/skip: needs a place: there is nothing to read',
  ],
  [
    "a constant beside a place",
    staff({ name: "location", constant: "Utrecht", start: 1, length: 9 }),
    "/detail/fields/2/constant: cannot stand beside a place: leave out one of them",
  ],
  [
    "a constant that the dictionary refuses",
    staff({ name: "location", constant: "Paris" }),
    "/detail/fields/2/constant: Location must be one of Utrecht, Kraków, Lagos, Seoul.",
  ],
  [
    "a meaning that the dictionary refuses",
    staff({ name: "permanent2", start: 1, length: 1, values: { J: "yes" } }),
    '/detail/fields/2/name: Employees have no field "permanent2"; did you mean "permanent"?',
  ],
  [
    "a code that means no value of the field",
    staff({ name: "age", start: 1, length: 3, values: { OLD: "old" } }),
    "/detail/fields/2/values/OLD: Age must be a whole number without leading zeros, such as 41.",
  ],
  [
    "a code longer than the field",
    staff({ name: "age", start: 1, length: 3, values: { YOUNG: "20" } }),
    '/detail/fields/2/values: "YOUNG" has 5 bytes; the field has 3',
  ],
  [
    "a marker longer than the field",
    staff({ name: "age", start: 1, length: 3, null: ["000", "0000"] }),
    '/detail/fields/2/null: "0000" has 4 bytes; the field has 3',
  ],
  [
    "a pad of two bytes",
    staff({ name: "location", start: 1, length: 9, pad: "·" }),
    "/detail/fields/2/pad: must be one byte in this encoding",
  ],
  [
    "decimals of a whole number",
    staff({ name: "age", start: 1, length: 3, decimals: 2 }),
    "/detail/fields/2/decimals: is for a number; age is of type integer",
  ],
  [
    "a sign of a text",
    staff({ name: "badge", start: 1, length: 7, sign: "overpunch" }),
    "/detail/fields/2/sign: is for numbers; badge is of type string",
  ],
  [
    "a date format of a number",
    staff({ name: "age", start: 1, length: 8, format: "YYYYMMDD" }),
    "/detail/fields/2/format: is for dates; age is of type integer",
  ],
  [
    "a zone of a date",
    staff({ name: "birthday", start: 1, length: 8, zone: "Z" }),
    "/detail/fields/2/zone: is for a date and time; birthday is of type date",
  ],
  [
    "a year of two digits",
    staff({ name: "birthday", start: 1, length: 8, format: "YYMMDD" }),
    "/detail/fields/2/format: needs a year of four digits (YYYY): a shorter one could be of several centuries",
  ],
  [
    "a date without a day",
    staff({ name: "birthday", start: 1, length: 8, format: "YYYYMM" }),
    "/detail/fields/2/format: needs YYYY with MM and DD, or with DDD, the day of the year",
  ],
  [
    "a date with letters",
    staff({ name: "birthday", start: 1, length: 9, format: "DDMONYYYY" }),
    "/detail/fields/2/format: is made of YYYY, MM, DD, DDD, hh, mm and ss, such as YYYYMMDD",
  ],
  ["a date with a part twice", staff({ name: "birthday", start: 1, length: 10, format: "YYYYMMDDDD" }), "/detail/fields/2/format: "],
  [
    "a date with a time",
    staff({ name: "birthday", start: 1, length: 12, format: "YYYYMMDDhhmm" }),
    "/detail/fields/2/format: has a time; birthday is a date",
  ],
  [
    "a time without one",
    staff({ name: "hiredatetime", start: 1, length: 8, format: "YYYYMMDD", zone: "Z" }),
    "/detail/fields/2/format: needs the time (hh, mm): hiredatetime is a date and time",
  ],
  [
    "a time without a zone",
    staff({ name: "hiredatetime", start: 1, length: 14, format: "YYYYMMDDhhmmss" }),
    "/detail/fields/2/zone: is missing: a time without its zone could be any; say Z or such as +01:00",
  ],
  [
    "a format without room",
    staff({ name: "birthday", start: 1, length: 6, format: "YYYYMMDD" }),
    "/detail/fields/2/format: has 8 characters; the field has 6",
  ],
  [
    "a field of the dictionary that is skipped",
    fields({ name: "objectId", skip: true, start: 70, length: 2 }),
    "/detail/fields/4/skip: objectId is a field of Customers: call what is skipped otherwise",
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
  test.each(MEANING)("%s", (_what, layout, told) => {
    expect(mistakesOf(layout)).toContain(told);
  });
});

const delimited = (change: Partial<DelimitedLayout>): DelimitedLayout => ({ kind: "delimited", collection: "customers", ...change });
const COLUMNS: [what: string, layout: unknown, told: string][] = [
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
  ["a delimiter that is none", { ...delimited({}), delimiter: "::" }, "/delimiter: must be one of"],
];

describe("a delimited layout", () => {
  test.each(COLUMNS)("%s", (_what, layout, told) => {
    expect(mistakesOf(layout)).toContain(told);
  });

  test("may say nothing but its collection", () => {
    expect(mistakesOf(delimited({}))).toBe("");
    expect(isOfSchema(delimited({}))).toBe(true);
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
