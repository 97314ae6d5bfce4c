// Delimited files with header and trailer records: what is read, what is refused, and what is written is read again.

import { expect, test } from "vitest";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import { createCodec, type LayoutEncoding } from "../layouts/character-sets.ts";
import type { DelimitedLayout } from "../layouts/layout.ts";
import { readLayout } from "../layouts/validate/parse-layout.ts";
import { fileOf } from "../testing/layouts.ts";
import { openLayout } from "./open-layout.ts";
import { makeSample } from "./sample.ts";

const bookings = ofPackage({
  name: "bookings",
  schema: {
    fields: [
      { name: "id", title: "ID", type: "integer", constraints: { unique: true, minimum: 1 } },
      { name: "name", title: "Name", type: "string", constraints: { required: true } },
      { name: "amount", title: "Amount", type: "number", decimals: 2 },
    ],
    primaryKey: "id",
  },
});

function ofPackage(resource: object): Collection {
  const read = readDataPackage({ name: "test", resources: [resource] });
  if (!("collections" in read) || !read.collections[0]) throw new Error(JSON.stringify(read));
  return read.collections[0];
}

const LAYOUT: DelimitedLayout = {
  kind: "delimited",
  collection: "bookings",
  delimiter: ";",
  headingLine: 0,
  columns: [null, "id", "name", "amount"],
  detail: { type: "B" },
  header: { type: "H", sender: { column: 2, constant: "BANK" }, fileId: { column: 3 }, sequence: { column: 4 } },
  trailer: { type: "T", count: { column: 2 }, totals: [{ of: "amount", column: 3 }] },
  ignoredTypes: ["#"],
};
const FILE = 'H;BANK;DAY;0042\nB;1;Ångström;415.51\n#;a remark\nB;2;"Ek; Eva";-0.05\nB;3;O\'Neill;\nT;3;415.46\n';

async function read(file: Blob, layout = LAYOUT): Promise<{ rows: string[][]; lines: number[]; malformed: unknown[]; refused?: string }> {
  const found: Awaited<ReturnType<typeof read>> = { rows: [], lines: [], malformed: [] };
  try {
    const opened = await openLayout(file, layout, bookings);
    await opened.readHeader();
    for await (const { rows, lines, malformed, first } of opened.openRows()) {
      for (const [i, why] of malformed) found.malformed.push([first + i, why]);
      found.rows.push(...rows);
      found.lines.push(...lines);
    }
    return found;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { ...found, refused: error.message };
  }
}
const readTextOf = (text: string, layout = LAYOUT) => read(fileOf(Buffer.from(text)), layout);

test("the details are read, and the header says what the file is", async () => {
  expect(readLayout(JSON.stringify(LAYOUT), [bookings])).toHaveProperty("layout");
  const opened = await openLayout(fileOf(Buffer.from(FILE)), LAYOUT, bookings);
  expect(await opened.readHeader()).toMatchObject({ sender: "BANK", fileId: "DAY", sequence: "42" });
  expect(opened.plan.columns).toEqual([null, "id", "name", "amount"]);
  expect(await readTextOf(FILE)).toEqual({
    rows: [
      ["B", "1", "Ångström", "415.51"],
      ["B", "2", "Ek; Eva", "-0.05"],
      ["B", "3", "O'Neill", ""],
    ],
    lines: [2, 4, 5],
    malformed: [],
  });
});

test.each<readonly [LayoutEncoding, string]>([
  ["utf-8", "\r\n"],
  ["windows-1252", "\n"],
  ["cp273", "\u0085"],
])("in %s", async (encoding, lineEnd) => {
  const bytes = createCodec(encoding).encode(FILE.replaceAll("\n", lineEnd)) as Uint8Array;
  expect((await read(fileOf(bytes), { ...LAYOUT, encoding })).rows.map(([, id]) => id)).toEqual(["1", "2", "3"]);
});

