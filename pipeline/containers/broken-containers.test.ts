// Cut off, damaged and hostile files: each ends with a sentence, none with a crash, a hang or wrong rows.

import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { inspectFile } from "../inspection/inspect-file.ts";
import { FileError } from "../model/file-error.ts";
import { customers } from "../testing/fake-service.ts";
import { gzipFile, odsFile, odsTable, rowsXml, xlsxFile, zipFile } from "../testing/workbooks.ts";
import { rowsOf } from "./row-source.ts";
import { unpackGzip } from "./unpack.ts";

const ROWS = [
  ["objectId", "firstName", "lastName", "accountID"],
  ...Array.from({ length: 300 }, (_, i) => [String(i), "Ada", `L${i * 7919}`, "A"]),
];
const CSV = ROWS.map((cells) => cells.join(",")).join("\n");
const FILES = [xlsxFile([{ name: "Sheet1", xml: rowsXml(ROWS) }]), odsFile(odsTable(ROWS)), zipFile({ "rows.csv": CSV }), gzipFile(CSV)];

/** The rows, or the sentence of the refusal. */
async function read(file: File): Promise<string[][] | string> {
  try {
    const { dialect } = await inspectFile(file, customers);
    const rows: string[][] = [];
    for await (const block of rowsOf({ file, plan: { dialect } })) rows.push(...block.rows);
    return rows;
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
}

test.for(FILES)("$name, cut off anywhere, is refused", async (file) => {
  for (let i = 0; i < 60; i++) {
    const cut = new File([file.slice(0, Math.floor((file.size * i) / 60))], file.name);
    expect(await read(cut)).toBeTypeOf("string");
  }
});

test.for(FILES)("$name, with any byte changed, gives its own rows or a sentence", async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const whole = JSON.stringify(ROWS.slice(1));
  let refused = 0;
  for (let i = 0; i < 120; i++) {
    const changed = bytes.slice();
    const at = Math.floor((bytes.length * i) / 120);
    changed[at] = (changed[at] as number) ^ (1 + ((i * 37) % 255));
    const found = await read(new File([changed], file.name));
    if (typeof found === "string") refused++;
    else expect(JSON.stringify(found)).toBe(whole);
  }
  expect(refused).toBeGreaterThan(20);
});

test.for<[what: string, file: () => File | Promise<File>, words: RegExp]>([
  ["a binary workbook", () => zipFile({ "[Content_Types].xml": "<Types/>", "xl/workbook.bin": "x" }), /\.xlsb.*save it as \.xlsx/],
  ["a Numbers file", () => zipFile({ "Index/Document.iwa": "x" }), /Numbers.*save it as \.xlsx/],
  ["a Word document", () => zipFile({ "[Content_Types].xml": "<Types/>", "word/document.xml": "x" }), /Word/],
  ["a workbook with a password", () => oldFile("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"), /password/],
  ["an old workbook", () => oldFile("W\0o\0r\0k\0b\0o\0o\0k\0"), /\.xls\)/],
  ["an OpenDocument spreadsheet with a password", () => odsFile("", { manifest: "<manifest:encryption-data/>" }), /password/],
  ["a ZIP with a password", () => encrypted(zipFile({ "rows.csv": CSV })), /password/],
  ["a workbook within a ZIP", () => zipFile({ "in.csv": zipSync({ "a.csv": strToU8(CSV) }) }), /packed file \(ZIP\)/],
  ["a workbook with entities of its own", () => xlsxFile([{ name: "S", xml: '<!DOCTYPE x [<!ENTITY a "b">]>' }]), /not a spreadsheet/],
  [
    "a row beyond the limit",
    () => xlsxFile([{ name: "S", xml: '<sheetData><row r="1048577"><c><v>1</v></c></row></sheetData>' }]),
    /too large/,
  ],
  [
    "a column beyond the limit",
    () => xlsxFile([{ name: "S", xml: '<sheetData><row><c r="XFE1"><v>1</v></c></row></sheetData>' }]),
    /too large/,
  ],
  ["rows without end", () => odsFile(repeated("1048577", "1")), /too large/],
  ["cells without end", () => odsFile(repeated("100000", "16000")), /too large/],
  ["an empty workbook", () => xlsxFile([{ name: "S", xml: "<sheetData/>" }]), /sheet “S” is empty/],
])("%s is refused", async ([, file, words]) => {
  expect(await read(await file())).toMatch(words);
});

test("a bomb is refused before it is unpacked to its end", { timeout: 120_000 }, async () => {
  const zeros = new Uint8Array(270_000_000); // packed a thousand to one
  const packed = new File([gzipSync(zeros)], "bomb.gz");
  const pieces = unpackGzip(packed);
  let size = 0;
  const unpack = async () => {
    for await (const { bytes } of pieces) size += bytes.length;
  };
  await expect(unpack()).rejects.toThrow(/unpacks to far more than a table would/);
  expect(size).toBeLessThan(257 * 1024 * 1024);
});

function oldFile(name: string): File {
  return new File([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), new Uint8Array(600), name], "old.xls");
}

/** Sets the flag of encryption in the directory, whose only entry follows its signature. */
async function encrypted(file: File): Promise<File> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const at = new TextDecoder("latin1").decode(bytes).indexOf("PK\x01\x02");
  bytes[at + 8] = 1;
  return new File([bytes], file.name);
}

function repeated(rows: string, columns: string): string {
  return `<table:table table:name="S"><table:table-row table:number-rows-repeated="${rows}"><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="${columns}"/></table:table-row></table:table>`;
}
