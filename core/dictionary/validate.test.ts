import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Problem } from "../contract/problems.ts";
import type { Collection } from "./collections.ts";
import { readDataPackage } from "./collections.ts";
import customersPackage from "./datapackage.json" with { type: "json" };
import employeesPackage from "./employees.example.json" with { type: "json" };
import type { Field } from "./fields.ts";
import { setBoundWriter, validateComplete, validateRecord, validateValue } from "./validate.ts";

const customers = only(customersPackage);
const employees = only(employeesPackage);
const good = { lastName: "Ångström", accountID: "00073" };

function only(dataPackage: unknown): Collection {
  const read = readDataPackage(dataPackage);
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections[0] as Collection;
}

function codes(problems: Problem[] | undefined): string[] {
  return (problems ?? []).map(({ field, code }) => `${field} ${code}`);
}

describe("text and JSON are validated in the same way", () => {
  const cases: [text: Record<string, string>, json: Record<string, unknown>][] = [
    [{ ...good }, { ...good }],
    [
      { ...good, objectId: "100482" },
      { ...good, objectId: 100482 },
    ],
    [
      { ...good, objectId: "" },
      { ...good, objectId: null },
    ],
    [
      { ...good, firstName: "  Märta " },
      { ...good, firstName: "  Märta " },
    ],
    [
      { ...good, objectId: "0" },
      { ...good, objectId: 0 },
    ],
    [
      { ...good, objectId: "7.5" },
      { ...good, objectId: 7.5 },
    ],
    [
      { ...good, objectId: "9007199254740993" },
      { ...good, objectId: 9007199254740992 },
    ],
    [
      { accountID: "", lastName: "\t" },
      { accountID: null, lastName: "" },
    ],
    [
      { ...good, lastName: "x".repeat(201) },
      { ...good, lastName: "x".repeat(201) },
    ],
  ];
  test.each(cases)("%j", (text, json) => {
    expect(validateRecord(customers, text, { from: "text" })).toEqual(validateRecord(customers, json, { from: "json" }));
  });

  test("any employee that is written as text and read again is the same", () => {
    const ms = { min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true };
    const employee = fc.record({
      id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      name: fc.stringMatching(/^[\p{L}\p{N}][\p{L}\p{N} '-]{0,60}[\p{L}\p{N}]$/u),
      age: fc.integer({ min: 14, max: 120 }),
      hiredatetime: fc.date(ms).map((date) => date.toISOString()),
      permanent: fc.boolean(),
      location: fc.constantFrom("Utrecht", "Kraków", "Lagos", "Seoul"),
      workload: fc.double({ min: 0, max: 1, noNaN: true }),
      begins: fc.integer({ min: 5 * 3600, max: 23.5 * 3600 }).map((seconds) => new Date(seconds * 1000).toISOString().slice(11, 19)),
      firstyear: fc.integer({ min: 1950, max: 9999 }),
      salary: fc.bigInt({ min: 0n, max: 10n ** 28n - 1n }).map((cents) => `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`),
    });
    fc.assert(
      fc.property(employee, (json) => {
        const validated = validateRecord(employees, json, { from: "json" });
        expect(validated.problems).toBeUndefined();
        const text = Object.fromEntries(
          Object.entries(validated.record ?? {}).map(([name, value]) => [name, value === null ? "" : String(value)]),
        );
        expect(validateRecord(employees, text, { from: "text" })).toEqual(validated);
      }),
    );
  });
});

describe("strings", () => {
  test.each([
    ["leading zeros stay", "00071", "00071"],
    ["a name is composed (NFC)", "A\u030angstro\u0308m", "Ångström"],
    ["space around is taken off, also the no-break kind", "\u00a0 Okafor \u3000", "Okafor"],
    ["space inside stays", "van  't Hoff", "van  't Hoff"],
    ["a joiner that a script needs stays", "می\u200cخواهم", "می\u200cخواهم"],
    ["a space of no width stays between words of a script that has no others", "ភាសា\u200bខ្មែរ", "ភាសា\u200bខ្មែរ"],
    ["a zero-width space at the end goes", "Smith\u200b", "Smith"],
    ["a word joiner at the beginning goes", "\u2060Smith", "Smith"],
    ["a byte order mark behind a space of no width goes", "Smith \ufeff\u200b ", "Smith"],
    ["a soft hyphen goes", "Donau\u00addampf", "Donaudampf"],
    ["a zero-width space goes between Latin letters", "Mei\u200ber", "Meier"],
    ["a direction mark goes from a name in Latin letters", "Zoë\u200e", "Zoë"],
    ["a direction mark stays within a text from right to left", "משה\u200f (7) כהן", "משה\u200f (7) כהן"],
    ["what looks like a formula is a name like any other", "=1+1", "=1+1"],
    ["one letter is a name", "朴", "朴"],
    ["an emoji is two units and one character", "🙂".repeat(200), "🙂".repeat(200)],
  ])("%s", (_, input, stored) => {
    expect(validateRecord(customers, { accountID: "1", lastName: input }, { from: "text" }).record?.lastName).toBe(stored);
  });

  test.each([
    ["NUL", "a\0b", "CHARACTERS"],
    ["a line break", "a\nb", "CHARACTERS"],
    ["a hidden right-to-left override", "a\u202eb", "CHARACTERS"],
    ["what stands for wrong bytes of a file", "M\ufffeller", "CHARACTERS"],
    ["an isolate", "a\u2066b", "CHARACTERS"],
    ["half a surrogate pair", "a\ud800b", "CHARACTERS"],
    ["a C1 control", "a\u0085b", "CHARACTERS"],
    ["nothing but a zero-width space", "\u200b", "REQUIRED"],
    ["nothing but a filler of Hangul", "\u3164", "REQUIRED"],
    ["201 characters", "🙂".repeat(201), "TOO_LONG"],
    ["only space", "   ", "REQUIRED"],
  ])("%s is refused", (_, input, code) => {
    expect(codes(validateRecord(customers, { accountID: "1", lastName: input }, { from: "json" }).problems)).toEqual([`lastName ${code}`]);
  });
});

test.each([
  ["zero-width space", "\u200b"],
  ["word joiner", "\u2060"],
  ["byte order mark", "\ufeff"],
])("a unique value is stored without a %s, because it would look like another one", (_, hidden) => {
  const { record } = validateRecord(employees, { badge: `NL${hidden}-0042` }, { from: "json", partial: true });
  expect(record).toEqual({ badge: "NL-0042" });
});

describe("kinds", () => {
  test.each<[field: string, text: string, value: unknown]>([
    ["id", "1", 1],
    ["id", "9007199254740991", Number.MAX_SAFE_INTEGER],
    ["age", " 41 ", 41],
    ["permanent", "TRUE", true],
    ["permanent", "0", false],
    ["workload", "0.80", 0.8],
    ["workload", "1e-3", 0.001],
    ["workload", "-0", 0],
    ["workload", "0.30000000000000004", 0.1 + 0.2],
    ["workload", "5e-324", Number.MIN_VALUE],
    ["salary", "4150.50", "4150.5"],
    ["salary", "1e3", "1000"],
    ["salary", "1.25e1", "12.5"],
    ["salary", "125e-2", "1.25"],
    ["salary", "-0.00", "0"],
    ["salary", "100000069899999.93", "100000069899999.93"],
    ["salary", "99999999999999999999999999.99", "99999999999999999999999999.99"],
    ["birthday", "2024-02-29", "2024-02-29"],
    ["hiredatetime", "2026-01-31T08:30Z", "2026-01-31T08:30:00.000Z"],
    ["hiredatetime", "2026-01-31 08:30:15.123000+02:00", "2026-01-31T06:30:15.123Z"],
    ["begins", "08:30", "08:30:00"],
    ["begins", "05:00:00", "05:00:00"],
    ["begins", "14:05:30.000", "14:05:30"],
    ["firstyear", "1985", 1985],
    ["badge", "NL-0042", "NL-0042"],
    ["location", "Kraków", "Kraków"],
  ])("%s takes %j", (field, text, value) => {
    expect(validateRecord(employees, { [field]: text }, { from: "text", partial: true })).toEqual({ record: { [field]: value } });
  });

  test.each([
    ...["007", "7.0", "1e3", "+7", "0x10", "1 000", "١٢", "9007199254740992", "99999999999999999"].map((text) => ["id", text, "KIND"]),
    ["id", "0", "TOO_SMALL"],
    ["id", "-4", "TOO_SMALL"],
    ["age", "13", "TOO_SMALL"],
    ["age", "121", "TOO_LARGE"],
    ...["yes", "ja", "tRUE", "2"].map((text) => ["permanent", text, "KIND"]),
    ...["0,50", ".5", "5.", "NaN", "Infinity"].map((text) => ["workload", text, "KIND"]),
    ...["0.1234567890123456789", "0.30000000000000003", "1e999", "1e-999"].map((text) => ["workload", text, "TOO_PRECISE"]),
    ...["4150,50", ".5", "5.", "1e999", "NaN", "Infinity", "100000000000000000000000000"].map((text) => ["salary", text, "KIND"]),
    ["salary", "1.005", "TOO_PRECISE"],
    ["salary", "-0.01", "TOO_SMALL"],
    ...["2026-02-29", "2026-13-01", "31.01.2026", "2026-1-31", "20260131"].map((text) => ["birthday", text, "KIND"]),
    ["birthday", "1899-12-31", "TOO_SMALL"],
    ...["2026-01-31", "2026-01-31T08:30:00", "2026-01-31T24:00:00Z", "2026-01-31T23:59:60Z", "9999-12-31T23:59:59-01:00"].map((text) => [
      "hiredatetime",
      text,
      "KIND",
    ]),
    ["badge", "nl-0042", "PATTERN"],
    ["badge", "xNL-0042", "PATTERN"],
    ["location", "lagos", "ENUM"],
    ["name", "L", "TOO_SHORT"],
  ])("%s refuses %j", (field, text, code) => {
    expect(codes(validateRecord(employees, { [field as string]: text }, { from: "text", partial: true }).problems)).toEqual([
      `${field} ${code}`,
    ]);
  });

  test.each([
    ["a number as text", { id: "7" }],
    ["text as a number", { name: 7 }],
    ["a boolean as text", { permanent: "true" }],
    ["a list", { name: ["Ana"] }],
    ["an object", { name: {} }],
  ])("JSON types are never coerced: %s", (_, input) => {
    expect(codes(validateRecord(employees, input, { from: "json", partial: true }).problems)).toEqual([`${Object.keys(input)[0]} KIND`]);
  });
});

describe("records", () => {
  test("an unknown field is reported with the field that was probably meant", () => {
    const { problems } = validateRecord(customers, { ...good, lastname: "x" }, { from: "json" });
    expect(problems?.[0]).toMatchObject({ field: "lastname", code: "UNKNOWN_FIELD", message: expect.stringContaining('"lastName"') });
  });

  test("fields that the service sets are ignored, so that a record can be sent back", () => {
    expect(
      validateRecord(customers, { ...good, version: 3, createdAt: "x", updatedAt: 1, createdBy: {}, updatedBy: null }, { from: "json" })
        .problems,
    ).toBeUndefined();
  });

  test("every problem is reported at once, in the dictionary's order", () => {
    const { problems } = validateRecord(customers, { nope: 1, accountID: 7, objectId: "7" }, { from: "json" });
    expect(codes(problems)).toEqual(["objectId KIND", "lastName REQUIRED", "accountID KIND", "nope UNKNOWN_FIELD"]);
  });

  test("the message for a missing value says how to give it", () => {
    const messages = validateRecord(employees, {}, { from: "json" }).problems?.map(({ message }) => message);
    expect(messages).toEqual(["Enter the name.", "Choose yes or no for permanent."]);
  });

  test("a value of the wrong kind is reported with the field's own example, if that is of the kind", () => {
    const problemOf = (field: Field | undefined) => field && validateValue(field, "x", "text");
    const age = employees.byName.get("age");
    expect(problemOf(age)).toMatchObject({ message: "Age must be a whole number without separators or leading zeros, such as 41." });
    expect(validateValue(customers.key, "9,001", "text")).toMatchObject({
      message: "Object ID must be a whole number without separators or leading zeros, such as 100482.",
    });
    expect(problemOf(employees.byName.get("birthday"))).toMatchObject({ message: "Birthday must be a date, such as 1985-06-30." });
    for (const example of ["", "forty-one"]) {
      expect(age && problemOf({ ...age, example })).toMatchObject({
        message: "Age must be a whole number without separators or leading zeros, such as 100482.",
      });
    }
  });

  test("a partial record has only what was given; null clears an optional field and not a required one", () => {
    const partial = { from: "json", partial: true } as const;
    expect(validateRecord(customers, { firstName: null }, partial)).toEqual({ record: { firstName: null } });
    expect(codes(validateRecord(customers, { lastName: null }, partial).problems)).toEqual(["lastName REQUIRED"]);
    expect(codes(validateComplete(customers, { firstName: "A" }))).toEqual(["lastName REQUIRED", "accountID REQUIRED"]);
  });

  test("names that every JavaScript object has are unknown fields like others", () => {
    const input = JSON.parse('{"lastName":"A","accountID":"1","__proto__":{"x":1},"constructor":1}');
    expect(codes(validateRecord(customers, input, { from: "json" }).problems)).toEqual([
      "__proto__ UNKNOWN_FIELD",
      "constructor UNKNOWN_FIELD",
    ]);
  });

  test("at most two hundred unknown fields are reported", () => {
    const input = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`field${i}`, i]));
    expect(validateRecord(customers, { ...good, ...input }, { from: "json" }).problems).toHaveLength(200);
  });

  test("no problem contains the value", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, unit: "binary" }), (secret) => {
        const json = JSON.stringify(
          validateRecord(customers, { objectId: secret, lastName: `\0${secret}` }, { from: "text" }).problems ?? "",
        );
        expect(json.includes(secret)).toBe(false);
      }),
    );
  });
});

test("a text of a million letters is too long, and is not normalised to find that out", () => {
  const { problems } = validateRecord(customers, { lastName: `${"x\u0301".repeat(1_000_000)}\n`, accountID: "1" }, { from: "json" });
  expect(problems).toEqual([expect.objectContaining({ field: "lastName", code: "TOO_LONG", message: expect.stringContaining("2000000") })]);
});

test("bounds in messages are written as in files, or as the reader of this process writes them", () => {
  const messages = () =>
    validateRecord(
      employees,
      { age: "13", begins: "04:59", firstyear: "0987", salary: "-1" },
      { from: "text", partial: true },
    ).problems?.map(({ message }) => message);
  const inFiles = [
    "Age must be 14 or more.",
    "Salary must be 0 or more.",
    "Work begins must be 05:00:00 or later.",
    "First year of service must be 1950 or later.",
  ];
  expect(messages()).toEqual(inFiles);
  setBoundWriter(({ kind }, bound) => `<${kind} ${bound}>`);
  try {
    expect(messages()?.[0]).toBe("Age must be <integer 14> or more.");
    expect(messages()?.at(-1)).toBe("First year of service must be <year 1950> or later.");
  } finally {
    setBoundWriter();
  }
  expect(messages()).toEqual(inFiles);
});
