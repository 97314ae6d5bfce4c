// Files with packed and binary fields are read and written; a broken number is reported with its place.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeRejects } from "../../batch/reports/fixed-rejects.ts";
import { openLayout } from "../formats/open-layout.ts";
import { makeSample } from "../formats/sample.ts";
import { FixedWriter, NoRoom } from "../formats/write-fixed.ts";
import { customers, customersLayout, employees, fileOf, readAll, recordsOf } from "../testing/layouts.ts";
import { createCodec, LAYOUT_ENCODINGS } from "./character-sets.ts";
import type { FixedLayout, LayoutField } from "./layout.ts";
import { readLayout } from "./validate/parse-layout.ts";

const hex = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));

function alone(name: string, length: number, fieldFormat: Omit<LayoutField, "name">): FixedLayout {
  const fields = [{ name, start: 1, length, ...fieldFormat }];
  return { kind: "fixed", collection: "employees", encoding: "cp037", recordLength: length, lineEnd: "none", detail: { fields } };
}

describe("a field of a mainframe's file", () => {
  type Case = [what: string, name: string, keys: Omit<LayoutField, "name">, inFile: string, read: string, again?: string];
  const cases: Case[] = [
    ["PIC S9(3) COMP-3", "age", { usage: "packed" }, "041c", "41"],
    ["PIC 9(3) COMP-3", "age", { usage: "packed" }, "041f", "41", "041c"],
    ["PIC S9(3) COMP-3, negative", "age", { usage: "packed" }, "041d", "-41"],
    ["PIC S9(3) COMP-3, a minus before zero", "age", { usage: "packed" }, "000d", "0", "000c"],
    ["PIC S9(7)V99 COMP-3", "salary", { usage: "packed", decimals: 2 }, "000415050c", "4150.50"],
    ["PIC S9(7)V99 COMP-3, negative", "salary", { usage: "packed", decimals: 2 }, "000415050d", "-4150.50"],
    ["PIC SV9(3) COMP-3", "salary", { usage: "packed", decimals: 3 }, "005c", "0.005"],
    ["PIC S9(4) COMP", "age", { usage: "binary" }, "0029", "41"],
    ["PIC S9(4) COMP, negative", "age", { usage: "binary" }, "ffd7", "-41"],
    ["PIC S9(9) COMP", "id", { usage: "binary" }, "3b9aca00", "1000000000"],
    ["PIC S9(7)V99 COMP", "salary", { usage: "binary", decimals: 2 }, "0006554a", "4150.50"],
    ["PIC S9(13)V99 COMP, negative", "salary", { usage: "binary", decimals: 2 }, "fffffffffff9aab6", "-4150.50"],
    ["a marker for no number", "age", { usage: "packed", null: "0" }, "00000c", ""],
    ["a marker with its zeros", "age", { usage: "packed", null: ["99999", "00000"] }, "99999c", ""],
    ["blanks where no number was put", "age", { usage: "packed", null: " " }, "404040", ""],
    ["zeros where no number was put", "age", { usage: "packed", null: "\u0000" }, "000000", ""],
    ["a marker of a binary number", "age", { usage: "binary", null: "-1" }, "ffff", ""],
    ["PIC 9(8) COMP-3 with a date", "birthday", { usage: "packed", format: "YYYYMMDD" }, "019850630c", "1985-06-30"],
    ["PIC S9(7) COMP-3 with a day of the year", "birthday", { usage: "packed", format: "YYYYDDD" }, "1985181c", "1985-06-30"],
    ["PIC S9(9) COMP with a date", "birthday", { usage: "binary", format: "YYYYMMDD" }, "012ee586", "1985-06-30"],
    ["no date", "birthday", { usage: "packed", format: "YYYYMMDD", null: "0" }, "000000000c", ""],
    ["a time", "hiredatetime", { usage: "packed", format: "YYYYMMDDhhmm", zone: "Z" }, "0202601310830c", "2026-01-31T08:30:00Z"],
    ["PIC 9(6) COMP-3 with a time of day", "begins", { usage: "packed", format: "hhmmss" }, "0083000c", "08:30:00"],
    ["PIC 9(4) COMP with a time of day", "begins", { usage: "binary", format: "hhmm" }, "033e", "08:30:00"],
    ["PIC 9(4) COMP-3 with a year", "firstyear", { usage: "packed" }, "01985c", "1985"],
    ["PIC 9(2) COMP-3 with a year", "firstyear", { usage: "packed", format: "YY", pivot: 50 }, "009c", "2009"],
    ["a text of digits", "badge", { usage: "packed", digits: 6 }, "0000042c", "000042"],
    ["a text of as many digits as it has", "badge", { usage: "binary" }, "0000002a", "42"],
    ["a code", "location", { usage: "packed", values: { "01": "Utrecht", "2": "Lagos" } }, "002c", "Lagos"],
    ["a code for yes", "permanent", { usage: "binary", values: { "1": "true", "0": "false" } }, "0001", "true"],
  ];
  test.each(cases)("%s", async (_what, name, fieldFormat, inFile, read, again = inFile) => {
    const layout = alone(name, inFile.length / 2, fieldFormat);
    expect((await readAll(fileOf(hex(inFile)), layout, employees)).rows).toEqual([[read]]);
    const written = new FixedWriter(layout, employees).detail({ [name]: read });
    expect(Buffer.from(written).toString("hex")).toBe(again);
  });

  test.each([
    ["without room", "age", 2, { usage: "packed" }, "1000"],
    ["without room for its sign and digits", "age", 2, { usage: "binary" }, "-32769"],
    ["that is no number", "badge", 4, { usage: "packed" }, "A-1"],
    ["of other digits than the field has", "badge", 4, { usage: "packed", digits: 4 }, "042"],
    ["with more decimals", "salary", 4, { usage: "packed", decimals: 2 }, "1.005"],
    ["of nothing, where no marker says so", "age", 2, { usage: "binary" }, ""],
  ] as const)("a value %s is not written", (_what, name, length, fieldFormat, value) => {
    expect(() => new FixedWriter(alone(name, length, fieldFormat), employees).detail({ [name]: value })).toThrow(NoRoom);
  });

  test("a number that is no date is left for the dictionary to refuse", async () => {
    const layout = alone("birthday", 5, { usage: "packed", format: "YYYYMMDD" });
    expect((await readAll(fileOf(hex("000000007c")), layout, employees)).rows).toEqual([["0000-00-07"]]);
    expect((await readAll(fileOf(hex("119850630c")), layout, employees)).rows).toEqual([["119850630"]]);
  });
});

