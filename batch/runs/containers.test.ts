// The command loads workbooks and archives with the real service, and reports them like the same records as CSV.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gzipFile, odsFile, odsTable, rowsXml, xlsxFile, zipFile } from "../../pipeline/testing/workbooks.ts";
import { batch } from "../testing/process.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let at: TestService;
beforeAll(async () => {
  at = await startTestService();
});
afterAll(() => at.close());

const HEADING = ["objectId", "firstName", "lastName", "accountID"];

/** Three good records, one without a name, one with a formula that failed. */
function records(from: number, account: string): string[][] {
  return [
    [String(from), "Märta", "Ångström", `${account}1`],
    [String(from + 1), "", "", `${account}2`],
    [String(from + 2), "Bo", "#N/A", `${account}3`],
    [String(from + 3), "Cy", 'O"Neill, <Jr.> & Co', `${account}4`],
    [String(from + 4), "=1+1", "王", `${account}5`],
  ];
}

const csvOf = (rows: readonly string[][]) =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\r\n");

async function load(file: File, ...options: string[]) {
  const path = at.write(file.name, new Uint8Array(await file.arrayBuffer()));
  const ended = await batch(at.service.url, ["run", path, "--max-rejects", "none", ...options]);
  const report = JSON.parse(readFileSync(`${path}.report.json`, "utf8"));
  return { ...ended, path, report };
}

describe("the same records give the same report", () => {
  const files: Record<string, (rows: string[][]) => File> = {
    csv: (rows) => new File([csvOf(rows)], "plain.csv"),
    xlsx: (rows) => xlsxFile([{ name: "Customers", xml: rowsXml(rows) }], {}, "book.xlsx"),
    ods: (rows) => odsFile(odsTable(rows), {}, "open.ods"),
    gz: (rows) => gzipFile(csvOf(rows), "packed.csv.gz"),
    zip: (rows) => zipFile({ "in/rows.csv": csvOf(rows) }, "packed.zip"),
  };
  const names = Object.keys(files);

  test.for(names)("%s", async (name) => {
    const from = 40_000 + 100 * names.indexOf(name);
    const { code, path, report } = await load((files[name] as (rows: string[][]) => File)([HEADING, ...records(from, `C${name}`)]));
    expect(code).toBe(2);
    expect(report.outcomes).toMatchObject({ created: 3, notSent: 2 });
    expect(report.recordsRead).toBe(5);
    expect(report.problems.map(({ field, code, records }: Record<string, unknown>) => [field, code, records]).sort()).toEqual([
      ["lastName", "DAMAGED", 1],
      ["lastName", "REQUIRED", 1],
    ]);
    const list = readFileSync(`${path}.rejects.csv`, "utf8").trim().split("\r\n").slice(1);
    expect(list.map((line) => line.split(",").slice(0, 2))).toEqual([
      ["2", "3"],
      ["3", "4"],
    ]);
    expect(readFileSync(`${path}.rejects`, "utf8").trim().split("\r\n")).toHaveLength(3);
    expect(await at.storedOnce(`C${name}`)).toEqual([3, 3]);
  });
});

test("the file of rejects of a workbook gives its cells as they were read", async () => {
  const rows = [
    ["45001", '="0042"', "", "F1"],
    ["45002", "'=1+1", "", "F2"],
  ];
  const { path } = await load(xlsxFile([{ name: "Customers", xml: rowsXml([HEADING, ...rows]) }], {}, "formulas.xlsx"));
  expect(readFileSync(`${path}.rejects`, "utf8").trim().split("\r\n").slice(1)).toEqual(["45001,0042,,F1", "45002,'=1+1,,F2"]);
});

test("the sheet, the heading and the packed file can be named, and what is not there is refused", async () => {
  const workbook = xlsxFile(
    [
      { name: "One", xml: rowsXml([HEADING, ...records(41_000, "S1")]) },
      { name: "Two", xml: rowsXml([["A title"], HEADING, HEADING, ...records(41_100, "S2")]) },
    ],
    {},
    "sheets.xlsx",
  );
  const { report } = await load(workbook, "--sheet", "Two", "--heading", "3");
  expect(report.recordsRead).toBe(5);
  expect(report.notes[0]).toBe("Read from the sheet “Two”, with its heading in row 3.");
  const zip = zipFile(
    { "a.csv": csvOf([HEADING, ...records(41_200, "Z1")]), "b.csv": csvOf([HEADING, ...records(41_300, "Z2")]) },
    "two.zip",
  );
  const path = at.write(zip.name, new Uint8Array(await zip.arrayBuffer()));
  const undecided = await batch(at.service.url, ["run", path]);
  expect([undecided.code, undecided.stderr]).toEqual([
    1,
    "Nothing of two.zip was stored: it has several tables. Say with --entry which one is meant: a.csv, b.csv.",
  ]);
  const refused = async (...args: string[]) => (await batch(at.service.url, ["validate", ...args])).stderr;
  expect(await refused(path, "--entry", "c.csv")).toBe(
    "Nothing of two.zip was stored: it has no packed file “c.csv”. It has a.csv, b.csv.",
  );
  expect(await refused(join(at.folder, "sheets.xlsx"), "--sheet", "Three")).toBe(
    "Nothing of sheets.xlsx was stored: it has no sheet “Three”. It has One, Two.",
  );
  const plain = at.write("plain-text.csv", csvOf([HEADING, ...records(41_400, "P")]));
  expect(await refused(plain, "--sheet", "One")).toBe("Nothing of plain-text.csv was stored: it is no workbook. Leave --sheet out.");
  expect(await refused(plain, "--entry", "a.csv")).toBe(
    "Nothing of plain-text.csv was stored: it is no ZIP file with tables. Leave --entry out.",
  );
  const packed = await batch(at.service.url, ["show", path, "--entry", "b.csv", "--records", "1"]);
  expect(packed.out.split("\n").slice(0, 2)).toEqual(["Unpacked: b.csv.", "Read as UTF-8, because its characters are encoded that way."]);
  expect((await batch(at.service.url, ["run", path, "--entry", "b.csv", "--max-rejects", "none"])).code).toBe(2);
  expect(await at.storedOnce("Z2")).toEqual([3, 3]);
});

