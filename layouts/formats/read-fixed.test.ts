import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KIND_TRAITS, type Kind } from "../../core/dictionary/kinds.ts";
import { createCodec } from "../layouts/character-sets.ts";
import type { FixedLayout, LayoutField } from "../layouts/layout.ts";
import {
  customers,
  customersLayout,
  ENCODINGS_AND_LINE_ENDS,
  employees,
  type FieldTexts,
  fileOf,
  readAll,
  recordsOf,
  THREE_CUSTOMERS,
} from "../testing/layouts.ts";
import { openFixed } from "./read-fixed.ts";
import { FixedWriter, NoRoom } from "./write-fixed.ts";

const LATIN = Array.from({ length: 0xff - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).filter((letter) => !/\p{Cc}/u.test(letter));
const NAMES = ["objectId", "firstName", "lastName", "accountID"];

describe.each(ENCODINGS_AND_LINE_ENDS)("%s with line end %s", (encoding, lineEnd) => {
  const layout = customersLayout({ encoding, lineEnd });
  const length = recordsOf(layout)[0]?.length as number;

  test("what is written comes back, each row with its record and its bytes", async () => {
    const records = recordsOf(layout);
    const { rows, places, malformed, refused } = await readAll(fileOf(...records), layout);
    expect({ refused, malformed }).toEqual({ refused: undefined, malformed: [] });
    expect(rows).toEqual(THREE_CUSTOMERS.map((texts) => NAMES.map((name) => texts[name])));
    expect(places).toEqual([2, 3, 4].map((number) => [number, (number - 1) * length, number * length]));
    const bytes = new Uint8Array(await fileOf(...records).arrayBuffer());
    const [, offset = 0, end = 0] = places[1] ?? [];
    expect(bytes.slice(offset, end)).toEqual(new Uint8Array(records[2] as Uint8Array));
  });

  test("random records come back", async () => {
    const codec = createCodec(encoding);
    // Only letters that the encoding has.
    const unit = encoding === "utf-8" ? ("grapheme" as const) : fc.constantFrom(...LATIN);
    const text = fc.string({ unit, maxLength: 10 }).map((given) => given.normalize("NFC").trim());
    const fits = text.filter((given) => !/\p{Cc}/u.test(given) && (codec.encode(given)?.length ?? 99) <= 10);
    const row = fc.record({
      objectId: fc.integer({ min: 1, max: 9_999_999_999 }).map(String),
      firstName: fits,
      lastName: fits,
      accountID: fits,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row), async (rows) => {
        const { rows: read, malformed, refused } = await readAll(fileOf(...recordsOf(layout, rows)), layout);
        expect({ read, malformed, refused }).toEqual({
          read: rows.map((texts: FieldTexts) => NAMES.map((name) => texts[name])),
          malformed: [],
          refused: undefined,
        });
      }),
      { numRuns: 30 },
    );
  });

  test("a large file is read in blocks, and no record is lost where they meet", async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => ({ objectId: String(i + 1), lastName: `Ångström ${i}`, accountID: "A" }));
    const { rows: read, places, refused } = await readAll(fileOf(...recordsOf(layout, rows)), layout);
    expect([read.length, refused]).toEqual([5_000, undefined]);
    expect(read.every(([id, , name], i) => id === String(i + 1) && name === `Ångström ${i}`)).toBe(true);
    expect(places.every(([number, offset, end]) => offset === (number - 1) * length && end === offset + length)).toBe(true);
  });

  test("the header is read", async () => {
    const header = await openFixed(fileOf(...recordsOf(layout)), layout, customers).readHeader();
    expect(header).toEqual({ sender: "HOST1", fileId: "CUST", sequence: "42", offset: 0, end: length });
  });
});

test("a second pass gives the same rows under the same numbers", async () => {
  const layout = customersLayout();
  const { openRows } = openFixed(fileOf(...recordsOf(layout)), layout, customers);
  const pass = async () => {
    const blocks = [];
    for await (const { rows, first, lines } of openRows()) blocks.push({ rows, first, lines });
    return blocks;
  };
  expect(await pass()).toEqual(await pass());
});

test("a UTF-8 byte order mark is no part of the first record", async () => {
  const layout = customersLayout();
  const { rows, places, refused } = await readAll(fileOf(Uint8Array.of(0xef, 0xbb, 0xbf), ...recordsOf(layout)), layout);
  expect([rows.length, places[0], refused]).toEqual([3, [2, 68, 133], undefined]);
});

test("the last record may lack its line end", async () => {
  const layout = customersLayout();
  const records = recordsOf(layout);
  const { rows, refused } = await readAll(fileOf(...records.slice(0, -1), (records.at(-1) as Uint8Array).slice(0, -1)), layout);
  expect([rows.length, refused]).toEqual([3, undefined]);
});

test("records may end early where the layout says so", async () => {
  const layout = customersLayout({ trimmed: true });
  const trimmed = recordsOf(layout).map((record) => Buffer.from(`${Buffer.from(record).toString().trimEnd()}\n`));
  expect(trimmed[1]?.length).toBeLessThan(65);
  const { rows, malformed, refused } = await readAll(fileOf(...trimmed), layout);
  expect({ rows, malformed, refused }).toEqual({
    rows: THREE_CUSTOMERS.map((texts) => NAMES.map((name) => texts[name])),
    malformed: [],
    refused: undefined,
  });
});

