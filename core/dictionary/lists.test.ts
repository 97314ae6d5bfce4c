import { expect, test } from "vitest";
import { convertValue } from "../forms/conversion.ts";
import { readDataPackage } from "./collections.ts";
import type { Field } from "./fields.ts";
import { validateValue } from "./validate.ts";

function read(more: object, resource: object = {}) {
  const fields = [
    { name: "id", type: "integer" },
    { name: "tags", title: "Tags", type: "list", ...more },
  ];
  return readDataPackage({ resources: [{ name: "things", ...resource, schema: { fields, primaryKey: "id" } }] });
}

function field(more: object): Field {
  const made = read(more);
  if ("mistakes" in made) throw new Error(JSON.stringify(made.mistakes));
  return made.collections[0]?.byName.get("tags") as Field;
}

test.each<[more: object, resource: object, sentence: string]>([
  [{ constraints: { unique: true } }, {}, "left out: records are not told apart by several values"],
  [{ constraints: { enum: ["a"] } }, {}, "left out: the closed list of several values is its categories"],
  [{ constraints: { pattern: "a" } }, {}, "on a field of type string"],
  [{ constraints: { minimum: 1 } }, {}, "has no order"],
  [{ itemType: "date" }, {}, "must be one of string, integer, number"],
  [{ delimiter: "x" }, {}, "one to three signs"],
  [{ itemType: "number", categories: [1.5] }, {}, "are for fields of type string or integer"],
  [{}, { label: ["tags"] }, "by which no record is named"],
  [{ choicesIf: [{ when: "id > 1", values: ["a"] }] }, {}, "must be left out: the field has several values"],
])("the dictionary refuses %j %j", (more, resource, sentence) => {
  const made = read(more, resource);
  expect("mistakes" in made && made.mistakes.map(({ message }) => message)).toEqual([expect.stringContaining(sentence)]);
});

test.each<[more: object, text: string, json: unknown, value: unknown]>([
  [{}, " a, b ,", ["a", " b "], ["a", "b"]],
  [{ delimiter: ";" }, 'a,b; "c;d"', ["a,b", "c;d"], ["a,b", "c;d"]],
  [{ itemType: "integer" }, "2,10", [2, 10], [2, 10]],
  [{ itemType: "number" }, "2.50,-1", [2.5, -1], [2.5, -1]],
  [{ categories: [{ value: "x", label: "Ex" }] }, "ex", ["x"], ["x"]],
  [{}, " , ", [], null],
])("of %j the text %j is the JSON %j", (more, text, json, value) => {
  expect(validateValue(field(more), text, "text")).toEqual(value);
  expect(validateValue(field(more), json, "json")).toEqual(value);
});

test.each<[more: object, given: unknown, code: string, message: string]>([
  [{}, "a", "KIND", "Tags must be a list of values, such as a, b."],
  [{}, ["a", "b", "a"], "REPEATED", "Tags, value 3 stands there twice. Take one out."],
  [{}, ["a", null], "REQUIRED", "Enter the tags, value 2."],
  [{ itemType: "integer" }, [1, "2"], "KIND", "Tags, value 2 must be a whole number without separators or leading zeros, such as 100482."],
  [{ categories: ["x", "y"] }, ["z"], "ENUM", "Tags must be one of x, y."],
  [{ constraints: { maxLength: 1 } }, ["a", "b"], "TOO_LONG", "Tags may have at most 1 values; these are 2."],
  [{ constraints: { minLength: 2 } }, ["a"], "TOO_SHORT", "Tags needs at least 2 values; these are 1."],
  [{ constraints: { required: true } }, [], "REQUIRED", "Enter the tags."],
])("%j refuses %j", (more, given, code, message) => {
  expect(validateValue(field(more), given, "json")).toEqual({ field: "tags", code, message });
});

test("a text becomes several values and back", () => {
  const text = { ...field({}), kind: "string" as const };
  const { item: _, ...plain } = text;
  expect(convertValue(plain, field({ delimiter: ";" }), "a; b", {})).toEqual(["a", "b"]);
  expect(convertValue(plain, field({ itemType: "integer" }), "1, x", {})).toBeUndefined();
  expect(convertValue(field({}), plain, ["a", "b,c"], {})).toBe('a,"b,c"');
});
