import Ajv from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { proposeLayout } from "../../formats/propose-layout.ts";
import { type BrokenLayout, changed, mistakesOf, staff } from "../../testing/broken-layouts.ts";
import { customers, customersLayout, employees } from "../../testing/layouts.ts";
import schema from "../layout.schema.json" with { type: "json" };

const isOfSchema = new Ajv({ allowUnionTypes: true }).compile(schema);

test("a right layout has no mistakes, and is right by the schema that editors use", () => {
  const least = { kind: "delimited", collection: "customers" };
  for (const layout of [customersLayout(), proposeLayout(customers), proposeLayout(employees, "cp500"), least]) {
    expect(mistakesOf(layout)).toBe("");
    expect([isOfSchema(layout), isOfSchema.errors]).toEqual([true, null]);
  }
});

const MISSHAPEN: BrokenLayout[] = [
  ["an empty record type", customersLayout({ header: { type: "" } }), "/header/type: must be a text that is not empty"],
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
    '/recordLenght: is not a key here; did you mean "recordLength"?',
  ],
  [
    "a key with a slash",
    changed((layout) => Object.assign(layout.detail, { "a/b~": 1 })),
    "/detail/a~1b~0: is not a key here; there are type, minLength, fields, occurs, children",
  ],
  [
    "a strange key",
    changed((layout) => Object.assign(layout.detail, { x: 1 })),
    "/detail/x: is not a key here; there are type, minLength, fields, occurs, children",
  ],
  [
    "an unknown encoding",
    changed((layout) => Object.assign(layout, { encoding: "latin-9" })),
    '/encoding: must be one of "utf-8", "iso-8859-1", "windows-1252", "cp037", "cp273", "cp277", "cp278", "cp280", "cp284", "cp285", "cp290", "cp297", "cp420", "cp423", "cp424", "cp500", "cp833", "cp838", "cp870", "cp871", "cp875", "cp880", "cp905", "cp924", "cp1025", "cp1026", "cp1047", "cp1140", "cp1141", "cp1142", "cp1143", "cp1144", "cp1145", "cp1146", "cp1147", "cp1148", "cp1149"',
  ],
  [
    "a slip in an encoding",
    changed((layout) => Object.assign(layout, { encoding: "windows-1253" })),
    '/encoding: must be one of "utf-8", "iso-8859-1", "windows-1252", "cp037", "cp273", "cp277", "cp278", "cp280", "cp284", "cp285", "cp290", "cp297", "cp420", "cp423", "cp424", "cp500", "cp833", "cp838", "cp870", "cp871", "cp875", "cp880", "cp905", "cp924", "cp1025", "cp1026", "cp1047", "cp1140", "cp1141", "cp1142", "cp1143", "cp1144", "cp1145", "cp1146", "cp1147", "cp1148", "cp1149"; did you mean "windows-1252"?',
  ],
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
    "/detail/fields/1/pad: must be one character, LOW-VALUES or HIGH-VALUES",
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
    "/detail/fields/2/zone: must be Z, such as +01:00, or such as Europe/Berlin",
  ],
  [
    "several mistakes at once",
    changed((layout) => Object.assign(layout, { lineEnd: 1, trimmed: "no" })),
    '/lineEnd: must be one of "none", "lf", "crlf", "nl"\n/trimmed: must be true or false',
  ],
];

describe("what is not of the layout's shape is named with its path", () => {
  test.each(MISSHAPEN)("%s", (_what, layout, expected) => {
    expect(mistakesOf(layout).split("\n")).toEqual(expect.arrayContaining(expected.split("\n")));
    if (typeof layout !== "string") expect(isOfSchema(layout)).toBe(false); // an editor reports it, too
  });
});

test("a value that breaks two rules is named once", () => {
  const layout = changed(({ detail }) => Object.assign(detail.fields[1] ?? {}, { pad: "" }));
  expect(mistakesOf(layout)).toBe("/detail/fields/1/pad: must be one character, LOW-VALUES or HIGH-VALUES");
});

test("a text that is no JSON is named with the reason of the parser", () => {
  expect(mistakesOf("{")).toMatch(/^\/: is not JSON: [^\n]+$/); // whose words differ with the version of Node
});