test("a workbook in a ZIP file is loaded, its sheet and its file are named, and of several files one must be", async () => {
  const workbookOf = async (mark: number) => {
    const rows = Array.from({ length: 2 }, (_, i) => [String(mark + i), "Ada", "Packed", `ZW${mark + i}`]);
    return new Uint8Array(await xlsxFile([{ name: "Customers", xml: rowsXml([HEADING, ...rows]) }]).arrayBuffer());
  };
  const write = async (file: File) => at.write(file.name, new Uint8Array(await file.arrayBuffer()));
  const one = await write(zipFile({ "list.xlsx": await workbookOf(71_000) }, "book.zip"));
  const ran = await batch(at.service.url, ["run", one, "--sheet", "Customers"]);
  expect(ran.code).toBe(0);
  const shown = await batch(at.service.url, ["show", one, "--records", "1"]);
  expect(shown.out.split("\n").slice(0, 2)).toEqual([
    "Unpacked: list.xlsx.",
    "Read from the sheet “Customers”, with its heading in row 1.",
  ]);
  const two = await write(zipFile({ "a.xlsx": await workbookOf(72_000), "b.xlsx": await workbookOf(73_000) }, "books.zip"));
  expect((await batch(at.service.url, ["run", two])).stderr).toBe(
    "Nothing of books.zip was stored: it has several tables. Say with --entry which one is meant: a.xlsx, b.xlsx.",
  );
  expect((await batch(at.service.url, ["run", two, "--entry", "b.xlsx"])).code).toBe(0);
  expect(await at.storedOnce("ZW")).toEqual([4, 4]);
});

test("a run of a workbook that was stopped midway goes on with the same rows under the same keys", async () => {
  const rows = Array.from({ length: 6_000 }, (_, i) => [String(50_000 + i), "Ada", "Resumed", `R${i}`]);
  const file = xlsxFile([{ name: "Customers", xml: rowsXml([HEADING, ...rows]) }], {}, "resumed.xlsx");
  const path = at.write(file.name, new Uint8Array(await file.arrayBuffer()));
  expect((await at.stopMidway(["run", path])).code).toBe(3);
  expect((await batch(at.service.url, ["resume", path])).code).toBe(0);
  expect(await at.storedOnce("R")).toEqual([6_000, 6_000]);
  const state = readFileSync(join(at.folder, "resumed.xlsx.report.json"), "utf8");
  expect(JSON.parse(state).outcomes).toMatchObject({ created: 6_000 });
  expect((await batch(at.service.url, ["undo", path])).code).toBe(0);
  expect(await at.storedOnce("R")).toEqual([0, 0]);
});

describe("what is not right in a file is said by the command, too", () => {
  const validated = async (file: File) => {
    const path = at.write(file.name, new Uint8Array(await file.arrayBuffer()));
    const { code, out, stderr } = await batch(at.service.url, ["validate", path]);
    return `${code} ${out} ${stderr}`;
  };
  const csv = (name: string, ...lines: string[]) => new File([[HEADING.join(","), ...lines].join("\n")], name);

  test("a cell that names a text which the workbook does not have, and a lock file", async () => {
    const xml = rowsXml([HEADING, ["1", "a", "b", "c"]]).replace(
      "</row></sheetData>",
      '</row><row r="3"><c r="C3" t="s"><v>7</v></c></row></sheetData>',
    );
    expect(await validated(xlsxFile([{ name: "List", xml }], {}, "damaged.xlsx"))).toContain("Cell C3 of the sheet “List” is damaged");
    expect(await validated(new File(["Admin"], "~$damaged.xlsx"))).toContain("somebody has a workbook open");
  });

  test("a separator that lacks, lost zeros, texts that stand for no value", async () => {
    const printed = await validated(
      csv("cells.csv", '900001,$9"Kids, 24""",A1', "900002,n/a,Ek,00123", "900003,Bo,Li,00456", "900004,Cy,Poe,789"),
    );
    expect(printed).toContain("a separator is missing beside one");
    const notes = readFileSync(join(at.folder, "cells.csv.report.json"), "utf8");
    expect(notes).toContain("Account ID: “789” has fewer digits than the others");
    expect(notes).toContain("First name: “n/a” says that there is no value");
  });

  test("backslashes are read as in the app", async () => {
    const path = at.write("dump.csv", [HEADING.join(","), "910001,\\N,O\\'Neill,DUMP1", "910002,Bo,Ek\\, Jr.,DUMP2"].join("\n"));
    expect((await batch(at.service.url, ["run", path])).code).toBe(0);
    const { out } = await batch(at.service.url, ["show", path, "--records", "2"]);
    expect(out).toContain("O'Neill");
    expect(out).toContain("Ek, Jr.");
    expect(await at.storedOnce("DUMP")).toEqual([2, 2]);
  });
});
