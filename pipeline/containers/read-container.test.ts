import { expect, test } from "vitest";
import { inspectFile } from "../inspection/inspect-file.ts";
import type { Choices } from "../model/dialect.ts";
import type { RowBlock } from "../reading/csv-rows.ts";
import { customers } from "../testing/fake-service.ts";
import { gzipFile, odsFile, odsTable, rowsXml, xlsxFile, zipFile } from "../testing/workbooks.ts";
import { rowsOf } from "./row-source.ts";

const RECORDS = [
  ["objectId", "firstName", "lastName", "accountID"],
  ["1", "Märta", "Ångström", "00501"],
  ["2", "", 'O"Neill & <Sons>', "  spaced  "],
  ["3", "line\nbreak", "王", "=1+1"],
];
const CSV = RECORDS.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\r\n");

async function blocksOf(file: File, choices: Choices = {}): Promise<RowBlock[]> {
  const { dialect } = await inspectFile(file, customers, choices);
  const blocks: RowBlock[] = [];
  for await (const block of rowsOf({ file, plan: { dialect } })) blocks.push(block);
  return blocks;
}

async function tableOf(file: File, choices: Choices = {}) {
  const blocks = await blocksOf(file, choices);
  return { header: blocks[0]?.header, rows: blocks.flatMap(({ rows }) => rows), lines: blocks.flatMap(({ lines }) => lines) };
}

test.for<[name: string, file: File]>([
  ["CSV", new File([CSV], "rows.csv")],
  ["a workbook of Excel", xlsxFile([{ name: "Sheet1", xml: rowsXml(RECORDS) }])],
  ["an OpenDocument spreadsheet", odsFile(odsTable(RECORDS))],
  ["gzip", gzipFile(CSV)],
  ["ZIP", zipFile({ "rows.csv": CSV })],
])("%s gives the same rows", async ([, file]) => {
  const { header, rows } = await tableOf(file);
  expect([header, ...rows]).toEqual(
    RECORDS.map((cells) => cells.map((cell) => (file.name.endsWith(".ods") ? cell.replace("\n", " ") : cell))),
  );
});

test("of packed files whose names are not UTF-8, the one that is chosen is read", async () => {
  const zip = zipFile({ "M1n.csv": "lastName,accountID\nEk,first", "M2n.csv": "lastName,accountID\nEk,second" });
  const bytes = new Uint8Array(await zip.arrayBuffer());
  // ü and ö as older programs write them.
  for (let i = 0; i + 2 < bytes.length; i++) {
    if (bytes[i] === 0x4d && bytes[i + 2] === 0x6e) bytes[i + 1] = bytes[i + 1] === 0x31 ? 0x81 : 0x94;
  }
  const file = new File([bytes], "old.zip");
  const names = (await inspectFile(file, customers)).container?.tables.map(({ name }) => name) ?? [];
  const rows = await Promise.all(names.map(async (entry) => (await tableOf(file, { entry })).rows));
  expect(rows).toEqual([[["Ek", "first"]], [["Ek", "second"]]]);
});
