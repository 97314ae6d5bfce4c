// Tests that what LibreOffice itself saves as .xlsx and .ods is read as it was meant, and loaded by the command.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsOf } from "../../pipeline/containers/row-source.ts";
import { inspectFile } from "../../pipeline/inspection/inspect-file.ts";
import type { Choices } from "../../pipeline/model/dialect.ts";
import { customers } from "../../pipeline/testing/fake-service.ts";
import { ADMIN_SECRET, authorize, type Started } from "../../server/testing/process.ts";
import { EMPLOYEES } from "../../server/testing/service.ts";
import { flatWorkbook, saveAs } from "../testing/libreoffice.ts";
import { batch, makeFolder, startService } from "../testing/process.ts";

const TYPES = ["xlsx", "ods"] as const;
const SLOW = { timeout: 600_000 };

const FORMATS = {
  yesNo: "<number:boolean-style><number:boolean/></number:boolean-style>",
  day: '<number:date-style><number:day number:style="long"/><number:text>.</number:text><number:month number:style="long"/><number:text>.</number:text><number:year/></number:date-style>',
  named:
    '<number:date-style><number:day-of-week number:style="long"/><number:text>, </number:text><number:day/><number:text> </number:text><number:month number:textual="true" number:style="long"/><number:text> </number:text><number:year number:style="long"/></number:date-style>',
  moment:
    '<number:date-style><number:month/><number:text>/</number:text><number:day/><number:text>/</number:text><number:year/><number:text> </number:text><number:hours/><number:text>:</number:text><number:minutes number:style="long"/><number:text> </number:text><number:am-pm/></number:date-style>',
  clock:
    '<number:time-style><number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/></number:time-style>',
  length:
    '<number:time-style number:truncate-on-overflow="false"><number:hours/><number:text>:</number:text><number:minutes number:style="long"/><number:text>:</number:text><number:seconds number:style="long"/></number:time-style>',
  percent:
    '<number:percentage-style><number:number number:decimal-places="0" number:min-integer-digits="1"/><number:text> %</number:text></number:percentage-style>',
  euro: '<number:currency-style><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/><number:text> </number:text><number:currency-symbol number:language="de" number:country="DE">€</number:currency-symbol></number:currency-style>',
  code: '<number:number-style><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style>',
  thousands:
    '<number:number-style><number:number number:decimal-places="0" number:min-integer-digits="1" number:grouping="true"/></number:number-style>',
  power:
    '<number:number-style><number:scientific-number number:decimal-places="2" number:min-integer-digits="1" number:min-exponent-digits="2"/></number:number-style>',
};

const text = (...paragraphs: string[]) =>
  `<table:table-cell office:value-type="string">${paragraphs.map((line) => `<text:p>${line}</text:p>`).join("")}</table:table-cell>`;
const number = (value: number | string, style = "", type = "float") =>
  `<table:table-cell${style && ` table:style-name="${style}"`} office:value-type="${type}" office:value="${value}"/>`;
const date = (value: string, style = "day") =>
  `<table:table-cell table:style-name="${style}" office:value-type="date" office:date-value="${value}"/>`;
const time = (value: string, style: string) =>
  `<table:table-cell table:style-name="${style}" office:value-type="time" office:time-value="${value}"/>`;
const truth = (value: boolean) =>
  `<table:table-cell table:style-name="yesNo" office:value-type="boolean" office:boolean-value="${value}"/>`;
/** Without a result: LibreOffice works it out. */
const formula = (of: string, style = "") => `<table:table-cell${style && ` table:style-name="${style}"`} table:formula="of:=${of}"/>`;
const row = (cells: readonly string[], more = "") => `<table:table-row${more}>${cells.join("")}</table:table-row>`;

