import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Kind } from "../../core/dictionary/kinds.ts";
import { isValue, validateValue } from "../../core/dictionary/validate.ts";
import { readForm } from "../../core/forms/readings.ts";
import { fixesOf } from "../correction/fixes-of.ts";
import { employees } from "../testing/fake-service.ts";
import { type AutoFixName, fixCell } from "./value-fixes.ts";

const plain = employees.byName.get("name") as Field;

function fieldOf(kind: Kind, rules: Partial<Field> = {}): Field {
  const { minLength: _, maxLength: __, ...bare } = plain;
  return { ...bare, kind, required: false, ...rules };
}

function fix(name: AutoFixName, field: Field, cell: string): unknown {
  return fixCell(name, field, cell);
}

const list = fieldOf("string", { enum: ["Utrecht", "Kraków", "us", "US"] });
const integer = fieldOf("integer");
const date = fieldOf("date");
const yesNo = fieldOf("boolean");

describe("an automatic fix corrects its own sort of mistake", () => {
  test.each<[AutoFixName, Field, string, unknown]>([
    ["hidden", fieldOf("string"), "Anna\u0000 Lee\u202e", "Anna Lee"],
    ["hidden", fieldOf("string"), "12 High St\r\nLeeds", "12 High St Leeds"],
    ["hidden", fieldOf("string", { format: "multiline" }), "12 High St\r\n\u2028Leeds\u200b", "12 High St\n\nLeeds"],
    ["hidden", fieldOf("string"), "\u2060Anna Lee \ufeff\u200b", "Anna Lee"],
    ["hidden", fieldOf("string", { unique: true }), "A\ufeff1\u20602\u200b3", "A123"],
    ["hidden", fieldOf("string", { required: false }), "\u200b", null],
    ["bareAddress", fieldOf("string", { format: "email" }), "mailto:anna@example.com", "anna@example.com"],
    ["bareAddress", fieldOf("string", { format: "email" }), "Anna Lee <anna@example.com>", "anna@example.com"],
    ["bareAddress", fieldOf("string", { format: "phone" }), "tel: +49 30 123456", "+49 30 123456"],
    ["webAddress", fieldOf("string", { format: "uri" }), "www.example.com/a", "https://www.example.com/a"],
    ["webAddress", fieldOf("string", { format: "uri" }), "exämple.de", "https://exämple.de"],
    ["hidden", integer, "10\u200b4", 104],
    ["empty", integer, "n/a", null],
    ["empty", date, " – ", null],
    ["trailingZero", integer, "7.0", 7],
    ["trailingZero", integer, "-12.000", -12],
    ["yesNo", yesNo, "Ja", true],
    ["yesNo", yesNo, "x", true],
    ["yesNo", yesNo, "NO", false],
    ["enumCase", list, "utrecht", "Utrecht"],
    ["enumCase", list, "KRAKO\u0301W", "Kraków"],
  ])("%s", (name, field, cell, value) => {
    expect(fix(name, field, cell)).toBe(value);
  });
});

describe("an automatic fix does not touch what it would have to guess", () => {
  test.each<[AutoFixName, Field, string]>([
    ["trailingZero", integer, "7.5"],
    ["trailingZero", integer, "007.0"],
    ["empty", { ...integer, required: true }, "-"],
    ["yesNo", yesNo, "maybe"],
    ["enumCase", list, "Us"], // two of the list are meant by it
    ["enumCase", list, "Krakow"],
    ["hidden", fieldOf("string", { maxLength: 3 }), "Anna\u0000"],
  ])("%s", (name, field, cell) => {
    expect(fix(name, field, cell)).toBeUndefined();
  });
});

test("an automatic fix always gives a valid value, and fits the kind of the field", () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.stringMatching(/^-?[0-9]{1,4}([., '][0-9]{1,3}){0,3}$/),
    fc.stringMatching(/^[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}$/),
  );
  fc.assert(
    fc.property(cell, fc.constantFrom(...employees.fields), (text, field) => {
      for (const { name, value } of fixesOf(field, text)) {
        expect(validateValue(field, value, "json")).toEqual(value);
        if (!isValue(validateValue(field, text, "text"))) expect(fixCell(name, field, text, readForm)).toEqual(value);
      }
    }),
    { numRuns: 3000, interruptAfterTimeLimit: 5_000 },
  );
});
