import { expect, test } from "vitest";
import { csvLine, guardFormula, unguardFormula } from "../../core/text/csv.ts";
import { inspectFile } from "../inspection/inspect-file.ts";
import { customers } from "../testing/fake-service.ts";
import { csvToXlsx, errorsFileToXlsx } from "./csv-to-xlsx.ts";
import { rowsOf } from "./row-source.ts";

const ROWS = [
  ["objectId", "firstName", "lastName", "accountID"],
  ["7", "=1+1", '<O\'Neill> & "Co"', "00501"],
  ["8", " spaced ", "two\r\nlines", "_x000D_ \u0001"],
  ["9", "朴 😀", "-5", "4111111111111111"],
];

async function read(file: File): Promise<string[][]> {
  const { dialect } = await inspectFile(file, customers);
  const rows: string[][] = [];
  for await (const block of rowsOf({ file, plan: { dialect } })) {
    if (rows.length === 0) rows.push([...block.header]);
    rows.push(...block.rows);
  }
  return rows;
}

test("an export as a workbook has the same cells, and formulas are text", async () => {
  const csv = new Blob([`\uFEFF${ROWS.map((cells) => csvLine(cells.map(guardFormula))).join("")}`]);
  const xlsx = await new Response(csvToXlsx(csv.stream(), { name: "Customers: all/some", numbers: new Set(["objectId"]) })).blob();
  expect(await read(new File([xlsx], "customers.xlsx"))).toEqual(ROWS);
});

test("a value that looks like a guarded formula is the same after an export as a workbook", async () => {
  const values = ["'=already", "''=twice", "x;'=1+1", "=1+1", '="0042"', "it's"];
  const csv = new Blob([`\uFEFF${csvLine(["lastName"])}${values.map((value) => csvLine([guardFormula(value)])).join("")}`]);
  const xlsx = await new Response(csvToXlsx(csv.stream(), { name: "Customers" })).blob();
  const [, ...rows] = await read(new File([xlsx], "customers.xlsx"));
  expect(rows.map(([cell = ""]) => unguardFormula(cell))).toEqual(values);
});

test("a file of rows not stored keeps its cells, whatever its delimiter is", async () => {
  for (const delimiter of [",", ";", "\t"]) {
    const line = (cells: string[]) => `${cells.map((cell) => csvLine([cell]).slice(0, -2)).join(delimiter)}\r\n`;
    const rows = ROWS.map((cells, i) => [i === 0 ? "Why not stored" : "Wrong, because; so", ...cells]);
    const xlsx = await errorsFileToXlsx(new Blob(["\uFEFF", ...rows.map(line)]), "wrong-not-stored");
    expect(await read(new File([xlsx], "wrong.xlsx"))).toEqual(rows);
  }
});

test("a text that no cell of Excel can hold is named, instead of a workbook that Excel calls damaged", async () => {
  const save = async (length: number) => {
    const csv = new Blob([csvLine(["key", "note"]), csvLine(["1", "x".repeat(length)])]);
    return read(new File([await new Response(csvToXlsx(csv.stream(), { name: "Notes" })).blob()], "notes.xlsx"));
  };
  expect((await save(32_767))[1]?.[1]).toHaveLength(32_767);
  await expect(save(32_768)).rejects.toThrow(
    "Excel cannot hold this table. Cell B2 would have 32,768 characters, and 32,767 fit into a cell. Save the table as CSV.",
  );
});
