import { describe, expect, test } from "vitest";
import type { Choices } from "../model/dialect.ts";
import { runInspection } from "../runs/run-upload.ts";
import { customers, fileOf } from "../testing/fake-service.ts";
import { detectDelimiter } from "./detect-dialect.ts";
import type { FileInspection } from "./inspect-file.ts";

const bytes = (...list: (number | string)[]) =>
  new Uint8Array(list.flatMap((item) => (typeof item === "string" ? [...new TextEncoder().encode(item)] : item)));

async function rejection(content: string | Uint8Array): Promise<string> {
  const state = await runInspection(fileOf(content), customers);
  return state.step === "refused" ? `${state.title} ${state.detail}` : state.step;
}

async function inspection(content: string | Uint8Array, choices?: Choices): Promise<FileInspection> {
  const state = await runInspection(fileOf(content), customers, choices);
  if (state.step !== "columns") throw new Error(JSON.stringify(state));
  return state.inspection;
}

function utf16(text: string, bigEndian = false): Uint8Array {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return new Uint8Array(units.flatMap((unit) => (bigEndian ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])));
}

describe("a file that is not CSV is refused, with what it is and what to do", () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ["an empty file", "", /empty.*Choose another file/],
    ["blank lines only", "\n \r\n\n", /empty/],
    ["a byte order mark only", "\uFEFF", /empty/],
    ["a heading only", "objectId,lastName,accountID\n", /heading but no rows/],
    ["an old Excel workbook", bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0), /Excel 97 \(\.xls\).*save it as \.xlsx/],
    ["the beginning of a ZIP", bytes("PK", 3, 4, 20, 0, "customers.csv"), /damaged or incomplete/],
    ["the beginning of a gzip", bytes(0x1f, 0x8b, 8, 0), /damaged or incomplete/],
    ["a PDF", "%PDF-1.7\n%âãÏÓ", /PDF/],
    ["a picture", bytes(0x89, "PNG\r\n"), /picture/],
    ["an empty ZIP", bytes("PK", 5, 6, ...new Array<number>(18).fill(0)), /ZIP file is empty/],
    ["a 7z", bytes("7z", 0xbc, 0xaf, 0x27, 0x1c, 0, 4), /7z.*Unpack it/],
    ["a text document", "{\\rtf1\\ansi", /RTF.*save it as CSV/],
    ["a photograph", bytes(0xff, 0xd8, 0xff, 0xe0), /picture/],
    ["a database", bytes("SQLite format 3", 0, 16, 0), /SQLite.*Export the table/],
    ["a Parquet file", bytes("PAR1", 0x15, 4, 0x15), /Parquet/],
    ["UTF-32", bytes(0xff, 0xfe, 0, 0, "a", 0, 0, 0), /UTF-32.*UTF-8/],
    ["UTF-16 that is a web page", utf16("<!DOCTYPE html>\n<html><body>Sign in</body></html>"), /web page/],
    [
      "an Excel workbook saved as XML",
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook>',
      /Excel workbook \(saved as XML/,
    ],
    ["XML", '<?xml version="1.0"?>\n<customers><customer id="1"/></customers>', /XML.*Ask for/],
    ["JSON of one record", '{\n  "lastName": "Smith"\n}', /JSON/],
    ["contact cards", "BEGIN:VCARD\r\nFN:Ann\r\n", /contact cards/],
    ["compressed data without a name", bytes(...Array.from({ length: 4000 }, (_, i) => ((i * 2654435761) >>> 13) & 255 || 1)), /not text/],
    ["other binary data", bytes(...Array.from({ length: 400 }, (_, i) => (i * 7) % 11)), /not text/],
    ["a web page", "<!DOCTYPE html><html><body>Sign in</body></html>", /web page/],
    ["JSON", '[{"lastName": "Smith"}]', /JSON/],
  ])("%s", async (_, content, words) => {
    expect(await rejection(content)).toMatch(words);
  });

  test("a single NUL does not refuse the file", async () => {
    expect(await rejection("lastName,accountID\nSm\0ith,7\n")).toBe("columns");
  });
});

