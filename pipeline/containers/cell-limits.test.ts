// Small files that stand for huge texts or very many cells: each ends with a sentence while it is read.

import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { inspectFile } from "../inspection/inspect-file.ts";
import { FileError } from "../model/file-error.ts";
import { customers } from "../testing/fake-service.ts";
import { gzipFile, odsFile, odsTable, rowsXml, xlsxFile } from "../testing/workbooks.ts";
import { rowsOf } from "./row-source.ts";
import { CellText } from "./sheet-rows.ts";
import { unpackGzip } from "./unpack.ts";
import { readXml } from "./xml-parts.ts";
import { readZipDirectory } from "./zip-directory.ts";

const HEADING = ["lastName", "accountID"];
const MOST = 32_767;
const MILLION = 1_000_000;

/** The rows, or the sentence of the refusal. */
async function read(file: File, sheet?: string): Promise<string[][] | string> {
  try {
    const { dialect } = await inspectFile(file, customers, sheet === undefined ? {} : { sheet });
    const rows: string[][] = [];
    for await (const block of rowsOf({ file, plan: { dialect } })) rows.push(...block.rows);
    return rows;
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
}

/** A workbook whose second row is given as XML. */
const xlsx = (row: string, strings = "") =>
  xlsxFile([{ name: "S", xml: rowsXml([HEADING]).replace("</sheetData>", `${row}</sheetData>`) }], { strings });
const ods = (rows: string) => odsFile(odsTable([HEADING], "S").replace("</table:table>", `${rows}</table:table>`));
const odsCell = (content: string, attributes = "") =>
  `<table:table-row><table:table-cell/><table:table-cell office:value-type="string"${attributes}>${content}</table:table-cell></table:table-row>`;
const run = (text: string) => `<r><t>${text}</t></r>`;

const TOO_LONG = (cell: string) =>
  `Cell ${cell} of the sheet “S” has too much text. A cell may have 32,767 characters, as in Excel. Shorten it, save the workbook, then choose it again.`;

test.for<[what: string, file: (text: string) => File]>([
  ["an inline text", (text) => xlsx(`<row><c/><c t="inlineStr"><is><t>${text}</t></is></c></row>`)],
  ["an inline text of runs", (text) => xlsx(`<row><c/><c t="inlineStr"><is>${run(text.slice(9))}${run(text.slice(0, 9))}</is></c></row>`)],
  ["the text of a formula", (text) => xlsx(`<row><c/><c t="str"><f>A1</f><v>${text}</v></c></row>`)],
  ["a shared text", (text) => xlsx('<row><c/><c t="s"><v>0</v></c></row>', `<si><t>${text}</t></si>`)],
  [
    "a shared text of runs",
    (text) => xlsx('<row><c/><c t="s"><v>0</v></c></row>', `<si>${run(text.slice(9))}${run(text.slice(0, 9))}</si>`),
  ],
  ["an OpenDocument text", (text) => ods(odsCell(`<text:p>${text}</text:p>`))],
  ["an OpenDocument text in an attribute", (text) => ods(odsCell("", ` office:string-value="${text}"`))],
  ["paragraphs", (text) => ods(odsCell(`<text:p>${text.slice(10)}</text:p><text:p>${text.slice(1, 10)}</text:p>`))],
])("%s may have 32,767 characters and no more", async ([, file]) => {
  const text = "x".repeat(MOST);
  const rows = await read(file(text));
  expect(typeof rows === "string" ? rows : rows.flat().map((cell) => cell.length)).toEqual([0, MOST]);
  expect(await read(file(`${text}x`))).toBe(TOO_LONG("B2"));
});

test("characters count as they are read, not as they are written", async () => {
  expect(await read(xlsx(`<row><c/><c t="inlineStr"><is><t>x${"_x000D_".repeat(MOST - 1)}</t></is></c></row>`))).toEqual([
    ["", `x${"\r".repeat(MOST - 1)}`],
  ]);
  expect(await read(xlsx(`<row><c/><c t="inlineStr"><is><t>${"&amp;".repeat(MOST)}</t></is></c></row>`))).toEqual([["", "&".repeat(MOST)]]);
  expect(await read(xlsx(`<row><c/><c t="s"><v>0</v></c></row>`, `<si><t>${"_x000D_".repeat(MOST + 1)}</t></si>`))).toBe(TOO_LONG("B2"));
});

test("a long text that no cell names is in nobody's way", async () => {
  const strings = `<si><t>Ada</t></si><si><t>${"x".repeat(MOST + 1)}</t></si><si><t>A7</t></si>`;
  expect(await read(xlsx('<row><c t="s"><v>0</v></c><c t="s"><v>2</v></c></row>', strings))).toEqual([["Ada", "A7"]]);
});

test.for<[what: string, file: () => File, words: string | RegExp]>([
  ["a text of 5 million", () => xlsx(`<row><c/><c t="str"><v>${"a".repeat(5 * MILLION)}</v></c></row>`), TOO_LONG("B2")],
  ["references of 6 million", () => xlsx(`<row><c/><c t="str"><v>${"&#x41;".repeat(MILLION)}</v></c></row>`), TOO_LONG("B2")],
  [
    "a shared text of 5 million",
    () => xlsx('<row><c t="s"><v>0</v></c></row>', `<si><t>${"a".repeat(5 * MILLION)}</t></si>`),
    TOO_LONG("A2"),
  ],
  ["escapes", () => xlsx('<row><c t="s"><v>0</v></c></row>', `<si><t>${"_x0041_".repeat(MILLION)}</t></si>`), TOO_LONG("A2")],
  ["runs", () => xlsx('<row><c t="s"><v>0</v></c></row>', `<si>${run("aaaaaaaaaaaaaaaaaaaa").repeat(MILLION / 20)}</si>`), TOO_LONG("A2")],
  ["a number", () => xlsx(`<row><c><v>${"1".repeat(5 * MILLION)}</v></c></row>`), TOO_LONG("A2")],
  ["a date", () => xlsx(`<row><c t="d"><v>2020.${"0".repeat(MILLION)}x</v></c></row>`), TOO_LONG("A2")],
  ["spaces", () => ods(odsCell(`<text:p>${'<text:s text:c="1000"/>'.repeat(100_000)}</text:p>`)), TOO_LONG("B2")],
  ["paragraphs", () => ods(odsCell("<text:p>aaaaaaaaaa</text:p>".repeat(MILLION / 20))), TOO_LONG("B2")],
  [
    "one text in very many cells",
    () => xlsx('<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>'.repeat(5_000), `<si><t>${"a".repeat(MOST)}</t></si>`),
    /unpacks to far more than a table would/,
  ],
  ["rows that end in the last column", () => xlsx('<row><c r="XFD1"><v>1</v></c></row>'.repeat(1_000)), /^This sheet is too large/],
  ["rows of repeated cells", () => ods(repeated(200, 16_000).repeat(100)), /^This sheet is too large/],
  ["more columns than a sheet has", () => ods(repeated(1, 1_000_000)), /^This sheet is too large/],
  [
    "a sheet more than ten thousand",
    () => odsFile(odsTable([HEADING], "S") + '<table:table table:name="T"/>'.repeat(10_000)),
    /^This workbook is too large/,
  ],
  [
    "a number format of semicolons",
    () => xlsxFile([{ name: "S", xml: rowsXml([HEADING]) }], { formats: [";".repeat(200_000)] }),
    /^This workbook is too large/,
  ],
])("%s: refused", { timeout: 120_000 }, async ([, file, words]) => {
  const found = await read(file());
  if (typeof words === "string") expect(found).toBe(words);
  else expect(found).toMatch(words);
});

test.for<[what: string, file: File, cell: string]>([
  ["a date of Excel", xlsx(`<row><c/><c t="d"><v>2020.${"0".repeat(32_000)}x</v></c></row>`), `2020.${"0".repeat(32_000)}x`],
  ["a date", ods(odsTyped("date", `2020.${"0".repeat(32_000)}x`)), `2020.${"0".repeat(32_000)}x`],
  ["a time", ods(odsTyped("time", `PT1.${"0".repeat(32_000)}1S`)), `PT1.${"0".repeat(32_000)}1S`],
])("%s that is none is a text, in no time", async ([, file, cell]) => {
  expect(await read(file)).toEqual([["", cell]]);
});

test("what is unpacked comes in pieces, however well it is packed", async () => {
  const packed = gzipFile(new Uint8Array(40 * MILLION));
  let largest = 0;
  for await (const { bytes } of unpackGzip(packed)) largest = Math.max(largest, bytes.length);
  expect(packed.size).toBeLessThan(100_000);
  expect(largest).toBeLessThan(9 * 1024 * 1024);
  const file = xlsx(`<row><c/><c t="str"><v>${"a".repeat(5 * MILLION)}</v></c></row>`);
  const entry = (await readZipDirectory(file)).find(({ name }) => name.endsWith("sheet1.xml"));
  if (!entry) throw new Error("no sheet");
  for await (const { text } of readXml(file, entry)) expect(text.length).toBeLessThanOrEqual(64 * 1024);
});

test("a text that is too long is not held", () => {
  const text = new CellText();
  for (let i = 0; i < 1_000; i++) text.add("x".repeat(1_000));
  expect([text.isTooLong, text.text.length]).toEqual([true, 32_000]);
  text.begin();
  text.add("Ada");
  expect([text.isTooLong, text.text]).toEqual([false, "Ada"]);
});

test("a ZIP whose files lie upon each other is refused", async () => {
  const bytes = zipSync(
    { "a.csv": strToU8(`lastName,accountID\n${"Ada,1\n".repeat(500)}`), "b.csv": strToU8("x".repeat(10)) },
    { level: 0 },
  );
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const text = new TextDecoder("latin1").decode(bytes);
  const [first, second] = [text.indexOf("PK\x01\x02"), text.lastIndexOf("PK\x01\x02")];
  for (const field of [16, 20, 24, 42]) view.setUint32(second + field, view.getUint32(first + field, true), true); // checksum, sizes, place
  expect(await read(new File([bytes], "two.zip"))).toMatch(/^This file is damaged or incomplete/);
});

test("a CSV file with 3 million characters in one quoted cell is refused, packed or not", async () => {
  const csv = `lastName,accountID\n"${"a".repeat(3 * MILLION)}",1\n`;
  for (const file of [new File([csv], "long.csv"), gzipFile(csv)]) {
    expect(await read(file)).toMatch(/^A row of this file is too long\. The row that starts on line 2 has more than 1,000,000 characters/);
  }
});

function repeated(rows: number, columns: number): string {
  return `<table:table-row table:number-rows-repeated="${rows}"><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="${columns}"/></table:table-row>`;
}

function odsTyped(type: string, value: string): string {
  return `<table:table-row><table:table-cell/><table:table-cell office:value-type="${type}" office:${type}-value="${value}"/></table:table-row>`;
}
