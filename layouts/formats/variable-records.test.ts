// Records of variable length: of GnuCOBOL and of z/OS, with tables that are not full, and lines that were trimmed.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeRejects } from "../../batch/reports/fixed-rejects.ts";
import { amounts } from "../../batch/testing/amounts.ts";
import type { FixedLayout, LayoutField, RecordFormat } from "../layouts/layout.ts";
import { RECORD_FORMATS } from "../layouts/layout.ts";
import { readLayout } from "../layouts/validate/parse-layout.ts";
import { cobolFile } from "../testing/gnucobol.ts";
import { customers, customersLayout, fileOf, readAll, recordsOf } from "../testing/layouts.ts";
import { FixedWriter } from "./write-fixed.ts";

const CUSTOMERS: FixedLayout = {
  kind: "fixed",
  collection: "customers",
  recordLength: 45,
  lineEnd: "none",
  recordFormat: "gnucobol-0",
  recordType: { start: 1, length: 1 },
  header: { type: "H", sender: { start: 2, length: 8, constant: "CRMHOST" }, sequence: { start: 10, length: 6 } },
  detail: {
    type: "D",
    fields: [
      { name: "objectId", start: 2, length: 5, usage: "packed" },
      { name: "firstName", start: 7, length: 12 },
      { name: "lastName", start: 19, length: 17 },
      { name: "accountID", start: 36, length: 10 },
    ],
  },
  trailer: {
    type: "T",
    count: { start: 2, length: 4 },
    totals: [{ of: "objectId", start: 6, length: 4, usage: "binary" }],
  },
};

const ROWS = [
  ["100482", "Martha", "O'Neill", "00071-A"],
  ["100490", "", "Smith", "A"],
  ["7", "Ann", "Lee", "ZZ"],
];

/** The file of GnuCOBOL with other prefixes. */
function rewritten(format: RecordFormat): Uint8Array[] {
  const bytes = Buffer.from(cobolFile("variable-0.dat"));
  const records: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt16BE(at))
    records.push(bytes.subarray(at + 4, at + 4 + bytes.readUInt16BE(at)));
  const rdw = (length: number) => Buffer.from([(length + 4) >> 8, (length + 4) & 255, 0, 0]);
  if (format === "rdw-little-endian") return records.map((record) => Buffer.concat([Buffer.from([record.length + 4, 0, 0, 0]), record]));
  if (format === "sdw") return records.flatMap(segments);
  if (format === "bdw+sdw") {
    const all = records.flatMap(segments); // three in a block, so that records go on in the next one
    return all.flatMap((_, i) => (i % 3 === 0 ? [rdw(Buffer.concat(all.slice(i, i + 3)).length), ...all.slice(i, i + 3)] : []));
  }
  const withRdw = records.map((record) => Buffer.concat([rdw(record.length), record]));
  if (format === "rdw") return withRdw;
  const blocks = [withRdw.slice(0, 3), withRdw.slice(3)].map((block) => Buffer.concat(block));
  return blocks.flatMap((block) => [rdw(block.length), block]);
}

/** By z/OS: the third byte is 0 for a whole record, 1 for its first segment, 3 for the ones between and 2 for its last. */
function segments(record: Uint8Array): Buffer[] {
  const pieces = Array.from({ length: Math.ceil(record.length / 11) }, (_, i) => record.subarray(i * 11, (i + 1) * 11));
  const code = (i: number) => (pieces.length === 1 ? 0 : i === 0 ? 1 : i === pieces.length - 1 ? 2 : 3);
  return pieces.map((piece, i) => Buffer.concat([Buffer.from([0, piece.length + 4, code(i), 0]), piece]));
}

