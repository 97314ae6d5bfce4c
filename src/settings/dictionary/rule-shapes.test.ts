// Every shape writes a rule that compiles, means what its sentence says, and is proposed in both languages.

import { afterEach, describe, expect, test } from "vitest";
import { compileCondition } from "../../../core/dictionary/expressions.ts";
import type { PackageResource } from "../../../core/dictionary/packages.ts";
import { problemsOfRules } from "../../../core/dictionary/rules.ts";
import { openCatalogue } from "../../../core/i18n/languages.ts";
import { setCatalogue } from "../../../core/i18n/translate.ts";
import { fieldsOf } from "./rule-fields.ts";
import { nameOfRule, SHAPES, type Shape, type ShapeParts, secondsFor, sentenceOfRule, writeRule } from "./rule-shapes.ts";

const STAFF: PackageResource = {
  name: "staff",
  schema: {
    primaryKey: "id",
    fields: [
      { name: "id", title: "ID", type: "integer" },
      { name: "startOn", title: "Start", type: "date", translations: { de: { title: "Anfang" } } },
      { name: "endOn", title: "End", type: "date", translations: { de: { title: "Ende" } } },
      { name: "seenAt", title: "Seen", type: "datetime" },
      { name: "hours", title: "Hours", type: "number", translations: { de: { title: "Stunden" } } },
      { name: "isLead", title: "Lead", type: "boolean" },
      {
        name: "contract",
        title: "Contract",
        type: "string",
        categories: [
          { value: "temp", label: "Temporary", translations: { de: { label: "Befristet" } } },
          { value: "full", label: "Full time" },
        ],
        translations: { de: { title: "Vertrag" } },
      },
      { name: "wrong", type: "nothing" },
      { name: "gone", title: "Gone", type: "string", retired: true },
    ],
  },
};
const fields = fieldsOf(STAFF, "");
const shape = (name: string) => SHAPES[name] as Shape;
const isBroken = (name: string, parts: ShapeParts, record: object) => {
  const rule = writeRule(shape(name), parts, fields);
  if (!rule) throw new Error("no rule");
  const scope = { record: record as Record<string, unknown>, old: null, me: null, today: "2026-11-29" };
  return problemsOfRules({ name: "staff", fields, rules: [{ ...rule, name: "one", message: "One." }] }, scope).length > 0;
};

afterEach(() => setCatalogue());

test("formulas and conditions are read along", () => {
  const [key] = STAFF.schema.fields;
  const computed = { name: "twice", type: "integer", computed: "id * 2", sticky: true };
  const [, read] = fieldsOf({ name: "staff", schema: { primaryKey: "id", fields: [{ name: "id", ...key }, computed] } }, "");
  expect([read?.computed, read?.sticky]).toEqual(["id * 2", true]);
});

test("fields with mistakes and retired ones are left out", () => {
  expect(fields.map(({ name }) => name)).toEqual(["id", "startOn", "endOn", "seenAt", "hours", "isLead", "contract"]);
});

describe.each(Object.entries(SHAPES))("the shape %s", (_, one) => {
  const own = fields.filter(one.fits);
  test("writes an expression of all fields that it offers", () => {
    expect(own.length).toBeGreaterThan(0);
    for (const first of own)
      for (const second of one.second ? secondsFor(one, fields, first.name) : [undefined])
        for (const onlyIf of fields) {
          const value = onlyIf.name === "contract" ? "temp" : "";
          const rule = writeRule(
            one,
            { first: first.name, second: second?.name ?? "", amount: "12.5", onlyIf: onlyIf.name, value },
            fields,
          );
          if (!rule && first.name === "id") continue; // 12.5 is no whole number
          expect([rule?.must, rule?.when].map((source) => compileCondition(String(source), fields).status)).toEqual([
            "compiled",
            "compiled",
          ]);
          expect(nameOfRule(one, { first: first.name, second: second?.name ?? "" })).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,62}$/);
        }
  });
  test("is no rule while something is missing", () => {
    expect(writeRule(one, {}, fields)).toBeUndefined();
    if (one.second || one.amount || one.onlyIf) expect(writeRule(one, { first: own[0]?.name ?? "" }, fields)).toBeUndefined();
  });
});

test("each means what it says", () => {
  const dates = { first: "endOn", second: "startOn" };
  expect(isBroken("order", dates, { startOn: "2026-01-02", endOn: "2026-01-01" })).toBe(true);
  expect(isBroken("order", dates, { startOn: "2026-01-02", endOn: "2026-01-02" })).toBe(false);
  expect(isBroken("oneOf", dates, {})).toBe(true);
  expect(isBroken("oneOf", dates, { endOn: "2026-01-01" })).toBe(false);
  expect(isBroken("notBoth", dates, { startOn: "2026-01-02", endOn: "2026-01-03" })).toBe(true);
  expect(isBroken("notBoth", dates, { startOn: "2026-01-02" })).toBe(false);
  const needed = { first: "endOn", onlyIf: "contract", value: "temp" };
  expect(isBroken("needed", needed, { contract: "temp" })).toBe(true);
  expect(isBroken("needed", needed, { contract: "full" })).toBe(false);
  expect(isBroken("needed", { first: "endOn", onlyIf: "hours", value: "" }, { hours: 1 })).toBe(true);
  expect(isBroken("needed", { first: "endOn", onlyIf: "isLead", value: "true" }, { isLead: true })).toBe(true);
  expect(isBroken("atMost", { first: "hours", amount: "40" }, { hours: 40.5 })).toBe(true);
  expect(isBroken("atLeast", { first: "hours", amount: "40" }, { hours: 40 })).toBe(false);
  expect(isBroken("notAhead", { first: "endOn" }, { endOn: "2026-11-30" })).toBe(true);
});

test("a value that the field cannot have makes no rule: it would mean any value", () => {
  expect(writeRule(shape("needed"), { first: "endOn", onlyIf: "hours", value: "many" }, fields)).toBeUndefined();
});

test("a date is only compared with a date", () => {
  expect(secondsFor(shape("order"), fields, "endOn").map(({ name }) => name)).toEqual(["startOn"]);
  expect(secondsFor(shape("oneOf"), fields, "endOn").map(({ name }) => name)).toContain("hours");
});

test("its sentence is a whole one in each language", async () => {
  const parts = { first: "hours", amount: "1234.5", onlyIf: "contract", value: "temp" };
  expect(sentenceOfRule(shape("atMost"), parts, fields)).toBe("“Hours” must be 1,234.5 at most if “Contract” is “Temporary”.");
  expect(sentenceOfRule(shape("order"), { first: "endOn", second: "startOn" }, fields)).toBe("“End” must not be before “Start”.");
  setCatalogue(await openCatalogue("de"));
  const german = fieldsOf(STAFF, "de");
  expect(sentenceOfRule(shape("atMost"), parts, german)).toBe("„Stunden“ darf höchstens 1.234,5 sein, wenn „Vertrag“ „Befristet“ ist.");
  expect(sentenceOfRule(shape("needed"), { first: "endOn", onlyIf: "hours" }, german)).toBe(
    "„Ende“ wird gebraucht, wenn „Stunden“ einen Wert hat.",
  );
});