test("records of ignored types are passed over, and counted with all", async () => {
  const counted = { type: "T", count: { start: 2, length: 9, of: "all" as const } };
  const layout = customersLayout({ ignoredTypes: ["*"], trailer: counted });
  const [header = new Uint8Array(), ...rest] = recordsOf(layout);
  const comment = Buffer.from(`*${" ".repeat(63)}\n`);
  const file = (n: number) => fileOf(header, comment, ...rest.slice(0, -1), Buffer.from(`T00000000${n}${" ".repeat(54)}\n`));
  expect((await readAll(file(6), layout)).refused).toBeUndefined();
  expect((await readAll(file(5), layout)).refused).toContain("It says 000000005 records, header and trailer counted; the file has 6.");
});

test("the action of each row is read, and an unknown one is a wrong row", async () => {
  const layout = customersLayout({ action: { start: 62, length: 1, add: ["A", "N"], change: "C", delete: "D" } });
  const records = recordsOf(layout, THREE_CUSTOMERS, ["add", "change", "delete"]);
  expect((await readAll(fileOf(...records), layout)).actions).toEqual(["add", "change", "delete"]);
  records[2]?.set(Buffer.from("X"), 61);
  const { malformed, actions } = await readAll(fileOf(...records), layout);
  expect(malformed).toEqual([
    [2, "Record 3 (byte offset 130): the action “X” is none of “A” (add), “N” (add), “C” (change), “D” (delete)."],
  ]);
  expect(actions).toEqual(["add", undefined, "delete"]);
});

test("sums are exact at any size, and a trailer has the last digits of a sum that is too long", async () => {
  const rows = Array.from({ length: 40 }, () => ({ objectId: "9007199254740991", lastName: "A", accountID: "A" }));
  const fields = [
    { name: "objectId", start: 2, length: 16 },
    { name: "lastName", start: 18, length: 9 },
    { name: "accountID", start: 27, length: 9 },
  ];
  for (const [length, total] of [
    [20, "00360287970189639640"],
    [6, "639640"],
  ] as const) {
    const layout = customersLayout({
      detail: { type: "D", fields },
      trailer: { type: "T", totals: [{ of: "objectId", start: 2, length }] },
    });
    const records = recordsOf(layout, rows);
    expect(Buffer.from(records.at(-1) as Uint8Array).toString()).toBe(`T${total.padEnd(63)}\n`);
    expect((await readAll(fileOf(...records), layout)).refused).toBeUndefined();
  }
});