describe("each form in which records of variable length are written", () => {
  test.each([0, 1, 2, 3] as const)("GnuCOBOL with COB_VARSEQ_FORMAT=%i", async (n) => {
    const layout: FixedLayout = { ...CUSTOMERS, recordFormat: `gnucobol-${n}` };
    expect(readLayout(JSON.stringify(layout), [customers])).toEqual({ layout, collection: customers });
    expect(await readAll(fileOf(cobolFile(`variable-${n}.dat`)), layout)).toMatchObject({ rows: ROWS, malformed: [], refused: undefined });
  });

  test.each(["rdw", "bdw+rdw", "sdw", "bdw+sdw", "rdw-little-endian"] as const)("z/OS with %s", async (recordFormat) => {
    const layout = { ...CUSTOMERS, recordFormat };
    expect(readLayout(JSON.stringify(layout), [customers])).toEqual({ layout, collection: customers });
    expect(await readAll(fileOf(...rewritten(recordFormat)), { ...CUSTOMERS, recordFormat })).toMatchObject({
      rows: ROWS,
      refused: undefined,
    });
  });

  test("a block of 31 bits", async () => {
    const [bdw, block, ...others] = rewritten("bdw+rdw");
    const large = Buffer.from([0x80, 0, bdw?.[0] ?? 0, bdw?.[1] ?? 0]);
    expect((await readAll(fileOf(large, block as Uint8Array, ...others), { ...CUSTOMERS, recordFormat: "bdw+rdw" })).rows).toEqual(ROWS);
  });
});

test("a layout with another form refuses the file as a whole and says which one it may be", async () => {
  const fileFor = (format: RecordFormat) =>
    format.startsWith("gnucobol") ? fileOf(cobolFile(`variable-${Number(format.at(-1)) as 0}.dat`)) : fileOf(...rewritten(format));
  for (const written of RECORD_FORMATS) {
    for (const recordFormat of RECORD_FORMATS.filter((format) => format !== written)) {
      if (recordFormat === written.replace("rdw", "sdw")) continue; // each record is one segment
      const { rows, refused } = await readAll(fileFor(written), { ...CUSTOMERS, recordFormat });
      expect([written, recordFormat, rows]).toEqual([written, recordFormat, []]);
      expect(refused).toBeDefined();
    }
  }
  const wrong = await readAll(fileFor("gnucobol-2"), { ...CUSTOMERS, recordFormat: "gnucobol-1" });
  expect(wrong.refused).toBe(
    "This file has no records of variable length as the layout says. Record 1 (byte offset 0) begins with X'0F000000', which means 251658240 bytes; a record has at most 45. The file may be \"gnucobol-2\". Correct the layout's recordFormat or recordLength.",
  );
});

test.each([
  [
    "a prefix that is none",
    "rdw" as const,
    Buffer.from([0, 9, 7, 7, 65, 65, 65, 65, 65]),
    "Record 1 (byte offset 0) begins with X'00090707', which is no prefix of rdw. The file may be \"gnucobol-3\".",
  ],
  [
    "a record longer than its block",
    "bdw+rdw" as const,
    Buffer.from([0, 12, 0, 0, 0, 30, 0, 0, 65, 65, 65, 65]),
    'Record 1 (byte offset 4) begins with X\'001E0000\', which means 26 bytes; a record has at most 45, within its block. The file may be "rdw" or "gnucobol-0" or "gnucobol-3".',
  ],
])("%s is named with its bytes and place", async (_what, recordFormat, bytes, says) => {
  expect((await readAll(fileOf(bytes), { ...CUSTOMERS, recordFormat })).refused).toBe(
    `This file has no records of variable length as the layout says. ${says} Correct the layout's recordFormat or recordLength.`,
  );
});

test("a file whose last record is not whole is cut, and how much of it is there is said", async () => {
  const { header: _, trailer: __, ...plain } = CUSTOMERS;
  const refusedAfter = async (bytes: number) => {
    const record = Buffer.concat([Buffer.from([0, 44, 0, 0]), Buffer.alloc(bytes, "D")]);
    return (await readAll(fileOf(record), { ...plain, recordFormat: "rdw" })).refused;
  };
  const cut = "This file is cut. Record 1 (byte offset 0) is its last, and it ends after";
  expect(await refusedAfter(5)).toBe(`${cut} 9 bytes of it. Ask the sender for the whole file.`);
});

