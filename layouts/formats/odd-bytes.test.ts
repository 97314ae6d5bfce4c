// Files that are not what their layout says, or were damaged on their way, are named as what they are.

import { expect, test } from "vitest";
import { planReading } from "../../batch/files/choose-reader.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import { createCodec, type LayoutEncoding } from "../layouts/character-sets.ts";
import type { DelimitedLayout, FixedLayout, Layout } from "../layouts/layout.ts";
import { customers, customersLayout, fileOf, recordsOf } from "../testing/layouts.ts";
import { describeEbcdic } from "./odd-bytes.ts";
import { openLayout } from "./open-layout.ts";

const ROWS = Array.from({ length: 30 }, (_, i) => ({ objectId: String(i + 1), firstName: "Eva", lastName: "Ek", accountID: "A1" }));
const CSV: DelimitedLayout = { kind: "delimited", collection: "customers" };

function fixed(change: Partial<FixedLayout>): { layout: FixedLayout; bytes: Buffer } {
  const layout = customersLayout(change);
  return { layout, bytes: Buffer.concat(recordsOf(layout, ROWS)) };
}

function untyped(change: Partial<FixedLayout>): FixedLayout {
  const { recordType: _, header: __, trailer: ___, ...layout } = customersLayout(change);
  return { ...layout, detail: { fields: layout.detail.fields } };
}

const bytesOf = (text: string, encoding: LayoutEncoding = "utf-8") => Buffer.from(createCodec(encoding).encode(text) as Uint8Array);

async function read(bytes: Uint8Array, layout: Layout): Promise<{ rows: number; wrong: string[]; notes: string[]; refused?: string }> {
  const [wrong, notes]: string[][] = [[], []];
  let rows = 0;
  try {
    const opened = await openLayout(fileOf(bytes), layout, customers, (note) => notes?.push(note));
    for await (const block of opened.openRows()) {
      rows += block.rows.length;
      wrong?.push(...[...block.malformed.values()].map(String));
    }
    return { rows, wrong: wrong ?? [], notes: notes ?? [] };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { rows, wrong: wrong ?? [], notes: notes ?? [], refused: error.message };
  }
}

async function withoutLayout(bytes: Uint8Array): Promise<string> {
  const source = { file: new File([new Uint8Array(bytes)], "data"), name: "data" } as Parameters<typeof planReading>[0];
  const options = { mode: "create", collection: undefined, layout: undefined, recipe: undefined } as const;
  const reading = planReading(source, [customers], options, { all: async () => [] } as unknown as Parameters<typeof planReading>[3]);
  return reading.then(
    () => "read",
    (error: Error) => error.message,
  );
}

const ENCODINGS: readonly (readonly [FixedLayout["encoding"], FixedLayout["encoding"], FixedLayout["lineEnd"]])[] = [
  ["cp037", "utf-8", "none"],
  ["cp273", "iso-8859-1", "none"],
  ["cp500", "windows-1252", "none"],
  ["cp290", "utf-8", "none"],
  ["utf-8", "cp037", "none"],
  ["windows-1252", "cp273", "none"],
];

test.each(ENCODINGS)("records in %s under a layout that says %s", async (encoding, says, lineEnd) => {
  const { bytes } = fixed({ encoding, lineEnd } as Partial<FixedLayout>);
  const family = encoding?.startsWith("cp") ? "EBCDIC" : "ASCII";
  const beginning = `This file looks like ${family}, and the layout says ${says}.`;
  expect((await read(bytes, customersLayout({ encoding: says, lineEnd } as Partial<FixedLayout>))).refused).toContain(beginning);
  expect((await read(bytes, untyped({ encoding: says, lineEnd } as Partial<FixedLayout>))).refused).toContain(beginning);
  expect(
    (await read(bytes, untyped({ encoding: says, lineEnd, encodingIsSure: true } as Partial<FixedLayout>))).refused ?? "",
  ).not.toContain(beginning);
});

