import { describe, expect, test } from "vitest";
import { type Field, readField } from "./fields.ts";
import { withoutRules } from "./filters.ts";
import { readCategories } from "./read-categories.ts";
import { validateValue } from "./validate.ts";

const CONTRACTS = [
  { value: "full", label: "Full time", translations: { de: { label: "Vollzeit" } } },
  { value: "part", label: "Part time", translations: { de: { label: "Teilzeit" } } },
  "temp",
];

function read(given: object, language = ""): { field: Field | undefined; mistakes: string[] } {
  const mistakes: string[] = [];
  const report = (path: string) => void mistakes.push(path) as undefined;
  const field = readField({ name: "contract", title: "Contract", type: "string", categories: CONTRACTS, ...given }, "", report, language, {
    readCategories,
  });
  return { field, mistakes };
}

function fieldOf(given: object = {}, language = ""): Field {
  const { field, mistakes } = read(given, language);
  if (!field || mistakes.length > 0) throw new Error(mistakes.join());
  return field;
}

describe("a list of values with labels", () => {
  test.each([
    ["", "Part time"],
    ["de", "Teilzeit"],
    ["fr", "Part time"],
  ])("has the labels of the language %j, and stores the values", (language, label) => {
    const field = fieldOf({}, language);
    expect([field.enum, field.labels?.get("part"), field.labels?.get("temp")]).toEqual([["full", "part", "temp"], label, "temp"]);
  });

  test.each(["part", "Part time", "PART TIME", " Teilzeit ", "teilzeit"])("takes %j from a file or a form, as its value", (text) => {
    expect(validateValue(fieldOf(), text, "text")).toBe("part");
    expect(validateValue(withoutRules(fieldOf()), text, "text")).toBe("part");
  });

  test("takes only values from JSON", () => {
    expect(validateValue(fieldOf(), "part", "json")).toBe("part");
    expect(validateValue(fieldOf(), "Part time", "json")).toMatchObject({ code: "ENUM" });
  });

  test("names its labels where a value is none of them", () => {
    expect(validateValue(fieldOf(), "half", "text")).toMatchObject({
      code: "ENUM",
      message: "Contract must be one of Full time, Part time, temp.",
    });
  });

  test("may be of whole numbers", () => {
    const field = fieldOf({
      type: "integer",
      categories: [
        { value: 1, label: "low" },
        { value: 2, label: "high" },
      ],
    });
    expect([validateValue(field, "2", "text"), validateValue(field, "High", "text"), validateValue(field, 2, "json")]).toEqual([2, 2, 2]);
  });
});

test.each<[string, object, string]>([
  ["no list", { categories: "a" }, "/categories"],
  ["an empty list", { categories: [] }, "/categories"],
  ["a list for a date", { type: "date" }, "/categories"],
  ["a value of another kind", { categories: ["a", 7] }, "/categories/1"],
  ["an empty label", { categories: [{ value: "a", label: "" }] }, "/categories/0"],
  ["a translation that is no label", { categories: [{ value: "a", translations: { de: "A" } }] }, "/categories/0"],
  ["a value twice", { categories: ["a", "a"] }, "/categories/1"],
  [
    "a label that means two values",
    {
      categories: [
        { value: "a", label: "Same" },
        { value: "b", label: "same" },
      ],
    },
    "/categories/1",
  ],
  ["a label that is another value", { categories: ["a", { value: "b", label: "A" }] }, "/categories/1"],
  ["a second list", { constraints: { enum: ["full"] } }, "/constraints/enum"],
])("%s is a mistake", (_, given, path) => {
  expect(read(given).mistakes).toContain(path);
});