test("a file that is cut anywhere is refused", async () => {
  for (const format of ["gnucobol-3", "bdw+rdw", "sdw", "bdw+sdw", "rdw-little-endian"] as const) {
    const whole = Buffer.concat(format !== "gnucobol-3" ? rewritten(format) : [cobolFile("variable-3.dat")]);
    for (let size = 1; size < whole.length; size++) {
      expect((await readAll(fileOf(whole.subarray(0, size)), { ...CUSTOMERS, recordFormat: format })).refused).toBeDefined();
    }
  }
});

test("a file that ends between two records of a block is cut, also without a trailer", async () => {
  const { trailer: _, ...untotalled } = CUSTOMERS;
  const [bdw, block] = rewritten("bdw+rdw").map((bytes) => Buffer.from(bytes));
  const first = block?.readUInt16BE(0) ?? 0;
  const { refused } = await readAll(fileOf(bdw as Buffer, (block as Buffer).subarray(0, first)), {
    ...untotalled,
    recordFormat: "bdw+rdw",
  });
  expect(refused).toBe(
    `This file is cut. It ends before record 2 (byte offset ${4 + first}), within a block that has ${(block?.length ?? 0) - first} bytes more. Ask the sender for the whole file.`,
  );
});

test("a record that is shorter than it may be, or that ends within a number, is a reject; one that ends within a text is not", async () => {
  const layout = customersLayout({ lineEnd: "none", recordFormat: "gnucobol-3" });
  const { header: _, trailer: __, recordType: ___, ...plain } = layout;
  const short = (bytes: number) => {
    const record = new FixedWriter({ ...plain, detail: { fields: layout.detail.fields } }, customers).detail({
      objectId: "7",
      lastName: "Lee",
      accountID: "A1",
    });
    return Buffer.concat([Buffer.from([0, bytes]), record.subarray(2, 2 + bytes)]);
  };
  const fields = layout.detail.fields;
  const read = async (bytes: number, minLength?: number) => {
    const least = minLength === undefined ? {} : { minLength };
    const { rows, malformed } = await readAll(fileOf(short(bytes)), { ...plain, detail: { ...least, fields } });
    return [rows[0]?.at(-1), malformed[0]?.[1]];
  };
  expect(await read(53)).toEqual(["A1", undefined]);
  expect(await read(52)).toEqual(["A", undefined]);
  expect(await read(51)).toEqual(["", undefined]);
  expect(await read(52, 53)).toEqual(["A", "Record 1 (byte offset 0) has 52 bytes; such a record has at least 53."]);
  expect((await read(6))[1]).toBe("Record 1 (byte offset 0): Object ID (bytes 2–11) is cut: the record ends after byte 6.");
});

const LINES: FixedLayout = {
  kind: "fixed",
  collection: "amounts",
  recordLength: 34,
  lineEnd: "lf",
  trimmed: true,
  detail: {
    fields: [
      { name: "id", start: 1, length: 6 },
      { name: "day", start: 7, length: 8, format: "YYYYMMDD" },
      { name: "trail", start: 15, length: 8, sign: "trailing", decimals: 2 },
      { name: "text", start: 23, length: 12 },
    ],
  },
};

test("lines that GnuCOBOL trimmed are read, and a line that lost a byte of its last number or date is a reject", async () => {
  expect(readLayout(JSON.stringify(LINES), [amounts])).toEqual({ layout: LINES, collection: amounts });
  const lines = Buffer.from(cobolFile("lines.dat")).toString("latin1").split("\n");
  expect((await readAll(fileOf(cobolFile("lines.dat")), LINES, amounts)).rows).toEqual([
    ["1", "2026-01-31", "-4150.19", "00071-A"],
    ["2", "1999-12-31", "0.05", ""],
  ]);
  const cut = async (bytes: number) =>
    (await readAll(fileOf(Buffer.from(`${lines[1]?.slice(0, bytes)}\n`)), LINES, amounts)).malformed[0]?.[1];
  expect(await cut(21)).toBe("Record 1 (byte offset 0): trail (bytes 15–22) is cut: the record ends after byte 21.");
  expect(await cut(13)).toBe("Record 1 (byte offset 0): day (bytes 7–14) is cut: the record ends after byte 13.");
  expect(await cut(14)).toBeUndefined();
});

