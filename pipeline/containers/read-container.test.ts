import { expect, test } from "vitest";
import { inspectFile } from "../inspection/inspect-file.ts";
import type { Choices, Dialect } from "../model/dialect.ts";
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
  return read(file, (await inspectFile(file, customers, choices)).dialect);
}

async function read(file: File, dialect: Dialect): Promise<RowBlock[]> {
  const blocks: RowBlock[] = [];
  for await (const block of rowsOf({ file, plan: { dialect } })) blocks.push(block);
  return blocks;
}

async function tableOf(file: File, choices: Choices = {}) {
  const blocks = await blocksOf(file, choices);
  return { header: blocks[0]?.header, rows: blocks.flatMap(({ rows }) => rows), lines: blocks.flatMap(({ lines }) => lines) };
}

const OF_EACH_KIND: [name: string, make: (records: string[][], csv: string) => File][] = [
  ["CSV", (_, csv) => new File([csv], "rows.csv")],
  ["a workbook of Excel", (records) => xlsxFile([{ name: "Sheet1", xml: rowsXml(records) }])],
  ["an OpenDocument spreadsheet", (records) => odsFile(odsTable(records))],
  ["gzip", (_, csv) => gzipFile(csv)],
  ["ZIP", (_, csv) => zipFile({ "rows.csv": csv })],
];

test.for(OF_EACH_KIND)("%s gives the same rows", async ([, make]) => {
  const file = make(RECORDS, CSV);
  const { header, rows } = await tableOf(file);
  expect([header, ...rows]).toEqual(
    RECORDS.map((cells) => cells.map((cell) => (file.name.endsWith(".ods") ? cell.replace("\n", " ") : cell))),
  );
});

/** Reads as Firefox does: the new bytes, as many as there were. */
function saveAgain(file: File, now: File): void {
  const bytes = new Blob([now, new Uint8Array(file.size)]).slice(0, file.size);
  file.slice = (from, to) => bytes.slice(from, to);
}

test.for(OF_EACH_KIND)("%s that was saved again after the check gives no rows that were not checked", async ([, make]) => {
  const file = make(RECORDS, CSV);
  const { dialect } = await inspectFile(file, customers, {});
  expect(await read(file, dialect)).toEqual(await read(file, dialect));
  const changed = RECORDS.map((cells) => cells.map((cell) => cell.replace("00501", "00502")));
  saveAgain(file, make(changed, CSV.replace("00501", "00502")));
  await expect(read(file, dialect)).rejects.toThrow("It was changed, moved or deleted meanwhile. Choose it again.");
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
