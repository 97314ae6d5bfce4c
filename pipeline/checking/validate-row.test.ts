import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Fields, validateRecord } from "../../core/dictionary/validate.ts";
import { readForm } from "../../core/forms/readings.ts";
import { NO_CORRECTIONS } from "../model/corrections.ts";
import type { Plan, UploadMode } from "../model/plan.ts";
import { type AutoFixName, PLAIN_FIX_NAMES } from "../model/value-fixes.ts";
import { customers, employees, plainDialect } from "../testing/fake-service.ts";
import { createRowValidator } from "./validate-row.ts";

const COLUMNS = ["objectId", "firstName", "lastName", "accountID"];

function plan(mode: UploadMode, columns: Plan["columns"] = COLUMNS): Plan {
  return { dialect: plainDialect, columns, mode };
}

function validateRow(mode: UploadMode, cells: string[], columns?: Plan["columns"]): { record: Fields; problems: [string, string][] } {
  const record: Fields = {};
  const problems = createRowValidator(customers, plan(mode, columns))(1, cells, undefined, record) ?? [];
  return { record, problems: problems.map(({ field, code }) => [field, code]) };
}

test("a text that a program wrote as a formula, to keep its zeros, is that text", () => {
  expect(validateRow("create", ['="7"', "", '="Ann"', '="0042"'])).toEqual({
    record: { objectId: 7, lastName: "Ann", accountID: "0042" },
    problems: [],
  });
  expect(validateRow("create", ["7", "", "Ann", `'="0042"`]).record).toMatchObject({ accountID: '="0042"' }); // from our own export
});

test("a row that looks like no data has no key, and counts for no automatic fix", () => {
  const fixes = { ...NO_CORRECTIONS, autoFixes: [{ field: "objectId", name: "trailingZero" as const }] };
  const fixed: number[] = [];
  const validate = createRowValidator(customers, { ...plan("create"), fixes }, { onFix: (index) => fixed.push(index) });
  const suspect = { code: "TABLE", message: "Of another table." } as const;
  expect(validate(1, ["7.0", "", "Other", "A"], suspect, undefined)?.map(({ code }) => code)).toEqual(["TABLE"]);
  expect(fixed).toEqual([]);
  expect(validate(2, ["7", "", "Ann", "A"], undefined, undefined)).toBeUndefined();
});

test("a key that says which stored record is meant is held to no rule that the key has today", () => {
  const key = { ...customers.key, minimum: 1000 };
  const fields = customers.fields.map((field) => (field === customers.key ? key : field));
  const narrowed = { ...customers, key, fields };
  const codesIn = (mode: UploadMode | "delete") =>
    createRowValidator(narrowed, plan("update"))(1, ["7", "", "Ann", "A"], undefined, undefined, mode) ?? [];
  for (const mode of ["update", "delete"] as const) expect([mode, codesIn(mode)]).toEqual([mode, []]);
  expect(codesIn("create").map(({ code }) => code)).toEqual(["TOO_SMALL"]);
});

describe("a row is validated as by the form and the service", () => {
  const texts = fc.constantFrom(
    "",
    " ",
    "1",
    "007",
    "Ann",
    " Zoë ",
    "2026-01-31",
    "2026-01-31T08:30Z",
    "true",
    "Utrecht",
    "NL-0042",
    "-3",
    "a\nb",
    "x".repeat(300),
  );
  test.each([customers, employees].map((collection) => [collection.name, collection] as const))("%s", (_, collection) => {
    const names = collection.fields.map(({ name }) => name);
    const query = createRowValidator(collection, plan("create", names), { isRepeated: () => false });
    fc.assert(
      fc.property(fc.array(texts, { minLength: names.length, maxLength: names.length }), (cells) => {
        const record: Fields = {};
        const problems = query(1, cells, undefined, record);
        const validated = validateRecord(collection, Object.fromEntries(names.map((name, i) => [name, cells[i]])), { from: "text" });
        expect(problems).toEqual(validated.problems);
        if (validated.problems) return;
        expect(Object.fromEntries(names.map((name) => [name, record[name] ?? null]))).toEqual(validated.record);
      }),
      { numRuns: 2000, interruptAfterTimeLimit: 5_000 },
    );
  });
});

