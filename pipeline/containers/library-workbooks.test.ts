// A workbook that a library wrote, with shared strings and styles, has the records that went into it.

import { expect, test } from "vitest";
import writeExcelFile from "write-excel-file/node";
import { inspectFile } from "../inspection/inspect-file.ts";
import { customers } from "../testing/fake-service.ts";
import { rowsOf } from "./row-source.ts";

const ROWS = [
  ["objectId", "lastName", "firstName", "accountID"],
  [5, "Ångström & <Co>", "山田", "0073"],
  [6, ' "quoted", text ', "line\nbreak", "=1+1"],
  [7, "Ek", null, "true"],
];

test("text, numbers, empty cells and several sheets", async () => {
  const cells = ROWS.map((row) =>
    row.map((value) => (value === null ? null : { value, type: typeof value === "number" ? Number : String })),
  );
  const day = { value: new Date(Date.UTC(2025, 11, 31)), type: Date, format: "dd.mm.yyyy" };
  const other = [[{ value: true, type: Boolean }, day, { value: 501, type: Number, format: "00000" }]];
  const sheets = [
    { data: cells, sheet: "Customers" },
    { data: other, sheet: "Other values" },
  ];
  const bytes = await writeExcelFile(sheets as Parameters<typeof writeExcelFile>[0]).toBuffer();
  const file = new File([new Uint8Array(bytes)], "library.xlsx");

  const { dialect, header, container } = await inspectFile(file, customers);
  expect(container?.tables.map(({ name }) => name)).toEqual(["Customers", "Other values"]);
  expect([dialect.sheet, header]).toEqual(["Customers", ROWS[0]]);
  const read = async (plan: typeof dialect) => {
    const rows: string[][] = [];
    for await (const block of rowsOf({ file, plan: { dialect: plan } })) rows.push(...block.rows);
    return rows;
  };
  expect(await read(dialect)).toEqual(ROWS.slice(1).map((row) => row.map((value) => String(value ?? ""))));
  expect(await read({ ...dialect, sheet: "Other values", headingLine: 0 })).toEqual([["TRUE", "2025-12-31", "00501"]]);
});
