// The words that an expression may have at a place are offered, and no others.

import { expect, test } from "vitest";
import { compileExpression } from "../../../core/dictionary/expressions.ts";
import { wordsAt, writtenValue } from "./expression-words.ts";
import { fieldsOf } from "./rule-fields.ts";

const fields = fieldsOf({
  name: "staff",
  schema: {
    primaryKey: "id",
    fields: [
      { name: "id", title: "ID", type: "integer" },
      { name: "endOn", title: "Last day", type: "date" },
      { name: "email", title: "E-mail", type: "string" },
      { name: "pay", title: "Pay", type: "number", decimals: 2 },
      { name: "isLead", title: "Lead", type: "boolean" },
      {
        name: "state",
        title: "State",
        type: "string",
        categories: [
          { value: "new", label: "Newly made" },
          { value: "old", label: "Old" },
        ],
      },
    ],
  },
});
const words = (text: string, isAsked = false) => wordsAt(text, text.length, fields, isAsked).words.map(({ insert }) => insert);

test("a field is found by its name and by its title, a function by its name", () => {
  expect(words("en")).toEqual(["endOn"]);
  expect(words("1 < da")).toEqual(["days(", "endOn", "today"]); // Last day, the day of today
  expect(words("isE")).toEqual(["isEmpty("]);
  expect(words("to")).toEqual(["today"]);
});

test("behind a point stands what there is of it", () => {
  expect(words("old.em")).toEqual(["email"]);
  expect(words("me.")).toEqual(["id", "name"]);
  expect(words("email.c")).toEqual(["contains("]);
  expect(words("email.")).toEqual(["contains(", "startsWith(", "endsWith("]);
});

test("nothing is offered where no word is begun, unless it is asked for, nor for a word that is whole", () => {
  expect(words("")).toEqual([]);
  expect(words("", true).slice(0, 2)).toEqual(["id", "endOn"]);
  expect(words("endOn")).toEqual([]);
  expect(words("pay > 12")).toEqual([]);
  expect(words("zzz")).toEqual([]);
});

test("within a text the values of the list are offered with which it is compared", () => {
  expect(words('state == "')).toEqual(['new"', 'old"']);
  expect(words('state != "n')).toEqual(['new"']);
  expect(words('state in ["new", "o')).toEqual(['old"']);
  expect(words('email == "n')).toEqual([]);
  expect(wordsAt('state == "n', 11, fields).from).toBe(10);
});

test("each value is written so that it can be compared with its field", () => {
  const texts: Record<string, string> = { id: "7", endOn: "2026-01-31", email: 'a"b', pay: "12.50", isLead: "true", state: "new" };
  for (const field of fields) {
    const written = writtenValue(field, texts[field.name] ?? "");
    expect(compileExpression(`${field.name} == ${written}`, fields).status, written).toBe("compiled");
  }
  expect(fields.map((field) => writtenValue(field, "nothing"))).toEqual([
    undefined,
    undefined,
    '"nothing"',
    undefined,
    undefined,
    '"nothing"',
  ]);
});
