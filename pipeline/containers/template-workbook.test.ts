import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";
import { inspectFile } from "../inspection/inspect-file.ts";
import { customers, employees } from "../testing/fake-service.ts";
import { rowsOf } from "./row-source.ts";
import { templateWorkbook } from "./template-workbook.ts";
import { cellText } from "./write-xlsx.ts";

test.each([customers, employees])(
  "a workbook to fill in says that it has no rows; filled in, its rows are read with all columns matched",
  async (collection) => {
    const bytes = templateWorkbook(collection);
    await expect(inspectFile(new File([bytes], "template.xlsx"), collection)).rejects.toThrow("This file has a heading but no rows.");
    const parts = unzipSync(bytes);
    const sheet = strFromU8(parts["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
    const filled = sheet.replace("</sheetData>", `<row r="2">${cellText("A2", "4711")}${cellText("B2", "Zoë")}</row></sheetData>`);
    const file = new File([zipSync({ ...parts, "xl/worksheets/sheet1.xml": strToU8(filled) })], "template.xlsx");
    const { header, dialect, columns } = await inspectFile(file, collection);
    expect(columns).toEqual(collection.fields.flatMap(({ name, computed }) => (computed === undefined ? name : [])));
    expect(columns).toEqual(header);
    const rows: string[][] = [];
    for await (const block of rowsOf({ file, plan: { dialect } })) rows.push(...block.rows);
    expect(rows.map((cells) => cells.slice(0, 2))).toEqual([["4711", "Zoë"]]);
  },
);

test("its columns have drop-downs, bounds and notes from the dictionary, and its examples are valid", async () => {
  const parts = unzipSync(templateWorkbook(employees));
  const [main = "", examples = ""] = [1, 2].map((n) => strFromU8(parts[`xl/worksheets/sheet${n}.xml`] ?? new Uint8Array()));
  const closed = employees.fields.findIndex((field) => field.enum !== undefined);
  expect(main).toContain(`'Values'!$${String.fromCharCode(65 + closed)}$1:`);
  expect(main).toContain('type="whole" operator="between"');
  expect(main).toContain('type="textLength" operator="between"');
  expect(main.match(/<dataValidation /g)).toHaveLength(employees.fields.filter(({ computed }) => computed === undefined).length);
  expect(examples.match(/<row /g)).toHaveLength(employees.fields.length);
  expect(examples).toContain(employees.fields[1]?.example ?? "nothing");
  expect(Object.keys(parts)).toContain("xl/worksheets/sheet3.xml");
});