const PHONES: LayoutField[] = [1, 2, 3].flatMap((n, i) => [
  { name: ["text", "thousands", "fraction"][i] as string, start: 9 + 8 * (n - 1), length: 6 },
  { name: ["over", "trail", "lead"][i] as string, start: 15 + 8 * (n - 1), length: 2, usage: "packed" as const },
]);

const DEPENDING: FixedLayout = {
  kind: "fixed",
  collection: "amounts",
  recordLength: 51,
  lineEnd: "none",
  recordFormat: "gnucobol-0",
  detail: {
    fields: [{ name: "id", start: 1, length: 6 }, ...PHONES, { name: "name", start: 33, length: 19 }],
    occurs: [{ start: 9, length: 8, max: 3, dependingOn: { start: 7, length: 2, usage: "packed" } }],
  },
};

describe("OCCURS DEPENDING ON", () => {
  const inPlace = (layout: FixedLayout): FixedLayout => ({
    ...layout,
    detail: { ...layout.detail, occurs: (layout.detail.occurs ?? []).map((table) => ({ ...table, slides: false })) },
  });

  test.each([
    ["depending-slides.dat", DEPENDING],
    ["depending-in-place.dat", inPlace(DEPENDING)],
  ] as const)("%s: items that are not there have no value, and the field behind the table is found", async (name, layout) => {
    expect(readLayout(JSON.stringify(layout), [amounts])).toEqual({ layout, collection: amounts });
    expect(await readAll(fileOf(cobolFile(name)), layout, amounts)).toMatchObject({
      rows: [
        ["1", "111111", "41", "222222", "-5", "", "", "Smith"],
        ["2", "", "", "", "", "", "", "O'Neill"],
        ["3", "333331", "1", "333332", "1", "333333", "1", "Lee"],
      ],
      malformed: [],
    });
  });

  test("a number of items that cannot be makes the record a reject", async () => {
    const record = (items: string, rest: string) => {
      const bytes = Buffer.from(`000001${"\0".repeat(2)}${rest}`, "latin1");
      bytes.write(items, 6, "hex");
      return fileOf(Buffer.from([0, bytes.length, 0, 0]), bytes);
    };
    const why = async (items: string, rest: string) => (await readAll(record(items, rest), DEPENDING, amounts)).malformed[0]?.[1];
    expect(await why("004c", "Smith".padEnd(19))).toBe(
      "Record 1 (byte offset 0): the number of items (bytes 7–8) is 4; the table has at most 3.",
    );
    expect(await why("004d", "Smith".padEnd(19))).toBe(
      "Record 1 (byte offset 0): the number of items (bytes 7–8) is “-004”, which is not a number.",
    );
    expect(await why("002c", "Smith")).toBe("Record 1 (byte offset 0) ends after byte 13, within the 2 items that it says it has.");
    expect(await why("000c", "Smith".padEnd(20))).toBe("Record 1 (byte offset 0) has 1 byte more than the 0 items that it says it has.");
  });

  test.each([
    [{ start: 30 }, "/detail/occurs/0: ends at byte 53 when it is full, but a record has 51"],
    [{ dependingOn: { start: 9, length: 2 } }, "/detail/occurs/0/dependingOn: must stand before the table"],
    [{ length: 4 }, "/detail/fields/1: text is not within one item of the table from byte 9 on: an item has 4 bytes"],
  ])("a table with %j is a mistake", (change, expected) => {
    const occurs = [{ ...DEPENDING.detail.occurs?.[0], ...change }];
    const read = readLayout(JSON.stringify({ ...DEPENDING, detail: { ...DEPENDING.detail, occurs } }), [amounts]);
    expect("mistakes" in read && read.mistakes.map(({ path, message }) => `${path}: ${message}`)).toContain(expected);
  });
});