test("tables in the other family of encodings", async () => {
  const text = "id,Last name,Account ID\n1,Ek,A1\n2,Al,A2\n";
  expect((await read(bytesOf(text.replaceAll("\n", "\u0085"), "cp037"), CSV)).refused).toContain("This file looks like EBCDIC");
  expect((await read(bytesOf(text), { ...CSV, encoding: "cp037" })).refused).toContain("This file looks like ASCII");
  expect(await read(bytesOf(text), CSV)).toEqual({ rows: 2, wrong: [], notes: [] });
});

test("packed files are of no family, whatever their bytes", async () => {
  const packed = Uint8Array.from({ length: 4_000 }, (_, i) => [0x50, 0x4b, 0x03, 0x04][i] ?? (i % 3 === 0 ? 0x40 : 0xf1));
  expect(await describeEbcdic(new Blob([packed]))).toBeUndefined();
  expect(await describeEbcdic(new Blob([packed.subarray(4)]))).toContain("This file looks like EBCDIC");
});

test("records of packed numbers are of no family by chance", async () => {
  const fields = Array.from({ length: 9 }, (_, i) => ({
    name: `n${i}`,
    start: 1 + i * 7,
    length: 7,
    usage: "packed" as const,
    skip: true,
  }));
  const layout: FixedLayout = {
    kind: "fixed",
    collection: "customers",
    encoding: "cp037",
    recordLength: 63,
    lineEnd: "none",
    detail: { fields },
  };
  const digit = (i: number) => (i * 7919 + (i >> 3)) % 10;
  const bytes = Buffer.from(
    Array.from({ length: 6300 }, (_, i) => (i % 7 === 6 ? (digit(i) << 4) | 0x0c : (digit(i) << 4) | digit(i + 5))),
  );
  expect((await read(bytes, layout)).refused).toBeUndefined();
});

test("Ctrl-Z at the end of a text is no data", async () => {
  for (const lineEnd of ["lf", "crlf", "none"] as const) {
    const { layout, bytes } = fixed({ lineEnd });
    for (const many of [1, 63])
      expect(await read(Buffer.concat([bytes, Buffer.alloc(many, 0x1a)]), layout)).toEqual({ rows: 30, wrong: [], notes: [NOTE] });
    const cut = (await read(Buffer.concat([bytes, bytesOf("x\x1a")]), layout)).refused;
    expect(cut).toContain("This file is cut");
  }
  const table = bytesOf("id,Last name,Account ID\n1,Ek,A1\n2,Al,A2");
  for (const end of ["\x1a", "\n\x1a", `\n${"\x1a".repeat(100_000)}`])
    expect(await read(Buffer.concat([table, bytesOf(end)]), CSV)).toEqual({ rows: 2, wrong: [], notes: [NOTE] });
  expect(await withoutLayout(Buffer.concat([table, bytesOf("\n\x1a")]))).toBe("read");
});

test("Ctrl-Z fills up the last block of CP/M, also whole records of it, and slices of the file", async () => {
  for (const lineEnd of ["lf", "none"] as const)
    for (const many of [64, 65, 127, 128, 300_000]) {
      const { layout, bytes } = fixed({ lineEnd });
      expect(await read(Buffer.concat([bytes, Buffer.alloc(many, 0x1a)]), layout)).toEqual({ rows: 30, wrong: [], notes: [NOTE] });
      const plain = untyped({ lineEnd });
      const some = bytes.subarray(0, 5 * (bytes.length / 32));
      const wrong = (await read(some, plain)).wrong;
      expect(await read(Buffer.concat([some, Buffer.alloc(many, 0x1a)]), plain)).toEqual({ rows: 5, wrong, notes: [NOTE] });
      expect((await read(Buffer.alloc(many, 0x1a), plain)).refused).toContain("This file is empty.");
    }
});

const NOTE = "Its last byte is 1A (Ctrl-Z), DOS's end of a text.";