describe("fields as older systems write them", () => {
  type Case = [what: string, name: string, keys: Omit<LayoutField, "name">, inFile: string, read: string, again?: string];
  const cases: Case[] = [
    ["a number with zeros in front", "age", {}, "0041", "41"],
    ["a number of nothing but zeros", "age", {}, "0000", "0"],
    ["no number", "age", {}, "    ", ""],
    ["a marker for no number", "age", { null: "0000" }, "0000", ""],
    ["one of several markers", "age", { null: ["9999", "0000"] }, "9999", ""],
    ["a number filled with blanks", "age", { pad: " " }, "  41", "41"],
    ["a number filled with stars", "age", { pad: "*" }, "**41", "41"],
    ["a number on the left", "age", { pad: " ", justify: "left" }, "41  ", "41"],
    ["a minus in front", "age", {}, "-041", "-41"],
    ["a minus behind", "age", {}, "041-", "-41", "-041"],
    ["a plus", "age", {}, "+041", "41", "0041"],
    ["a positive overpunched digit", "age", { sign: "overpunch" }, "004A", "41"],
    ["a negative overpunched digit", "age", { sign: "overpunch" }, "004J", "-41"],
    ["an overpunched zero", "age", { sign: "overpunch" }, "004}", "-40"],
    ["implied decimals", "salary", { decimals: 2 }, "000415050", "4150.50"],
    ["fewer digits than decimals", "salary", { decimals: 2 }, "000000005", "0.05"],
    ["negative implied decimals", "salary", { decimals: 2 }, "-00415050", "-4150.50"],
    ["overpunched implied decimals", "salary", { decimals: 2, sign: "overpunch" }, "00041505}", "-4150.50"],
    ["a point that is written", "salary", { decimals: 2 }, "0004150.5", "4150.5", "000415050"],
    ["a date", "birthday", { format: "YYYYMMDD" }, "19850630", "1985-06-30"],
    ["a date the other way round", "birthday", { format: "DD.MM.YYYY" }, "30.06.1985", "1985-06-30"],
    ["a day of the year", "birthday", { format: "YYYYDDD" }, "1985181", "1985-06-30"],
    ["the last day of a leap year", "birthday", { format: "YYYYDDD" }, "2024366", "2024-12-31"],
    ["no date", "birthday", { format: "YYYYMMDD", null: "00000000" }, "00000000", ""],
    ["a time in UTC", "hiredatetime", { format: "YYYYMMDDhhmmss", zone: "Z" }, "20260131083000", "2026-01-31T08:30:00Z"],
    ["a time elsewhere", "hiredatetime", { format: "YYYY-MM-DD hh:mm", zone: "+01:00" }, "2026-01-31 09:30", "2026-01-31T09:30:00+01:00"],
    ["a code for yes", "permanent", { values: { J: "true", N: "false" } }, "J", "true"],
    ["a code for no", "permanent", { values: { J: "true", N: "false" } }, "N", "false"],
    ["a code of several letters", "location", { values: { UTR: "Utrecht" } }, "UTR", "Utrecht"],
    ["a text filled with stars", "name", { pad: "*" }, "Lucía*****", "Lucía"],
    ["a text on the right", "name", { justify: "right" }, "     Lucía", "Lucía"],
    ["a text with zeros that count", "badge", {}, "0042   ", "0042"],
  ];
  test.each(cases)("%s", async (_what, name, fieldFormat, inFile, read, again = inFile) => {
    const length = Buffer.from(inFile, "latin1").length;
    const field = { name, start: 1, length, ...fieldFormat };
    const layout: FixedLayout = {
      kind: "fixed",
      collection: "employees",
      encoding: "iso-8859-1",
      recordLength: length,
      lineEnd: "none",
      detail: { fields: [field] },
    };
    expect((await readAll(fileOf(Buffer.from(inFile, "latin1")), layout, employees)).rows).toEqual([[read]]);
    const written = new FixedWriter(layout, employees).detail({ [name]: read });
    expect(Buffer.from(written).toString("latin1")).toBe(read === "" && fieldFormat.null === undefined ? inFile.replace(/0/g, " ") : again);
  });

  test.each([
    ["a date of another form", "birthday", { format: "YYYYMMDD" }, "1985/6/3"],
    ["day 366 of a year that has none", "birthday", { format: "YYYYDDD" }, "2023366"],
    ["letters in a number", "age", {}, "04l"],
    ["two signs", "age", {}, "-4-"],
    ["a code without a meaning", "permanent", { values: { J: "true", N: "false" } }, "X"],
  ] as const)("%s is left as it stands, for the dictionary to refuse", async (_what, name, fieldFormat, inFile) => {
    const fields = [{ name, start: 1, length: inFile.length, ...fieldFormat }];
    const layout: FixedLayout = {
      kind: "fixed",
      collection: "employees",
      recordLength: inFile.length,
      lineEnd: "none",
      detail: { fields },
    };
    const { rows } = await readAll(fileOf(Buffer.from(inFile)), layout, employees);
    expect(rows).toEqual([[inFile]]);
    expect(KIND_TRAITS[employees.byName.get(name)?.kind as Kind].fromText(inFile)).toBeUndefined();
  });

  test("a constant is in every row", async () => {
    const fields = [
      { name: "lastName", start: 1, length: 5 },
      { name: "accountID", constant: "00071-A" },
    ];
    const layout: FixedLayout = { kind: "fixed", collection: "customers", recordLength: 5, lineEnd: "none", detail: { fields } };
    expect((await readAll(fileOf(Buffer.from("Smitzde Vr")), layout)).rows).toEqual([
      ["Smitz", "00071-A"],
      ["de Vr", "00071-A"],
    ]);
  });

  test.each<[what: string, texts: Record<string, string>, message: string, layout?: Partial<FixedLayout>]>([
    [
      "too long",
      { lastName: "Wolfeschlegelsteinhausenberger" },
      "Last name “Wolfeschlegelsteinhausenberger” has 30 bytes; there is room for 20.",
    ],
    ["too long in bytes", { lastName: "Ångströmångströmång" }, "Last name “Ångströmångströmång” has 24 bytes; there is room for 20."],
    ["beginning with a blank", { lastName: " Smith" }, "Last name “ Smith” cannot be written as the layout says."],
    ["no number", { objectId: "12A" }, "Object ID “12A” cannot be written as the layout says."],
    [
      "a letter of another encoding",
      { lastName: "Łukasz" },
      "Last name “Łukasz” has a character that the encoding does not have.",
      { encoding: "cp037" },
    ],
  ])("a value that is %s is not written", (_what, texts, message, change = {}) => {
    expect(() => new FixedWriter(customersLayout(change), customers).detail(texts)).toThrow(new NoRoom(message));
  });

  test("a number without room in bytes, or without a value where none has a code, is not written", () => {
    const fields: LayoutField[] = [{ name: "objectId", start: 1, length: 2, usage: "packed" }];
    const layout: FixedLayout = { kind: "fixed", collection: "customers", recordLength: 2, lineEnd: "none", detail: { fields } };
    const write = (objectId: string) => () => new FixedWriter(layout, customers).detail({ objectId });
    expect(write("12345")).toThrow(new NoRoom("Object ID “12345” cannot be a packed number of 2 bytes."));
    expect(write("")).toThrow(new NoRoom('Object ID has no value, and the layout has no "null" for it.'));
  });
});