/** Says what is in a cell, how it was put there, and the text that a row must have for it. */
const CELLS: readonly [title: string, xml: string, expected: string][] = [
  ["text", text("Märta Ångström"), "Märta Ångström"],
  ["text of digits", text("00501"), "00501"],
  ["text like a formula", text("=1+1"), "=1+1"],
  ["text with marks", text("O&quot;Neill &amp; &lt;Sons&gt;, 王 😀"), 'O"Neill & <Sons>, 王 😀'],
  ["spaces in a row", text("a<text:s text:c='3'/>b"), "a   b"],
  ["two lines", text("first", "second"), "first\nsecond"],
  ["several runs", text("one <text:span>two</text:span> three"), "one two three"],
  ["a link", text('<text:a xlink:href="mailto:ek@example.org" xlink:type="simple">ek@example.org</text:a>'), "ek@example.org"],
  [
    "a cell with a comment",
    '<table:table-cell office:value-type="string"><office:annotation><text:p>not this</text:p></office:annotation><text:p>this</text:p></table:table-cell>',
    "this",
  ],
  ["a day with a year of two digits", date("2025-12-31"), "2025-12-31"],
  ["a day in words", date("2024-02-29", "named"), "2024-02-29"],
  ["the first day that all programs count alike", date("1900-03-01"), "1900-03-01"],
  ["a day far away", date("9999-12-31"), "9999-12-31"],
  ["a day and a time", date("2025-12-31T14:30:00", "moment"), "2025-12-31T14:30:00"],
  ["a time", time("PT14H30M00S", "clock"), "14:30:00"],
  ["a length of time", time("PT27H30M05S", "length"), "27:30:05"],
  ["true", truth(true), "TRUE"],
  ["false", truth(false), "FALSE"],
  ["a percentage", number("0.125", "percent", "percentage"), "0.125"],
  ["an amount", number("1234567.5", "euro", "currency"), "1234567.5"],
  ["a number with leading zeros", number(501, "code"), "00501"],
  ["a number shown without its fraction", number("1234.56", "thousands"), "1234.56"],
  ["a number of 15 digits", number("123456789012345"), "123456789012345"],
  ["a number shown as a power", number("4700000000", "power"), "4700000000"],
  ["a large number", number("1e21"), "1e+21"],
  ["a small number", number("0.00000012"), "1.2e-7"],
  ["a negative number", number("-42.5"), "-42.5"],
  ["a formula that is a number", formula("2*21"), "42"],
  ["a formula with a fraction that does not end", formula("1/3"), "0.333333333333333"],
  ["a formula with what computers make of 0.1", formula("0.1+0.2"), "0.3"],
  ["a formula that is a text", formula("&quot;00&quot;&amp;&quot;7&quot;"), "007"],
  ["a formula that is a day", formula("DATE(2025;2;28)+1", "day"), "2025-03-01"],
  ["a formula that is a percentage", formula("1/8", "percent"), "0.125"],
  ["a formula that is true", formula("1=1"), "TRUE"],
  ["a formula that is an empty text", formula("&quot;&quot;"), ""],
  ["a formula into another sheet", formula("[$Hidden.A2]"), "from there"],
  ["a division by zero", formula("1/0"), "#DIV/0!"],
  ["a value that is not available", formula("NA()"), "#N/A"],
  ["a function that does not exist", formula("NOSUCH(1)"), "#NAME?"],
];

let folder: ReturnType<typeof makeFolder>;
beforeAll(() => {
  folder = makeFolder();
});
afterAll(() => folder.remove());

async function read(file: File, choices: Choices = {}) {
  const { dialect, container } = await inspectFile(file, customers, choices);
  const rows: string[][] = [];
  const lines: number[] = [];
  let header: readonly string[] = [];
  const notes = new Set<string>();
  for await (const block of rowsOf({ file, plan: { dialect } })) {
    header = block.header;
    rows.push(...block.rows);
    lines.push(...block.lines);
    for (const note of block.notes ?? []) notes.add(note);
  }
  return { header, rows, lines, sheets: container?.tables.map(({ name }) => name) ?? [], notes: [...notes] };
}

