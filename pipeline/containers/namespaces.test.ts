// Workbooks as the standard allows them: other prefixes, extensions of newer programs, paths, comments; and damaged ones.

import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { inspectFile } from "../inspection/inspect-file.ts";
import type { Choices } from "../model/dialect.ts";
import { FileError } from "../model/file-error.ts";
import { customers } from "../testing/fake-service.ts";
import { odsFile, odsTable, rowsXml, xlsxFile, zipFile } from "../testing/workbooks.ts";
import { rowsOf } from "./row-source.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main";
const X14 = `xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"`;
const MC = `xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`;
const HEADING = '<row r="1"><c t="inlineStr"><is><t>lastName</t></is></c><c t="inlineStr"><is><t>firstName</t></is></c></row>';

/** The heading and the rows, or the sentence of the refusal. */
async function read(file: File, choices: Choices = {}): Promise<string[][] | string> {
  try {
    const { dialect, header } = await inspectFile(file, customers, choices);
    const rows = [header];
    for await (const block of rowsOf({ file, plan: { dialect } })) rows.push(...block.rows);
    return rows;
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
}

/** The workbook with some of its parts changed. */
async function changed(file: File, change: (path: string, xml: string) => string | undefined, name = file.name): Promise<File> {
  const { unzipSync, strFromU8 } = await import("fflate");
  const parts = unzipSync(new Uint8Array(await file.arrayBuffer()));
  return zipFile(
    Object.fromEntries(
      Object.entries(parts).flatMap(([path, bytes]) => {
        const xml = change(path, strFromU8(bytes));
        return xml === undefined ? [] : [[path, xml]];
      }),
    ),
    name,
  );
}

const sheetOf = (rows: string, more = "") => [{ name: "Sheet1", xml: `<sheetData>${HEADING}${rows}</sheetData>${more}` }];

describe("what is of another namespace, or an extension, is nobody's row, cell or setting", () => {
  const date = '<row r="2"><c s="1"><v>43538</v></c></row>';
  const workbook = (is1904: boolean) => xlsxFile(sheetOf(date), { formats: ["yyyy-mm-dd"], is1904 });
  const withWorkbook = (is1904: boolean, more: string) =>
    changed(workbook(is1904), (path, xml) => (path === "xl/workbook.xml" ? xml.replace("</workbook>", `${more}</workbook>`) : xml));

  test.for([
    `<extLst><ext uri="{1}" ${X14}><x14:workbookPr defaultImageDpi="32767"/></ext></extLst>`,
    `<extLst><ext uri="{1}"><workbookPr date1904="0"/></ext></extLst>`,
    `<x15:workbookPr xmlns:x15="http://schemas.microsoft.com/office/spreadsheetml/2010/11/main" chartTrackingRefBase="1"/>`,
    `<mc:AlternateContent ${MC}><mc:Choice Requires="x15"><workbookPr date1904="0"/></mc:Choice></mc:AlternateContent>`,
    `<other xmlns="urn:other"><workbookPr date1904="0"/></other>`,
  ])("the workbook counts from 1904 beside %s", async (more) => {
    expect(await read(await withWorkbook(true, more))).toEqual([
      ["lastName", "firstName"],
      ["2023-03-15", ""],
    ]);
  });

  test("nor do extensions make a workbook count from 1904", async () => {
    const more = `<extLst><ext uri="{1}" ${X14}><x14:workbookPr date1904="1"/></ext></extLst>`;
    expect(await read(await withWorkbook(false, more))).toEqual([
      ["lastName", "firstName"],
      ["2019-03-14", ""],
    ]);
    const attribute = await changed(workbook(false), (path, xml) =>
      path === "xl/workbook.xml" ? xml.replace("<sheets>", `<workbookPr ${X14} x14:date1904="1"/><sheets>`) : xml,
    );
    expect(await read(attribute)).toEqual([
      ["lastName", "firstName"],
      ["2019-03-14", ""],
    ]);
  });

  test("rows, cells and values", async () => {
    const rows = `<row r="2"><c r="A2"><v>1</v><x14:v ${X14}>9</x14:v><extLst><ext><v>8</v></ext></extLst></c><x14:c ${X14} r="B2"><x14:v>7</x14:v></x14:c></row>
      <x14:row ${X14} r="3"><c r="A3"><v>6</v></c></x14:row><row r="4" ${X14} x14:r="9"><c x14:r="B4" r="A4"><v>2</v></c></row>`;
    const more = `<extLst><ext ${X14}><x14:conditionalFormattings><row r="5"><c r="A5"><v>5</v></c></row></x14:conditionalFormattings></ext></extLst>`;
    expect(await read(xlsxFile(sheetOf(rows, more)))).toEqual([
      ["lastName", "firstName"],
      ["1", ""],
      ["2", ""],
    ]);
  });

  test("cells, notes, shapes and kept changes of an OpenDocument spreadsheet", async () => {
    const text = (words: string) => `<text:p>${words}</text:p>`;
    const draw = 'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"';
    const cell = (within: string) => `<table:table-cell office:value-type="string">${within}</table:table-cell>`;
    const heading = `<table:table-row>${cell(text("lastName"))}${cell(text("firstName"))}</table:table-row>`;
    const row = `<table:table-row>${cell(`<office:annotation>${text("note")}</office:annotation>${text("Bo")}<draw:frame ${draw}><draw:text-box>${text("shape")}</draw:text-box></draw:frame>`)}
      <o:table-cell xmlns:o="urn:other" office:value-type="string">${text("x")}</o:table-cell><table:table-cell calcext:value="5" office:value-type="float" office:value="7">${text("7")}</table:table-cell></table:table-row>`;
    const kept = `<table:tracked-changes><table:table table:name="Old"><table:table-row>${cell(text("z"))}</table:table-row></table:table></table:tracked-changes>`;
    const file = odsFile(`${kept}<table:table table:name="Sheet1">${heading}${row}</table:table>`);
    expect(await read(file)).toEqual([
      ["lastName", "firstName"],
      ["Bo", "7"],
    ]);
  });
});

describe("namespaces count, not prefixes", () => {
  const plain = xlsxFile(sheetOf('<row r="2"><c r="A2" s="1"><v>43538</v></c><c r="B2" t="s"><v>0</v></c></row>'), {
    formats: ["yyyy-mm-dd"],
    strings: "<si><t>Ada</t></si>",
    is1904: true,
  });
  const rows = [
    ["lastName", "firstName"],
    ["2023-03-15", "Ada"],
  ];

  test("with a prefix, in the strict form, and with another prefix for relations", async () => {
    const prefixed = await changed(plain, (path, xml) =>
      path.startsWith("xl/") && !path.endsWith(".rels")
        ? xml.replace(/<(\/?)(?![?!])/g, "<$1main:").replaceAll(`xmlns="${MAIN}"`, `xmlns:main="${MAIN}"`)
        : xml,
    );
    const strict = await changed(plain, (_, xml) =>
      xml
        .replaceAll(MAIN, STRICT)
        .replaceAll("http://schemas.openxmlformats.org/officeDocument/2006/", "http://purl.oclc.org/ooxml/officeDocument/"),
    );
    const renamed = await changed(plain, (_, xml) =>
      xml.replace("xmlns:r=", `xmlns:r='urn:other' r:id="x" xmlns:rel=`).replaceAll('r:id="rId', "r:id='no' rel:id = \"rId"),
    );
    for (const file of [plain, prefixed, strict, renamed]) expect(await read(file)).toEqual(rows);
  });

  test("of an OpenDocument spreadsheet", async () => {
    const ods = odsFile(odsTable(rows));
    const renamed = await changed(ods, (path, xml) =>
      path === "content.xml" ? xml.replace(/\btable:(?!1\.0)/g, "t:").replace("xmlns:table=", "xmlns:t=") : xml,
    );
    expect(await read(ods)).toEqual(rows);
    expect(await read(renamed)).toEqual(rows);
  });

  test("a part in another language is refused, not read as an empty one", async () => {
    const file = await changed(plain, (path, xml) => (path.includes("worksheets") ? xml.replaceAll(MAIN, "urn:other") : xml));
    expect(await read(file)).toMatch(/^This file is not a spreadsheet/);
  });
});

describe("what a damaged cell held is not guessed", () => {
  test.for([
    ['<c t="s"><v>99</v></c>', "A2"],
    ['<c r="B2" t="s"><v>-1</v></c>', "B2"],
    ['<c t="s"><v>0.5</v></c>', "A2"],
    ['<c t="s"><v>x</v></c>', "A2"],
    ['<c s="7"><v>43538</v></c>', "A2"],
  ])("%s", async ([cell]) => {
    const file = xlsxFile(sheetOf(`<row r="2">${cell}</row>`), { strings: "<si><t>Ada</t></si>" });
    expect(await read(file)).toMatch(/^Cell [AB]2 of the sheet “Sheet1” is damaged/);
  });

  test("a part that is missing is named", async () => {
    const workbook = xlsxFile(sheetOf('<row r="2"><c t="s"><v>0</v></c></row>'), { strings: "<si><t>Ada</t></si>" });
    for (const part of ["xl/sharedStrings.xml", "xl/styles.xml", "xl/worksheets/sheet1.xml"])
      expect(await read(await changed(workbook, (path, xml) => (path === part ? undefined : xml)))).toContain(`“${part}” is missing`);
  });
});

test("an inline text counts alone where the type says so", async () => {
  const cells = [
    '<c t="inlineStr"><v>3</v><is><t>right</t></is></c>',
    '<c t="inlineStr"><is><r><t>in </t></r><r><t>runs</t></r></is><v>3</v></c>',
    '<c t="inlineStr"><v>alone</v></c>',
    '<c t="s"><v>0</v><is><t>wrong</t></is></c>',
    "<c><v>5</v><is><t>wrong</t></is></c>",
    "<c><is><t>007</t></is></c>",
  ];
  const rows = cells.map((cell, i) => `<row r="${i + 2}">${cell}<c><v>1</v></c></row>`).join("");
  const found = await read(xlsxFile(sheetOf(rows), { strings: "<si><t>Ada</t></si>" }));
  expect((found as string[][]).slice(1).map(([first]) => first)).toEqual(["right", "in runs", "alone", "Ada", "5", "007"]);
});

test("the parts of a format decide by their conditions", async () => {
  const cases: [format: string, value: string, text: string][] = [
    ["[<4.17][hh]:mm:ss;yyyy-mm-dd", "0.5", "12:00:00"],
    ["[<4.17][hh]:mm:ss;yyyy-mm-dd", "43538", "2019-03-14"],
    ["[>=100]yyyy-mm-dd;0", "43538", "2019-03-14"],
    ["[>=100]yyyy-mm-dd;0", "99", "99"],
    ["[>=100]0;yyyy-mm-dd", "99", "1900-04-08"],
    ["[=0]0;[<1]hh:mm;yyyy-mm-dd", "0", "0"],
    ["[=0]0;[<1]hh:mm;yyyy-mm-dd", "0.25", "06:00:00"],
    ["[=0]0;[<1]hh:mm;yyyy-mm-dd", "2", "1900-01-02"],
    ["[<>0]yyyy-mm-dd;0", "0", "0"],
    ["[<=9999]0000;00000", "501", "0501"],
    ["[<=9999]0000;00000", "12345", "12345"],
    ["[$-409]yyyy-mm-dd;@", "43538", "2019-03-14"],
    ["0;0;yyyy", "0", "00:00:00"],
    ["yyyy-mm-dd;0", "-5", "-5"],
    ["00000;-00000", "-501", "-00501"],
    ["00000;-00000;0", "-501", "-00501"],
    ['yyyy-mm-dd" ; "0;[Red]0', "43538", "2019-03-14"],
    ["yyyy\\;mm;0", "43538", "2019-03-14"],
  ];
  const rows = cases.map(([, value], i) => `<row r="${i + 2}"><c s="${i + 1}"><v>${value}</v></c><c><v>1</v></c></row>`).join("");
  const found = await read(xlsxFile(sheetOf(rows), { formats: cases.map(([format]) => format) }));
  expect((found as string[][]).slice(1).map(([first]) => first)).toEqual(cases.map(([, , text]) => text));
});

const ROWS = [
  ["lastName", "firstName"],
  ["Byron", "Ada"],
];
const WORKBOOK = xlsxFile([{ name: "Sheet1", xml: rowsXml(ROWS) }]);

test.for([
  ["backslashes", (xml: string) => xml.replaceAll("worksheets/", "worksheets\\")],
  ["an address", (xml: string) => xml.replaceAll("sheet1.xml", "sheet%31.xml")],
  ["a path from the root with a step back", (xml: string) => xml.replaceAll('"worksheets/', '"/xl/styles/../worksheets/')],
  ["other letters", (xml: string) => xml.replaceAll("sheet1.xml", "Sheet1.XML")],
] as const)("relations with %s lead to their part", async ([, change]) => {
  expect(await read(await changed(WORKBOOK, (path, xml) => (path.endsWith("workbook.xml.rels") ? change(xml) : xml)))).toEqual(ROWS);
});

test("parts whose names have spaces or foreign letters, written as they are or as addresses", async () => {
  for (const [name, target] of [
    ["my sheet", "my%20sheet"],
    ["my%20sheet", "my%20sheet"],
    ["my%20sheet", "my sheet"],
    ["100%", "100%"],
    ["Übersicht", "%C3%9Cbersicht"],
    ["%C3%9CBERSICHT", "übersicht"],
  ]) {
    const parts: Record<string, string> = {};
    await changed(WORKBOOK, (path, xml) => {
      parts[path.replace("sheet1.xml", `${name}.xml`)] = xml.replace("sheet1.xml", `${target}.xml`);
      return xml;
    });
    expect(await read(zipFile(parts, "book.xlsx"))).toEqual(ROWS);
  }
});

test("a comment of a ZIP may hold anything, also what ends a ZIP", async () => {
  const bytes = new Uint8Array(await WORKBOOK.arrayBuffer());
  const end = bytes.subarray(bytes.length - 22);
  for (const comment of [
    strToU8("Made by hand"),
    new Uint8Array([...end, 1, 2]),
    new Uint8Array([...end.subarray(0, 20), 9, 9, 0, 0]),
    new Uint8Array(65_535).fill(80),
  ]) {
    const head = bytes.slice();
    new DataView(head.buffer).setUint16(head.length - 2, comment.length, true);
    expect(await read(new File([head, comment], "book.xlsx"))).toEqual(ROWS);
  }
  expect(await read(new File([bytes, "\r\n-- end of mail --"], "book.xlsx"))).toEqual(ROWS);
});

describe("a workbook in an archive", () => {
  const packed = async (others: Record<string, string> = {}, workbook: File = WORKBOOK) =>
    zipFile({
      ...others,
      "list/book.xlsx": new Uint8Array(await workbook.arrayBuffer()),
      "__MACOSX/list/._book.xlsx": "x",
      "list/~$book.xlsx": "x",
    });

  test("is opened, with all its sheets", async () => {
    const workbook = xlsxFile([
      { name: "First", xml: rowsXml(ROWS) },
      { name: "Second", xml: rowsXml([ROWS[0] as string[], ["Hopper", "Grace"]]) },
    ]);
    const file = await packed({}, workbook);
    expect(await read(file)).toEqual(ROWS);
    expect(await read(file, { sheet: "Second" })).toEqual([ROWS[0], ["Hopper", "Grace"]]);
    const { container, dialect } = await inspectFile(file, customers);
    expect(container).toMatchObject({ kind: "workbook", packed: ["list/book.xlsx"], tables: [{ name: "First" }, { name: "Second" }] });
    expect(dialect).toMatchObject({ entry: "list/book.xlsx", sheet: "First" });
  });

  test("is proposed before a text without headings, and not before a table of the collection", async () => {
    expect(await read(await packed({ "readme.txt": "Made in May\nby hand" }))).toEqual(ROWS);
    const file = await packed({ "a.csv": "lastName,firstName\nNoether,Emmy" });
    expect(await read(file)).toEqual([ROWS[0], ["Noether", "Emmy"]]);
    expect(await read(file, { entry: "list/book.xlsx" })).toEqual(ROWS);
  });

  test("in gzip, and of OpenDocument", async () => {
    const { gzipFile } = await import("../testing/workbooks.ts");
    expect(await read(gzipFile(new Uint8Array(await WORKBOOK.arrayBuffer()), "book.xlsx.gz"))).toEqual(ROWS);
    expect(await read(zipFile({ "book.ods": new Uint8Array(await odsFile(odsTable(ROWS)).arrayBuffer()) }))).toEqual(ROWS);
  });

  test("is refused with its own sentence where a workbook would be", async () => {
    expect(await read(zipFile({ "old.xls": new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) }))).toMatch(/\(\.xls\)/);
    expect(
      await read(zipFile({ "book.xlsb": zipSync({ "[Content_Types].xml": strToU8("<Types/>"), "xl/workbook.bin": strToU8("x") }) })),
    ).toMatch(/\.xlsb/);
  });
});

test.for(["~$book.xlsx", ".~lock.book.ods#"])("%s is no workbook but says that one is open", async (name) => {
  expect(await read(new File(["\u0005Admin ", "\0".repeat(150)], name))).toMatch(
    /somebody has a workbook open.*Choose the workbook itself/,
  );
});