describe("what a writer writes is read again", () => {
  const formats = fc.constantFrom(...RECORD_FORMATS);

  test("records with header and trailer, in every form, and so are the rejects of such a file", async () => {
    const rows = fc.array(
      fc.record({
        objectId: fc.integer({ min: 1, max: 999_999 }).map(String),
        firstName: fc.constantFrom("", "Ann"),
        lastName: fc.constantFrom("Lee", "O'Neill"),
        accountID: fc.constantFrom("A", "00071-A"),
      }),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(rows, formats, async (texts, recordFormat) => {
        const layout = customersLayout({ lineEnd: "none", recordFormat });
        const file = fileOf(...recordsOf(layout, texts));
        const read = await readAll(file, layout);
        expect(read).toMatchObject({ rows: texts.map((row) => Object.values(row)), malformed: [], refused: undefined });
        const places = read.places.filter((_, i) => i % 2 === 0).map(([, offset, end]) => ({ offset, end }));
        const parts: Uint8Array[] = [];
        for await (const part of writeRejects(file, layout, customers, places)) parts.push(part);
        const again = await readAll(fileOf(...parts), layout);
        expect(again).toMatchObject({ rows: read.rows.filter((_, i) => i % 2 === 0), malformed: [], refused: undefined });
      }),
      { numRuns: 60 },
    );
  });

  test("tables with any number of items", async () => {
    const item = fc.tuple(fc.integer({ min: 100_000, max: 999_999 }).map(String), fc.integer({ min: 1, max: 999 }).map(String));
    const row = fc.tuple(
      fc.integer({ min: 1, max: 999_999 }).map(String),
      fc.array(item, { maxLength: 3 }),
      fc.constantFrom("Lee", "Smith"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 9 }), formats, fc.boolean(), async (rows, recordFormat, slides) => {
        const occurs = (DEPENDING.detail.occurs ?? []).map((table) => ({ ...table, slides }));
        const layout: FixedLayout = { ...DEPENDING, recordFormat, detail: { ...DEPENDING.detail, occurs } };
        const names = layout.detail.fields.map(({ name }) => name);
        const cells = rows.map(([id, items, name]) => [id, ...items.flat(), ...Array(6 - 2 * items.length).fill(""), name]);
        const writer = new FixedWriter(layout, amounts);
        const records = cells.map((texts) => writer.detail(Object.fromEntries(texts.map((text, i) => [names[i], text]))));
        const { rows: read, malformed } = await readAll(fileOf(...records), layout, amounts);
        expect([malformed, read.map((texts) => texts.map((text) => text.replace(/^0+/, "")))]).toEqual([[], cells]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("records in several segments", () => {
  const UNTYPED: FixedLayout = {
    kind: "fixed",
    collection: "customers",
    recordLength: 45,
    lineEnd: "none",
    recordFormat: "sdw",
    detail: CUSTOMERS.detail,
  };
  const piece = (code: number, text: string | Uint8Array) => {
    const bytes = Buffer.from(text as string);
    return Buffer.concat([Buffer.from([0, bytes.length + 4, code, 0]), bytes]);
  };

  test.each([
    ["a last one without a first", [piece(2, "D")], "Record 1 (byte offset 0): X'00050200' is the last segment, where a record begins."],
    [
      "a middle one without a first",
      [piece(0, "D"), piece(3, "D")],
      "Record 2 (byte offset 5): X'00050300' is a middle segment, where a record begins.",
    ],
    [
      "a first one behind a first",
      [piece(1, "D"), piece(1, "D")],
      "Record 1 (byte offset 5): X'00050100' is the first segment, where the record that was begun goes on.",
    ],
    [
      "a whole record behind a middle one",
      [piece(1, "D"), piece(3, "D"), piece(0, "D")],
      "Record 1 (byte offset 10): X'00050000' is a whole record, where the record that was begun goes on.",
    ],
  ])("%s", async (_, pieces, says) => {
    expect((await readAll(fileOf(...pieces), UNTYPED)).refused).toBe(
      `This file has a segment that belongs to no record. ${says} A part of the file is missing: ask the sender for the whole file.`,
    );
  });

  test("one that never ends, one that is too long, and bytes that are none", async () => {
    const refusedOf = async (...pieces: Buffer[]) => (await readAll(fileOf(...pieces), UNTYPED)).refused;
    expect(await refusedOf(piece(1, "D"), piece(3, "D"))).toContain("This file is cut. Record 1 (byte offset 0) is its last");
    expect(await refusedOf(piece(1, "D".repeat(30)), piece(2, "D".repeat(16)))).toContain(
      "Record 1 (byte offset 34) begins with X'00140200', which means 46 bytes; a record has at most 45.",
    );
    expect(await refusedOf(Buffer.from([0, 5, 4, 0, 65]))).toContain("begins with X'00050400', which is no prefix of sdw");
    expect((await readAll(fileOf(...rewritten("sdw")), { ...CUSTOMERS, recordFormat: "rdw" })).refused).toContain('The file may be "sdw".');
  });

  test("a lost segment is refused, whichever it is", async () => {
    const all = rewritten("sdw");
    const detail = { ...CUSTOMERS.detail, minLength: 36 }; // without it a middle one may be missing in a long text
    for (let i = 0; i < all.length; i++) {
      const { refused, malformed } = await readAll(fileOf(...all.slice(0, i), ...all.slice(i + 1)), {
        ...CUSTOMERS,
        detail,
        recordFormat: "sdw",
      });
      expect([i, refused === undefined && malformed.length === 0]).toEqual([i, false]);
    }
  });

  test("a lost byte is refused, wherever it is", async () => {
    for (const format of ["sdw", "bdw+sdw"] as const) {
      const whole = Buffer.concat(rewritten(format));
      for (let at = 0; at < whole.length; at++) {
        const without = fileOf(whole.subarray(0, at), whole.subarray(at + 1));
        const { refused, malformed } = await readAll(without, { ...CUSTOMERS, recordFormat: format });
        expect([format, at, refused === undefined && malformed.length === 0]).toEqual([format, at, false]);
      }
    }
  });

  test("a wrong number is named with its place in the file, in whichever segment it is", async () => {
    const record = Buffer.from(`D.....${"Ann".padEnd(12)}${"Lee".padEnd(17)}ZZ`);
    record.set([0, 0, 0, 0, 0], 1); // no sign
    const file = fileOf(piece(1, record.subarray(0, 3)), piece(2, record.subarray(3)));
    expect((await readAll(file, UNTYPED)).malformed).toEqual([
      [
        1,
        'Record 1 (byte offset 0): Object ID (bytes 2–6) is X\'0000000000\', which is not a packed number: byte offset 13 should have a digit and a sign (A to F). If LOW-VALUES means no value here, say "null": "LOW-VALUES" in the layout.',
      ],
    ]);
  });

  test("rejects are written in one segment each, and are read again", async () => {
    for (const recordFormat of ["sdw", "bdw+sdw"] as const) {
      const layout = { ...CUSTOMERS, recordFormat };
      const file = fileOf(...rewritten(recordFormat));
      const { places } = await readAll(file, layout);
      const wanted = places.map(([, offset, end]) => ({ offset, end }));
      const parts: Uint8Array[] = [];
      for await (const part of writeRejects(file, layout, customers, wanted)) parts.push(part);
      expect(await readAll(fileOf(...parts), layout)).toMatchObject({ rows: ROWS, malformed: [], refused: undefined });
    }
  });

  test("what is written is read again, and a reversed word, too", async () => {
    for (const recordFormat of ["sdw", "bdw+sdw", "rdw-little-endian"] as const) {
      const layout = customersLayout({ recordFormat, lineEnd: "none" });
      expect((await readAll(fileOf(...recordsOf(layout)), layout)).rows.length).toBe(3);
    }
    const reversed = rewritten("rdw-little-endian").map((record) =>
      Buffer.from(record)
        .fill(0, 0, 2)
        .fill(record[0] as number, 2, 3),
    );
    expect((await readAll(fileOf(...reversed), { ...CUSTOMERS, recordFormat: "rdw-little-endian" })).rows).toEqual(ROWS);
  });
});