describe.runIf(process.env.DEEP).each(TYPES)("a workbook that LibreOffice saved as %s", (type) => {
  test("has in each cell what was meant, whatever the cell shows", SLOW, async () => {
    const source = flatWorkbook(
      [
        { name: "Cells", xml: row([text("what"), text("value")]) + CELLS.map(([title, xml]) => row([text(title), xml])).join("") },
        { name: "Hidden", xml: row([text("lastName")]) + row([text("from there")]), isHidden: true },
      ],
      { formats: FORMATS },
    );
    const { rows, sheets } = await read(saveAs(folder.path, { name: "cells.fods", text: source }, type), {
      sheet: "Cells",
      headingLine: 1,
    });
    expect(rows).toEqual(CELLS.map(([title, , expected]) => [title, expected]));
    expect(sheets).toEqual(["Cells", "Hidden"]);
  });

  test("counts its days from 1904 where the workbook does", SLOW, async () => {
    const days: [xml: string, expected: string][] = [
      [date("2025-12-31"), "2025-12-31"],
      [date("1904-01-02"), "1904-01-02"],
      [date("2025-12-31T14:30:00", "moment"), "2025-12-31T14:30:00"],
      [time("PT14H30M00S", "clock"), "14:30:00"],
      [formula("DATE(2024;2;29)", "day"), "2024-02-29"],
    ];
    const source = flatWorkbook([{ name: "Days", xml: [row([text("day")]), ...days.map(([xml]) => row([xml]))].join("") }], {
      formats: FORMATS,
      firstDay: "1904-01-01",
    });
    const { rows } = await read(saveAs(folder.path, { name: "mac.fods", text: source }, type), { headingLine: 1 });
    expect(rows).toEqual(days.map(([, expected]) => [expected]));
  });

  test("is read from its heading on, below merged titles, with hidden rows, columns and sheets", SLOW, async () => {
    const hidden = ' table:visibility="collapse"';
    const title = '<table:table-cell office:value-type="string" table:number-columns-spanned="4" table:number-rows-spanned="2">';
    const heading = ["objectId", "firstName", "lastName", "accountID"].map((name) => text(name));
    const record = (id: number) => [number(id), text("Ada"), text(`Sheet ${id}`), number(id, "code")];
    const columns = `<table:table-column/><table:table-column${hidden}/><table:table-column table:number-columns-repeated="2"/>`;
    const rows = [
      row([
        `${title}<text:p>Customers of May</text:p></table:table-cell>`,
        '<table:covered-table-cell table:number-columns-repeated="3"/>',
      ]),
      row(['<table:covered-table-cell table:number-columns-repeated="4"/>']),
      row([]),
      row(heading),
      row(record(1)),
      row(record(2), hidden),
      row(record(3), ' table:visibility="filter"'),
      row([]),
      row(record(4), ' table:number-rows-repeated="3"'),
    ];
    const source = flatWorkbook(
      [
        { name: "Notes", xml: row([text("Made by Bea")]) },
        { name: "Customers", xml: columns + rows.join("") },
        { name: "Old", xml: row(heading) + row(record(9)), isHidden: true },
      ],
      { formats: FORMATS },
    );
    const found = await read(saveAs(folder.path, { name: "titles.fods", text: source }, type));
    expect(found.header).toEqual(["objectId", "firstName", "lastName", "accountID"]);
    expect(found.rows).toEqual([1, 2, 3, 4, 4, 4].map((id) => [String(id), "Ada", `Sheet ${id}`, `0000${id}`]));
    expect(found.lines).toEqual([5, 6, 7, 9, 10, 11]);
    expect(found.sheets).toEqual(["Notes", "Customers", "Old"]);
    expect(found.notes.map((note) => note.split(/: |\. /, 2).join(": "))).toEqual(
      expect.arrayContaining([
        "1 hidden column is read like the others: B.",
        "2 hidden rows are read like the others: 6, 7.",
        "1 block of cells is merged: A1:D2",
      ]),
    );
  });

  test("has the cells of the CSV file of which it was made", SLOW, async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => [
      String(70_000 + i),
      ["Märta", "王", "O’Neil", "", "=1+1"][i % 5] as string,
      `${'a "quoted", name; '}${i}${i % 50 === 0 ? "\nand a line" : ""}`,
      String(i).padStart(6, "0"),
      `20${String(10 + (i % 20))}-0${1 + (i % 9)}-1${i % 10}`,
    ]);
    const heading = ["objectId", "firstName", "lastName", "accountID", "since"];
    const csv = [heading, ...rows].map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\n");
    const asText = "CSV:44,34,76,1,1/2/2/2/3/2/4/2/5/5,1033,false,false"; // comma, quotation mark, UTF-8; four columns are text, the last a day
    const saved = saveAs(folder.path, { name: "rows.csv", text: csv }, type, asText);
    const found = await read(saved);
    expect(found.header).toEqual(heading);
    expect(found.rows).toEqual(rows);
  });
});

describe.runIf(process.env.DEEP)("the command", () => {
  let service: Started;
  let headers: Record<string, string>;
  beforeAll(async () => {
    service = await startService(join(folder.path, "store"), "0", { DICTIONARY: EMPLOYEES });
    headers = await authorize(service.url, "preset", ADMIN_SECRET);
  });
  afterAll(() => service.child.kill("SIGKILL"));

  test.for(TYPES)("loads a sheet that LibreOffice saved as %s as it was meant", SLOW, async (type, { expect }) => {
    const from = type === "xlsx" ? 1_000 : 2_000;
    const heading = ["id", "name", "age", "Hired at", "permanent", "location", "birthday", "salary", "badge"].map((name) => text(name));
    const record = (i: number) => [
      formula(`${from}+${i}`),
      text(`Person ${i}`),
      number(20 + i, "thousands"),
      text("2026-01-31T08:30:00Z"),
      truth(i % 2 === 0),
      text("Kraków"),
      date("1985-06-30", i % 2 ? "named" : "day"),
      formula(`ROUND(1000/3;2)+${i}`, "euro"),
      formula(`&quot;NL-&quot;&amp;TEXT(${from}+${i};&quot;0000&quot;)`),
    ];
    const xml = [row([text("Staff of May")]), row([]), row(heading), ...Array.from({ length: 40 }, (_, i) => row(record(i)))].join("");
    const source = flatWorkbook([{ name: "Staff", xml }], { formats: FORMATS });
    saveAs(folder.path, { name: "staff.fods", text: source }, type);
    const { code, stderr } = await batch(service.url, ["run", join(folder.path, type, `staff.${type}`)]);
    expect(stderr).toContain("40 created");
    expect(code).toBe(0);
    for (const i of [0, 1, 39]) {
      const stored = await (await fetch(`${service.url}/v1/employees/${from + i}`, { headers })).json();
      expect(stored).toMatchObject({
        name: `Person ${i}`,
        age: 20 + i,
        permanent: i % 2 === 0,
        location: "Kraków",
        birthday: "1985-06-30",
        salary: (333.33 + i).toFixed(2),
        badge: `NL-${from + i}`,
      });
    }
  });
});