/** Customers whose ids are packed, with a trailer that counts in binary and adds up in packed decimals. */
function hostLayout(change: Partial<FixedLayout> = {}): FixedLayout {
  const { detail, ...layout } = customersLayout({ encoding: "cp037", lineEnd: "none" });
  const fields = detail.fields.map((field) =>
    field.name === "objectId" ? { name: "objectId", start: 2, length: 6, usage: "packed" as const, null: "0" } : field,
  );
  const trailer: FixedLayout["trailer"] = {
    type: "T",
    count: { start: 2, length: 4, usage: "binary" },
    totals: [{ of: "objectId", start: 11, length: 8, usage: "packed" }],
  };
  return { ...layout, detail: { type: "D", fields }, trailer, ...change };
}

describe("a file with packed ids and a trailer of numbers", () => {
  const layout = hostLayout();
  const whole = () => recordsOf(layout).map((record) => new Uint8Array(record));

  test("is read, with its count and its total", async () => {
    const records = whole();
    expect(Buffer.from(records[1] as Uint8Array).toString("hex", 1, 7)).toBe("00000100482c");
    expect(Buffer.from(records[4] as Uint8Array).toString("hex", 1, 5)).toBe("00000003");
    expect(Buffer.from(records[4] as Uint8Array).toString("hex", 10, 18)).toBe("000009000100490c");
    const { rows, refused, malformed } = await readAll(fileOf(...records), layout);
    expect([rows.map(([id]) => id), refused, malformed]).toEqual([["100482", "7", "9000000001"], undefined, []]);
  });

  test.each([
    ["a count that is not its own", 5, 1, "00000004", "It says 4 detail records; the file has 3."],
    [
      "a total that is not its own",
      5,
      10,
      "000009000100491c",
      "It says 000009000100491 as the total of objectId; the records add up to 9000100490.",
    ],
    ["a total that is no number", 5, 10, "4040404040404040", "its total of objectId is “X'4040404040404040'”, which is not a number."],
    [
      "an id that is no number",
      3,
      1,
      "000000a00007",
      "The total of Object ID cannot be made. Record 3 (byte offset 128) has “X'000000A00007'” there, which is not a number, so that the file cannot be checked for completeness.",
    ],
  ])("with %s is refused", async (_what, record, at, bytes, refused) => {
    const records = whole();
    records[record - 1]?.set(hex(bytes), at);
    expect((await readAll(fileOf(...records), layout)).refused).toContain(refused);
  });

  test("without a total: a bad id is a wrong row with its place, and the rejects have its very bytes", async () => {
    const counted = hostLayout({ trailer: { type: "T", count: { start: 2, length: 4, usage: "binary" } } });
    const records = recordsOf(counted).map((record) => new Uint8Array(record));
    records[2]?.set(hex("000000000049"), 1);
    const { malformed, rows, places, refused } = await readAll(fileOf(...records), counted);
    expect([rows.length, refused]).toEqual([3, undefined]);
    expect(malformed).toEqual([
      [
        2,
        "Record 3 (byte offset 128): Object ID (bytes 2–7) is X'000000000049', which is not a packed number: byte offset 134 should have a digit and a sign (A to F).",
      ],
    ]);
    const [, offset = 0, end = 0] = places[1] ?? [];
    const parts: Uint8Array[] = [];
    for await (const part of writeRejects(fileOf(...records), counted, customers, [{ offset, end }])) parts.push(part);
    expect(Buffer.from(parts[1] as Uint8Array)).toEqual(Buffer.from(records[2] as Uint8Array));
    expect((await readAll(fileOf(...parts), counted)).refused).toBeUndefined();
  });

  test("a sum that is longer than its place leaves its last digits, and one that fits a binary place is whole", async () => {
    const rows = Array.from({ length: 3 }, () => ({ objectId: "999999999", lastName: "A", accountID: "A" }));
    for (const [place, bytes] of [
      [{ length: 2, usage: "packed" }, "997c"],
      [{ length: 4, usage: "binary" }, "3b9ac9fd"], // 2,999,999,997 has no room in it: the last 9 digits
      [{ length: 8, usage: "binary" }, "00000000b2d05dfd"],
    ] as const) {
      const short = hostLayout({ trailer: { type: "T", totals: [{ of: "objectId", start: 2, ...place }] } });
      const records = recordsOf(short, rows);
      expect(Buffer.from(records.at(-1) as Uint8Array).toString("hex", 1, 1 + place.length)).toBe(bytes);
      expect((await readAll(fileOf(...records), short)).refused).toBeUndefined();
    }
  });
});

