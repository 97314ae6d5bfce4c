import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { inspectFile } from "../inspection/inspect-file.ts";
import { matchHeader } from "../mapping/match-columns.ts";
import { customers, employees } from "../testing/fake-service.ts";
import { rowsOf } from "./row-source.ts";
import { templateWorkbook } from "./template-workbook.ts";

test.each([customers, employees])(
  "a workbook to fill in has all headings, which an upload of it matches, and no row",
  async (collection) => {
    const file = new File([templateWorkbook(collection)], "template.xlsx");
    const { header, dialect, columns } = await inspectFile(file, collection);
    expect(columns).toEqual(header);
    expect(matchHeader(collection, header)).toEqual(
      collection.fields.flatMap(({ name, computed }) => (computed === undefined ? name : [])),
    );
    const rows: unknown[] = [];
    for await (const block of rowsOf({ file, plan: { dialect } })) rows.push(...block.rows);
    expect(rows).toEqual([]);
  },
);

test("its columns have drop-downs, bounds and notes from the dictionary, and its examples are valid", async () => {
  const parts = unzipSync(templateWorkbook(employees));
  const [main = "", examples = ""] = [1, 2].map((n) => strFromU8(parts[`xl/worksheets/sheet${n}.xml`] ?? new Uint8Array()));
  const closed = employees.fields.findIndex((field) => field.enum !== undefined);
  expect(main).toContain(`'Values'!$${String.fromCharCode(65 + closed)}$2:`);
  expect(main).toContain('type="whole" operator="between"');
  expect(main).toContain('type="textLength" operator="between"');
  expect(main.match(/<dataValidation /g)).toHaveLength(employees.fields.filter(({ computed }) => computed === undefined).length);
  expect(examples.match(/<row /g)).toHaveLength(4);
  expect(Object.keys(parts)).toContain("xl/worksheets/sheet3.xml");
});