describe("the detected delimiter is the one that makes rows as wide as the heading", () => {
  test.each([
    ["a,b\n1,2\n", ","],
    ["a;b\n1;2\n", ";"],
    ["a\tb\n1\t2\n", "\t"],
    ["id;name;address\n1;Smith, John;Oak St 1, Leeds, UK\n2;Doe, Jo;Elm St 2, York, UK\n", ";"],
    ["id;name, first\n1;Smith, John\n2;Doe, Jo\n", ";"],
    ["id,notes\n1,a; b; c\n2,d; e; f\n", ","],
    ['id,"a;b;c"\n1,"x;y;z"\n', ","],
    ["name\tnote\nSmith, John\tx; y\nDoe, Jo\tz; w\n", "\t"],
    ['id;"a,b"\r\n1;"x\n,y"\r\n', ";"],
    ["id|name\n1|Smith, John\n2|Doe, Jo\n", "|"],
    ["id,tags\n1,a|b\n2,c|d\n3,e|f\n", ","],
    ["List of May, 2026\n\nid;name\n1;Smith, John\n2;Doe, Jo\n", ";"],
    ["id;name\n1;Smith, John, 5\n", ";"],
    ["lastName\nSmith\n", ","],
    ["a,b,c\n1,2\n3,4\n", ","],
    ["a;b\r1;2\r", ";"],
  ])("%j → %j", (text, delimiter) => {
    expect(detectDelimiter(text, true)).toBe(delimiter);
  });

  test("the user's own choice wins", async () => {
    const state = await runInspection(fileOf("a;b,c\n1;2,3\n"), customers, { delimiter: ";" });
    expect(state.step === "columns" && state.inspection.header).toEqual(["a", "b,c"]);
  });
});

describe("the inspection of a file", () => {
  test("shows heading, first rows and dialect, and reads no further than it needs", async () => {
    const text = `\uFEFFObject ID;Last name;Account ID\r\n${"1;Ångström;007\r\n".repeat(50_000)}`;
    const state = await runInspection(fileOf(text, "klanten.csv"), customers);
    expect(state).toMatchObject({
      step: "columns",
      inspection: {
        fileName: "klanten.csv",
        dialect: { encoding: "UTF-8", bom: true, delimiter: ";", quote: '"', headingLine: 1 },
        header: ["Object ID", "Last name", "Account ID"],
        columns: ["objectId", "lastName", "accountID"],
        samples: Array(5).fill(["1", "Ångström", "007"]),
        foreign: ["Ångström"],
        damage: [],
      },
    });
  });

  test("a character cut in two at the end of the head is no mistake", async () => {
    const text = `lastName,accountID\n${"é".repeat(32 * 1024)},7\n`; // the head's 64 KiB end within an é
    expect((await runInspection(fileOf(text), customers)).step).toBe("columns");
  });

  test("one long first row is read whole", async () => {
    const state = await runInspection(fileOf(`lastName,accountID\n${"é".repeat(200_000)},7\n`), customers);
    expect(state.step === "columns" && state.inspection.samples[0]?.[0]).toHaveLength(200_000);
  });
});

describe("the encoding is detected, with the evidence", () => {
  const text = "Object ID;Last name;Account ID\r\n1;Jörg Müller;7\r\n2;Zoë;8\r\n";
  const latin = (text: string) => new Uint8Array(Array.from(text, (c) => c.charCodeAt(0)));
  test.each<[string, Uint8Array, string, boolean, RegExp]>([
    ["UTF-8", bytes(text), "UTF-8", false, /encoded that way/],
    ["UTF-8 with its mark", bytes(0xef, 0xbb, 0xbf, text), "UTF-8", true, /mark/],
    ["plain ASCII", bytes("lastName;accountID\nAnn;7\n"), "UTF-8", false, /plain ASCII/],
    ["windows-1252", latin(text), "windows-1252", false, /line 2 has bytes that are not UTF-8/],
    ["UTF-16 LE with its mark", new Uint8Array([0xff, 0xfe, ...utf16(text)]), "UTF-16LE", true, /mark/],
    ["UTF-16 BE with its mark", new Uint8Array([0xfe, 0xff, ...utf16(text, true)]), "UTF-16BE", true, /mark/],
    ["UTF-16 LE without", utf16(text), "UTF-16LE", false, /every other byte is zero/],
    ["UTF-16 BE without", utf16(text, true), "UTF-16BE", false, /every other byte is zero/],
    ["UTF-16 without, in Chinese", utf16("姓;名;号\r\n王;小明;7\r\n李;娜;8\r\n"), "UTF-16LE", false, /every other byte/],
  ])("%s", async (_, content, encoding, bom, why) => {
    const found = await inspection(content);
    expect(found.dialect).toMatchObject({ encoding, bom });
    expect(found.why).toMatch(why);
    expect(found.header.join()).not.toContain("\uFEFF");
    if (/Müller/.test(text) && found.columns[1] === "lastName") expect(found.foreign).toEqual(["Jörg Müller", "Zoë"]);
  });

  test("the user's choice wins, and can be taken back when it does not fit", async () => {
    expect((await inspection(latin(text), { encoding: "KOI8-R" })).samples[0]?.[1]).toMatch(/^J.rg M.ller$/);
    const state = await runInspection(fileOf(latin(text)), customers, { encoding: "UTF-8" });
    expect(state).toMatchObject({
      step: "refused",
      title: "This file is not all UTF-8.",
      detail: expect.stringContaining("“1;Jörg Müller;7”"),
    });
  });

  test("text that already holds a replacement character stays UTF-8", async () => {
    expect((await inspection("lastName,accountID\nJ\uFFFDrg,7\n")).dialect.encoding).toBe("UTF-8");
  });
});