test("in EBCDIC and in a binary number the byte 1A is data", async () => {
  const { layout, bytes } = fixed({ encoding: "cp037", lineEnd: "none" });
  expect((await read(Buffer.concat([bytes, Buffer.from([0x1a])]), layout)).refused).toContain("1 byte more from byte offset 2048");
  const fields = [
    ...untyped({}).detail.fields.slice(0, 3),
    { name: "accountID", start: 52, length: 4, usage: "binary-unsigned" as const, digits: 9 },
  ];
  const record = Buffer.concat([bytesOf("0000000001".padStart(11).padEnd(51)), Buffer.from([0, 0, 0, 0x1a])]);
  const read1 = await read(record, { ...untyped({ lineEnd: "none" }), recordLength: 55, detail: { fields } });
  expect(read1).toMatchObject({ rows: 1, wrong: [] });
});

test("a block of bytes 00 is named with its place", async () => {
  const block = "From byte offset 2080 on it has a block of bytes 00";
  const { layout, bytes } = fixed({});
  expect((await read(Buffer.concat([bytes, Buffer.alloc(512)]), layout)).refused).toContain(block);
  const hole = Buffer.from(bytes).fill(0, 650, 1300);
  expect((await read(hole, layout)).refused).toMatch(/Record 11 \(byte offset 650\) .* From byte offset 650 on it has a block of bytes 00/);
  expect((await read(hole, untyped({}))).wrong).toEqual([expect.stringContaining("From byte offset 650 on it has a block")]);
  const unended = fixed({ lineEnd: "none" });
  const more = Buffer.concat([unended.bytes, Buffer.alloc(640)]);
  expect((await read(more, unended.layout)).refused).toMatch(/^Something follows the trailer.* From byte offset 2048 on it has a block/);
  expect((await read(more, untyped({ lineEnd: "none" }))).wrong.slice(-10)).toEqual(
    Array.from({ length: 10 }, (_, i) => `Record ${33 + i} (byte offset ${2048 + 64 * i}) is nothing but bytes 00.`),
  );
  expect((await read(more.subarray(0, 2100), unended.layout)).refused).toContain("From byte offset 2048 on it has a block");
});

test("a table with a block of NUL bytes is refused with its line", async () => {
  const table = bytesOf(`id,Last name,Account ID\n${"1,Ek,A1\n".repeat(20_000)}`);
  const hole = Buffer.from(table).fill(0, 100_000, 101_000);
  for (const bytes of [hole, Buffer.concat([table, Buffer.alloc(512)])]) {
    const line = bytes
      .subarray(0, bytes.indexOf(Buffer.alloc(32)))
      .toString()
      .split("\n")
      .length.toLocaleString("en");
    expect((await read(bytes, CSV)).refused).toContain(`This file is damaged: line ${line} has a block of NUL bytes.`);
  }
  expect(await withoutLayout(Buffer.concat([table.subarray(0, 40), Buffer.alloc(512)]))).toContain("line 4 has a block of NUL bytes");
});

test("a file of fixed places without a layout", async () => {
  const lines = fixed({}).bytes;
  const even = "Its first 32 lines have 64 bytes each and no separator: it looks like a file of fixed places. Describe it with --layout";
  expect(await withoutLayout(lines)).toContain(even);
  expect(await withoutLayout(fixed({ lineEnd: "crlf" }).bytes)).toContain(even);
  expect(await withoutLayout(fixed({ lineEnd: "none" }).bytes)).toContain(
    "It has no line end and no separator: it looks like a file of fixed places",
  );
  for (const lineEnd of ["none", "nl", "lf"] as const)
    expect(await withoutLayout(fixed({ encoding: "cp273", lineEnd }).bytes)).toContain(
      "data was stored. This file looks like EBCDIC. Describe it",
    );
  expect(await withoutLayout(bytesOf("sku,price\nX1,10\nX2,20\n"))).not.toContain("fixed places");
  expect(await withoutLayout(bytesOf("sku\nX1\nX2\n"))).not.toContain("fixed places");
});
