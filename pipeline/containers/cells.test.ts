// Holds the reader to what the text of a cell is, by its value, its type and its number format.

import { describe, expect, test } from "vitest";
import type { RowBlock } from "../reading/csv-rows.ts";
import { odsFile, type WrittenParts, xlsxFile } from "../testing/workbooks.ts";
import { fillPattern, parseFormat } from "./number-format.ts";
import { rowsOf } from "./row-source.ts";

async function read(file: File, sheet = "Sheet1"): Promise<{ rows: string[][]; notes: readonly string[] }> {
  const dialect = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 0, sheet } as const;
  const blocks: RowBlock[] = [];
  for await (const block of rowsOf({ file, plan: { dialect } })) blocks.push(block);
  return { rows: blocks.flatMap(({ rows }) => rows), notes: blocks.at(-1)?.notes ?? [] };
}

/** The texts of cells that are written one below the other. */
async function textsOf(cells: readonly string[], parts: WrittenParts = {}): Promise<string[]> {
  const xml = cells.map((cell, i) => `<row r="${i + 1}">${cell}<c t="inlineStr"><is><t>.</t></is></c></row>`).join("");
  const { rows } = await read(xlsxFile([{ name: "Sheet1", xml: `<sheetData>${xml}</sheetData>` }], parts));
  return rows.map((row) => row[0] as string);
}

describe("numbers with a format", () => {
  test.for<[format: string, value: string, text: string]>([
    ["General", "5", "5"],
    ["0.00", "1234.5", "1234.5"],
    ["#,##0.00 €", "1234.5599999999999", "1234.56"],
    ["0.00", "0.30000000000000004", "0.3"],
    ["General", "1.1000000000000001", "1.1"],
    ["General", "1E-3", "0.001"],
    ["General", "4111111111111111", "4111111111111111"],
    ["General", "5.5800000000000001E+12", "5580000000000"],
    ["0%", "0.125", "0.125"],
    ["00000", "501", "00501"],
    ["00000", "1234567", "1234567"],
    ["000\\-000", "7501", "007-501"],
    ['"K"00000', "501", "K00501"],
    ["@", "501", "501"],
    ["yyyy-mm-dd", "45657", "2024-12-31"],
    ["dd/mm/yyyy", "45657.604166666664", "2024-12-31T14:30:00"],
    ["[$-407]d. mmmm yyyy;@", "46022", "2025-12-31"],
    ["yyyy\\-mm\\-dd hh:mm:ss", "45657", "2024-12-31"],
    ["h:mm AM/PM", "0.60416666666666663", "14:30:00"],
    ["[h]:mm", "1.145833333333333", "27:30:00"],
    ["mm:ss.0", "0.00001157407", "00:00:01"],
    ["d.m.yyyy", "1", "1900-01-01"],
    ["d.m.yyyy", "59", "1900-02-28"],
    ["d.m.yyyy", "60", "1900-02-29"],
    ["d.m.yyyy", "61", "1900-03-01"],
    ["d.m.yyyy", "-5", "-5"],
    ["d.m.yyyy", "2958465", "9999-12-31"],
    ["d.m.yyyy", "2958466", "2958466"],
    ['#,##0" days"', "12", "12"],
    ['0 "Stück"', "12", "12"],
    ["[Red]-0.0;0", "3", "3"],
    ["mmm-yy", "45657", "2024-12-31"],
  ])("%s shows %s: the text is %s", async ([format, value, text]) => {
    expect(await textsOf([`<c s="1"><v>${value}</v></c>`], { formats: [format] })).toEqual([text]);
  });

  test("dates of the system of 1904 are four years and a day later", async () => {
    const parts = { formats: ["yyyy-mm-dd"], is1904: true };
    expect(await textsOf(['<c s="1"><v>0</v></c>', '<c s="1"><v>44195</v></c>'], parts)).toEqual(["1904-01-01", "2024-12-31"]);
  });

  test("a time alone is no time of the first day of 1904", async () => {
    const cells = [1, 2, 3, 4].map((style) => `<c s="${style}"><v>0.60416666666666663</v></c>`);
    const formats = ["hh:mm", "h:mm AM/PM", "m/d/yy h:mm", "[$-409]mmm h:mm"];
    const time = "14:30:00";
    expect(await textsOf(cells, { formats, is1904: true })).toEqual([time, time, `1904-01-01T${time}`, `1904-01-01T${time}`]);
    expect(await textsOf(cells, { formats })).toEqual([time, time, time, time]);
  });

  test("formats with quoted letters, colours and conditions are no dates", () => {
    for (const code of ['0 "days"', "[Yellow]0", "[>100]0;0.0", "# ?/?", "0.00E+00", "#,##0_);[Red](#,##0)", "\\d0"]) {
      expect(parseFormat(code).is, code).toBe("general");
    }
    expect(fillPattern("\0\0\0-\0\0\0", -7501)).toBe("-007-501");
  });
});