const STAFF: Omit<FixedLayout, "encoding"> = {
  kind: "fixed",
  collection: "employees",
  recordLength: 60,
  lineEnd: "none",
  detail: {
    fields: [
      { name: "id", start: 1, length: 8, usage: "binary" },
      { name: "name", start: 9, length: 20 },
      { name: "age", start: 29, length: 2, usage: "packed", null: ["0", " "] },
      { name: "birthday", start: 31, length: 5, usage: "packed", format: "YYYYMMDD", null: "0" },
      { name: "salary", start: 36, length: 6, usage: "packed", decimals: 2, null: "\u0000" },
      { name: "hiredatetime", start: 42, length: 8, usage: "binary", format: "YYYYMMDDhhmmss", zone: "Z", null: "0" },
      { name: "permanent", start: 50, length: 1, values: { Y: "true", N: "false" } },
      { name: "badge", start: 51, length: 4, usage: "binary", digits: 9, null: "-1" },
    ],
  },
};

test.each(LAYOUT_ENCODINGS)("random records are read as they were written, whatever is next to them (%s)", async (encoding) => {
  const layout = { ...STAFF, encoding };
  const day = fc.date({ min: new Date("1900-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  const digits = (n: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: n, maxLength: n }).map((all) => all.join(""));
  const row = fc.record({
    id: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map(String),
    name: fc.constantFrom(...["Lucía", "Zoë Ek", "O'Neill"].filter((name) => createCodec(encoding).encode(name))),
    age: fc.constantFrom("", "14", "120", "999", "-999"),
    birthday: fc.oneof(
      fc.constant(""),
      day.map((date) => date.toISOString().slice(0, 10)),
    ),
    salary: fc.oneof(
      fc.constant(""),
      fc.integer({ min: -1e9, max: 1e9 }).map((cents) => (cents / 100).toFixed(2)),
    ),
    hiredatetime: day.map((date) => `${date.toISOString().slice(0, 19)}Z`),
    permanent: fc.constantFrom("true", "false"),
    badge: fc.oneof(fc.constant(""), digits(9)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1 }), async (rows) => {
      const writer = new FixedWriter(layout, employees);
      const read = await readAll(fileOf(...rows.map((texts) => writer.detail(texts))), layout, employees);
      const names = layout.detail.fields.map(({ name }) => name as keyof (typeof rows)[number]);
      const plain = (text: string) => (text === "-0.00" ? "0.00" : text);
      expect(read).toMatchObject({ rows: rows.map((texts) => names.map((name) => plain(texts[name]))), malformed: [], refused: undefined });
    }),
    { numRuns: 50 },
  );
});

test("a sample is made of such a layout and loads", async () => {
  const layout: FixedLayout = { ...STAFF, encoding: "cp500", detail: { fields: STAFF.detail.fields.slice(0, -1) } };
  expect(readLayout(JSON.stringify(layout), [employees])).toEqual({ layout, collection: employees });
  const { openRows } = await openLayout(fileOf(makeSample(layout, employees)), layout, employees);
  for await (const { rows, malformed } of openRows()) {
    expect([...malformed]).toEqual([]);
    expect(rows[0]).toEqual(["1001", "Name 1", "41", "1985-06-30", "4150.50", "2026-01-31T08:30:00Z", "true"]);
  }
});