describe("the heading is detected", () => {
  const fields = "Object ID;Last name;Account ID\n1;Ann;A\n2;Bo;B\n";
  test.each<[string, string, number]>([
    ["in the first line", fields, 1],
    ["below title lines", `Customer list\nas of May, 2026\n\n${fields}`, 4],
    ["below title lines of a spreadsheet", `Customer list;;\nMay 2026;;\n;;\n${fields}`, 4],
    ["below Excel's line with the separator", `sep=;\r\n${fields}`, 2],
    ["in other words than the dictionary's", "My list;;\nNumber;Who;Where\n1;Ann;A\n2;Bo;B\n", 2],
    ["nowhere, when the first rows are data", "100482;Ann;A-1\n100483;Bo;B-1\n", 0],
    ["above a row in which a field's name is a value", "no;who;what\n1;Ann;x\n2;Konto;y\n", 1],
    ["in the first line, though the rows are wider", "no;who\n1;Ann;x\n2;Bo;y\n", 1],
    ["in the first line, though the rows are narrower", "no;who;what\n1;Ann\n2;Bo\n", 1],
    ["below a title of two cells", "List;May 2026\nno;who;what;where\n1;Ann;x;A\n2;Bo;y;B\n", 2],
    ["in a file of one column", "lastName\nSmith\nJones\n", 1],
    ["over two lines", '"Object\nID";Last name;Account ID\n1;Ann;A\n', 1],
  ])("%s", async (_, text, line) => {
    expect((await inspection(text)).dialect.headingLine).toBe(line);
  });

  test("Excel's line names the separator, whatever else is in the file", async () => {
    const { dialect, header, samples } = await inspection("sep=|\r\nlastName|accountID\r\nSmith, Jo; Jr.|7\r\n");
    expect([dialect.delimiter, header, samples]).toEqual(["|", ["lastName", "accountID"], [["Smith, Jo; Jr.", "7"]]]);
  });

  test("Excel's line is no row of a file without a heading", async () => {
    const { dialect, header, samples } = await inspection("sep=;\r\n100482;Ann;A-1\r\n100483;Bo;B-1\r\n");
    expect([dialect.headingLine, header.length, samples]).toEqual([
      0,
      3,
      [
        ["100482", "Ann", "A-1"],
        ["100483", "Bo", "B-1"],
      ],
    ]);
  });

  test("the user may choose another line, or none", async () => {
    expect((await inspection(fields, { headingLine: 2 })).header).toEqual(["1", "Ann", "A"]);
    const { header, samples, columns } = await inspection(fields, { headingLine: 0 });
    expect([header[0], samples[0], columns]).toEqual(["Column 1", ["Object ID", "Last name", "Account ID"], [null, null, null]]);
    expect(await runInspection(fileOf(fields), customers, { headingLine: 9 })).toMatchObject({
      step: "refused",
      detail: expect.stringContaining("another line"),
    });
  });
});

describe("quotation marks", () => {
  test("apostrophes are quotes where every line has them", async () => {
    const { dialect, samples } = await inspection("'Last name','Account ID'\n'Smith, Jo','7'\n'van ''t Hoff','8'\n");
    expect([dialect.quote, samples]).toEqual([
      "'",
      [
        ["Smith, Jo", "7"],
        ["van 't Hoff", "8"],
      ],
    ]);
  });

  test("apostrophes in names are text", async () => {
    expect((await inspection("Last name,Account ID\n't Hoff,7\nO'Neill,8\n'Bo',9\n")).dialect.quote).toBe('"');
  });

  test("a stray mark in the first rows is reported at once", async () => {
    expect((await inspection('lastName,accountID\n"Ann,1\nBo,2\nCy,3\n')).strayQuotes).toMatchObject({
      line: 2,
      through: 5,
      rows: 1,
      fix: { quote: "lines", into: 3 },
    });
  });

  test("a mark in the heading refuses the file, and offers to read marks as text", async () => {
    const state = await runInspection(fileOf('lastName,"accountID\nAnn,1\n'), customers);
    expect(state).toMatchObject({ step: "refused", autoFix: { choices: { quote: "lines" } } });
    expect((await inspection('lastName,"accountID\nAnn,1\n', { quote: "lines" })).columns).toEqual(["lastName", "accountID"]);
  });
});