test("a remedy changes no row that is right without it, and never makes a right cell wrong", () => {
  const names = employees.fields.map(({ name }) => name);
  const autoFixes = employees.fields.flatMap(({ name }) =>
    [...PLAIN_FIX_NAMES, "date:d.m.y", "number:,"].map((fix) => ({ field: name, name: fix as AutoFixName })),
  );
  const bare = createRowValidator(employees, plan("create", names), { isRepeated: () => false });
  const corrections = createRowValidator(
    employees,
    { ...plan("create", names), fixes: { ...NO_CORRECTIONS, autoFixes } },
    { isRepeated: () => false, readForm },
  );
  const cell = fc.constantFrom(
    "",
    "7",
    "7.0",
    "1,5",
    "Ann",
    "-",
    "n/a",
    "2026-01-31",
    "31.1.2026",
    "2026-01-31T08:30Z",
    "true",
    "x",
    "utrecht",
    "NL-0042",
  );
  fc.assert(
    fc.property(fc.array(cell, { minLength: names.length, maxLength: names.length }), (cells) => {
      const [as, corrected]: [Fields, Fields] = [{}, {}];
      const wrong = new Set(bare(1, cells, undefined, as)?.map(({ field }) => field));
      const left = corrections(1, cells, undefined, corrected) ?? [];
      for (const { field } of left) expect(wrong).toContain(field);
      for (const name of names) if (!wrong.has(name)) expect(corrected[name]).toEqual(as[name]);
    }),
    { numRuns: 2000, interruptAfterTimeLimit: 5_000 },
  );
});

describe("an empty cell", () => {
  test("is no value, so it is not sent", () => {
    expect(validateRow("create", ["", "", "Ångström", "00071-A"]).record).toEqual({ lastName: "Ångström", accountID: "00071-A" });
  });
  test("leaves an existing value as it is", () => {
    expect(validateRow("update", ["7", "", "", "A"])).toEqual({ record: { objectId: 7, accountID: "A" }, problems: [] });
  });
  test("is a problem where a new record needs a value", () => {
    expect(validateRow("upsert", ["7", "", "", "A"]).problems).toEqual([["lastName", "REQUIRED"]]);
  });
  test("is a problem where an update needs the key", () => {
    expect(validateRow("update", ["", "", "Ångström", "A"]).problems).toEqual([["objectId", "REQUIRED"]]);
  });
});

describe("a row that is not as wide as the heading", () => {
  test("has that one problem, whatever its cells hold", () => {
    expect(validateRow("create", ["x", "", ""]).problems).toEqual([["", "CELLS"]]);
    expect(validateRow("create", ["1", "a", "b", "c", "d"]).problems).toEqual([["", "CELLS"]]);
  });
  test("has none when only empty cells are too many", () => {
    expect(validateRow("create", ["1", "a", "b", "c", "", " "]).problems).toEqual([]);
  });
});

describe("a cell that an export guarded against spreadsheets", () => {
  test("is read as it was stored", () => {
    expect(validateRow("create", ["1", "'+44 20", "'=1+1", "'-A"]).record).toMatchObject({
      firstName: "+44 20",
      lastName: "=1+1",
      accountID: "-A",
    });
  });
  test("is read as it was stored where the guard stands behind a semicolon", () => {
    expect(validateRow("create", ["1", "x;'=1+1;y", "a, '@b", "A"]).record).toMatchObject({ firstName: "x;=1+1;y", lastName: "a, @b" });
  });
  test("is told from an apostrophe of a name or a number", () => {
    expect(validateRow("create", ["1", "'t", "'s-Gravenhage", "'007"]).record).toMatchObject({
      firstName: "'t",
      lastName: "'s-Gravenhage",
      accountID: "'007",
    });
  });
});

describe("a column", () => {
  test("that is matched with nothing is left out", () => {
    expect(validateRow("create", ["Ann", "ignored", "A"], ["lastName", null, "accountID"]).record).toEqual({
      lastName: "Ann",
      accountID: "A",
    });
  });
  test("that is missing though required is a problem of every row", () => {
    expect(validateRow("create", ["Ann"], ["lastName"]).problems).toEqual([["accountID", "REQUIRED"]]);
  });
});