describe("texts, formulas and other types", () => {
  test("of shared, inline and formula texts, with runs, readings, spaces and signs that XML cannot hold", async () => {
    const strings = `<si><t>plain &amp; simple</t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t xml:space="preserve"> text</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t>two_x000D_
lines _x005F_x0041_ &#x41;</t></si><si/>`;
    const cell = (n: number) => `<c t="s"><v>${n}</v></c>`;
    expect(await textsOf([0, 1, 2, 3].map(cell), { strings })).toEqual(["plain & simple", "rich  text", "東京", "two\r\nlines _x0041_ A"]);
    expect(await textsOf(['<c t="str"><f>A1&amp;"x"</f><v>1 &lt; 2</v></c>', "<c t='inlineStr'><is><t> a </t></is></c>"])).toEqual([
      "1 < 2",
      " a ",
    ]);
  });

  test("of results, errors, truth values and ISO dates", async () => {
    const cells = ["<c><f>1+1</f><v>2</v></c>", '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', '<c t="b"><v>1</v></c>', '<c t="b"><v>0</v></c>'];
    const dates = ['<c t="d"><v>2025-12-31T00:00:00</v></c>', '<c t="d"><v>2025-12-31T14:30:00.000</v></c>'];
    expect(await textsOf([...cells, ...dates])).toEqual(["2", "#DIV/0!", "TRUE", "FALSE", "2025-12-31", "2025-12-31T14:30:00"]);
  });

  test("a formula without a result is named and marked; an empty text as a result is not", async () => {
    const xml =
      '<sheetData><row r="1"><c r="A1"><f>B1</f><v/></c><c r="B1" t="str"><f>""</f><v></v></c><c r="C1"><v>1</v></c></row></sheetData>';
    const { rows, notes } = await read(xlsxFile([{ name: "Sheet1", xml }]));
    expect(rows).toEqual([["#FORMULA!", "", "1"]]);
    expect(notes).toEqual([expect.stringMatching(/^1 formula has no stored result: A1\. Open the workbook/)]);
  });
});

test("rows and cells stand where their references say; gaps, prefixes, hidden parts and long numbers are dealt with", async () => {
  const xml = `<x:cols><x:col min="2" max="3" hidden="1"/></x:cols><x:sheetData><x:row r="2"><x:c r="A2"><x:v>1</x:v></x:c><x:c r="D2"><x:v>4</x:v></x:c></x:row>
    <x:row r="5" hidden="1"><x:c r="B5"><x:v>12345678901234567</x:v></x:c></x:row><x:row r="6"><x:c r="A6" s="0"/></x:row></x:sheetData><x:mergeCells><x:mergeCell ref="A2:B3"/></x:mergeCells>`;
  const { rows, notes } = await read(xlsxFile([{ name: "Sheet1", xml }]));
  expect(rows).toEqual([
    ["1", "", "", "4"],
    ["", "12345678901234568", "", ""],
  ]);
  expect(notes.map((note) => note.split(".")[0])).toEqual([
    "2 hidden columns are read like the others: B, C",
    "1 hidden row is read like the others: 5",
    "1 number has 16 digits or more: B5",
    "1 block of cells is merged: A2:B3",
  ]);
});

test("cells of an OpenDocument spreadsheet have their values, not what is shown", async () => {
  const cell = (attributes: string, shown: string) => `<table:table-cell ${attributes}><text:p>${shown}</text:p></table:table-cell>`;
  const value = (type: string, attributes: string, shown: string) => cell(`office:value-type="${type}" office:${attributes}`, shown);
  const cells = [
    value("float", 'value="1234.5"', "1.234,50"),
    value("float", 'value="501"', "00501"),
    value("percentage", 'value="0.125"', "12,5 %"),
    value("currency", 'currency="EUR" office:value="5"', "5,00 €"),
    value("date", 'date-value="2025-12-31"', "31.12.25"),
    value("date", 'date-value="2025-12-31T14:30:00.000000000"', "31.12.25 14:30"),
    value("time", 'time-value="PT27H30M00S"', "27:30"),
    value("boolean", 'boolean-value="true"', "WAHR"),
    cell('table:formula="of:=1/0" office:value-type="string" calcext:value-type="error"', "#DIV/0!"),
    '<table:table-cell office:value-type="string"><office:annotation><text:p>a note</text:p></office:annotation><text:p>two<text:s text:c="2"/><text:span>words</text:span></text:p><text:p>lines</text:p></table:table-cell>',
    '<table:table-cell table:formula="of:=[.A1]"/>',
  ];
  const table = `<table:table table:name="Sheet1"><table:table-column table:visibility="collapse"/><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="16384"/></table:table-row><table:table-row table:number-rows-repeated="2">${cells.join("")}<table:table-cell table:number-columns-repeated="16373"/></table:table-row><table:table-row table:number-rows-repeated="1048572"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`;
  const { rows, notes } = await read(
    odsFile(
      `<table:table table:name="Other"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>${table}`,
    ),
  );
  const row = [
    "1234.5",
    "00501",
    "0.125",
    "5",
    "2025-12-31",
    "2025-12-31T14:30:00",
    "27:30:00",
    "TRUE",
    "#DIV/0!",
    "two  words\nlines",
    "#FORMULA!",
  ];
  expect(rows).toEqual([row, row]);
  expect(notes).toHaveLength(2);
});

test("a formula of an OpenDocument spreadsheet whose result is an empty text is an empty cell", async () => {
  const cell = (content: string) => `<table:table-cell table:formula="of:=IF([.Z1]=1;2;&quot;&quot;)"${content}`;
  const table = `<table:table table:name="Sheet1"><table:table-row>${cell("><text:p/></table:table-cell>")}${cell("/>")}${cell(' office:value-type="string" office:string-value=""/>')}${cell("><text:p>x</text:p></table:table-cell>")}</table:table-row></table:table>`;
  const { rows } = await read(odsFile(table));
  expect(rows).toEqual([["", "#FORMULA!", "", "x"]]);
});