const CHANGES: readonly (readonly [what: string, from: string, to: string, refused: string])[] = [
  ["no header", "H;BANK;DAY;0042\n", "", "This file has no header. Line 1 is the first, and it is not a header."],
  ["two headers", "B;1", "H;BANK;DAY;0043\nB;1", "This file has two headers. Line 2 is the second one"],
  ["another sender", "BANK", "BONK", "This file has another sender. Its header says “BONK”; the layout says “BANK”."],
  ["a header without its sequence", "DAY;0042", "DAY0042", "The header cannot be read. Line 1: its sequence number is missing."],
  ["no trailer", "T;3;415.46\n", "", "This file has no trailer. It ends after 3 detail records: it may be cut."],
  ["two trailers", "T;3;415.46\n", "T;3;415.46\nT;3;415.46\n", "This file has two trailers. Line 7 is the second one"],
  ["something behind the trailer", "415.46\n", "415.46\nB;4;More;1\n", "Something follows the trailer. Line 7 stands behind it"],
  ["a wrong count", "T;3;", "T;4;", "The trailer does not match. It says 4 detail records; the file has 3. Line 6 is the trailer."],
  ["a count that is no number", "T;3;", "T;three;", "The trailer cannot be read. Line 6: its count is “three”, which is not a number."],
  ["a count that is missing", "T;3;415.46", "T", "The trailer cannot be read. Line 6: its count is “”, which is not a number."],
  ["a wrong total", "415.46", "415.47", "It says 415.47 as the total of amount; the records add up to 415.46."],
  ["a total that is no number", "415.46", "415,46", "Line 6: its total of amount is “415,46”, which is not a number."],
  ["an amount that is no number", "-0.05", "0,05-", "The total of Amount cannot be made. Line 4 has “0,05-” there, which is not a number"],
  ["a lost record", 'B;2;"Ek; Eva";-0.05\n', "", "It says 3 detail records; the file has 2. It says 415.46 as the total of amount"],
  [
    "an unknown type",
    "#;a",
    "X;a",
    "This file has a record of an unknown type. Line 3 has the type “X”; the layout knows “H”, “B”, “T”, “#”.",
  ],
];
test.each(CHANGES)("%s", async (_, from, to, refused) => {
  expect(FILE).toContain(from);
  expect((await readTextOf(FILE.replace(from, to))).refused).toContain(refused);
});

test("a cut anywhere is refused, and so is a byte that is lost from a number, a type or a separator", async () => {
  const bytes = Buffer.from(FILE);
  for (let end = 0; end < bytes.length - 1; end++) {
    const cut = await read(fileOf(bytes.subarray(0, end)));
    // Behind the last digit only the line end is missing.
    expect([end, cut.refused ?? "read"], bytes.subarray(0, end).toString()).toEqual([end, expect.not.stringMatching(/^read$/)]);
  }
  const free = ["DAY", "0042", "1;", "2;", "3;", "Ångström", "Ek; Eva", "O'Neill", "a remark"].map((text) => {
    const from = bytes.indexOf(text);
    return [from, from + Buffer.byteLength(text.replace(";", text.length === 2 ? "" : ";"))] as const;
  });
  for (let at = 0; at < bytes.length - 1; at++) {
    if (free.some(([from, to]) => from <= at && at < to)) continue; // in no count and no total
    const { refused, rows, malformed } = await read(fileOf(bytes.subarray(0, at), bytes.subarray(at + 1)));
    const isRight = malformed.length === 0 && rows.every((cells) => cells.length === 4);
    expect([at, refused === undefined && isRight]).toEqual([at, false]);
  }
});

test("totals are exact at any size and with any decimals", async () => {
  const rows = Array.from({ length: 10 }, () => "B;1;x;99999999999999999999.01\n").join("");
  const file = `H;BANK;D;1\n${rows}T;10;1\n`;
  expect((await readTextOf(file)).refused).toContain("the records add up to 999999999999999999990.1.");
  expect((await readTextOf(file.replace(/T;10;.*/, "T;10;999999999999999999990.10"))).refused).toBeUndefined();
  expect((await readTextOf(file.replace(/T;10;.*/, "T;10;+000999999999999999999990.1"))).refused).toBeUndefined();
});

test("a detail record with other cells is a reject, not the end of the file", async () => {
  const { rows, malformed, refused } = await readTextOf(FILE.replace("B;3;O'Neill;", "B;3;O'Neill;;more"));
  expect([rows.length, rows[2]?.length, malformed, refused]).toEqual([3, 5, [], undefined]);
});

test("a sample has a matching header and trailer", async () => {
  for (const encoding of ["utf-8", "cp500"] as const) {
    const layout = { ...LAYOUT, encoding, trailer: { ...LAYOUT.trailer, type: "T", count: { column: 2, of: "all" as const } } };
    const bytes = makeSample(layout, bookings);
    const { rows, refused } = await read(fileOf(bytes), layout);
    expect([rows.length, refused]).toEqual([3, undefined]);
  }
});

test("a layout of such a file is checked", () => {
  const mistakesOf = (change: object) => {
    const read = readLayout(JSON.stringify({ ...LAYOUT, ...change }), [bookings]);
    return "mistakes" in read ? read.mistakes.map(({ path, message }) => `${path}: ${message}`) : [];
  };
  expect(mistakesOf({ detail: undefined })).toEqual(["/detail: is missing: it says which type the records have that are stored"]);
  expect(mistakesOf({ headingLine: 1 })).toEqual(["/headingLine: must be 0: the first record of such a file is no heading"]);
  expect(mistakesOf({ columns: ["id", "name", "amount"] })).toEqual(["/columns/0: must be null: the first column says what a record is"]);
  expect(mistakesOf({ ignoredTypes: ["T"] })).toEqual(['/detail/type: "T" is the type of two kinds of records']);
  expect(mistakesOf({ trailer: { type: "T", totals: [{ of: "sum", column: 2 }] } })).toEqual([
    '/trailer/totals/0/of: no column is called "sum"',
  ]);
  expect(mistakesOf({ trailer: { type: "T", count: { column: 1 } } })).toEqual(["/trailer/count/column: must be 2 or more"]);
});
