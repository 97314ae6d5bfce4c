import { describe, expect, test } from "vitest";
import { fileOf, plainDialect } from "../testing/fake-service.ts";
import { parseRows } from "./csv-rows.ts";
import { readText } from "./text-blocks.ts";

describe("rows that a stray quotation mark swallowed", () => {
  const strayQuotes = async (text: string) => {
    let found: unknown;
    for await (const block of parseRows(readText(fileOf(text), plainDialect, 64), plainDialect)) found = block.strayQuotes;
    return found;
  };
  test.each<[string, string, unknown]>([
    ["torn", 'a,b\n1,"x" y\n2,"z"\n3,w\n', { line: 2, through: 3, rows: 1, fix: { quote: "lines", rows: 1, into: 2 } }],
    ["never closed", 'a,b\n1,x\n2,"y\n3,z\n', { line: 3, through: 5, rows: 1, fix: { quote: "lines", rows: 1, into: 2 } }],
    [
      "two that happen to pair",
      'a,b,c\n1,"6 in,x\n2,y,z\n3,8 in",w\n4,v,u\n',
      { line: 2, through: 4, rows: 1, fix: { quote: "lines", rows: 1, into: 3 } },
    ],
    [
      "two neighbours that happen to pair",
      'a,b,c\n1,"6 in,x\n2,8 in",w\n',
      { line: 2, through: 3, rows: 1, fix: { quote: "lines", rows: 1, into: 2 } },
    ],
    [
      "with a letter elsewhere, which lines would cut",
      'a,b,c\n0,"Dear Ann,\nbye",x\n1,"6 in,x\n2,8 in",w\n',
      { line: 4, through: 5, rows: 1 },
    ],
    [
      "by a mark behind a backslash",
      'a,b\n1,"say \\"hi\\""\n2,w\n',
      { line: 2, through: 4, rows: 1, fix: { quote: "backslash", rows: 1, into: 2 } },
    ],
  ])("are found: %s", async (_, text, found) => {
    expect(await strayQuotes(text)).toEqual(found);
  });
  test.each([
    ["an address of three lines", 'a,b,c\n1,"Oak St 1\r\nLeeds\r\nUK",x\n'],
    ["a letter with commas", 'a,b,c,d\n1,"Dear Ann,\nthank you, and Bo,\nbye",x,y\n'],
    ["a row of another width", 'a,b,c\n1,"x\n2,y",z\n3,"x\n4",y,z,0\n'],
    ["words whose commas are as many as a row's", 'a,b,c\n1,"Dear Ann,\nthank you, Bo",x\n'],
    ["no quotation mark at all", "a,b\n1\n1,2,3\n"],
  ])("are not seen in %s", async (_, text) => {
    expect(await strayQuotes(text)).toBeUndefined();
  });
});

describe("a separator that lacks before a quoted text", () => {
  const unclear = async (line: string, delimiter = ",") => {
    const dialect = { ...plainDialect, delimiter };
    const rows: string[][] = [];
    const found: unknown[] = [];
    const text = `${["a", "b", "c", "d"].join(delimiter)}\n${line}\n`;
    for await (const block of parseRows(readText(fileOf(text), dialect), dialect)) {
      rows.push(...block.rows);
      found.push(...block.malformed.values());
    }
    expect(rows.map((cells) => cells.length)).toEqual([4]);
    return found.length > 0;
  };

  test.each([
    ...['1,$9"Kids, 24""",A1', '1,9€"Kids, 24""",A1', '1,9%"Kids, 24""",A1', '1,9 kr"Kids, 24""",A1', '1,Shoe"Kids, 24""",A1'],
    ...['1,(9)"Kids, 24""",A1', '1,£9 "Kids, 24""",A1', '1,$9" x, 24""",A1', '1,$9"*new*, 24",A1', '1,$9"""Kids"", 24",A1'],
    ...['1,9.50"24"" pipe, long",A1', '1,$9"Kids, 24"" cable",A1', '1,9"x, 24""",A1', '1,Ø"Kids, 24""",A1'],
  ])("%s is said", async (line) => {
    expect(await unclear(line)).toBe(true);
  });

  test("also beside other delimiters", async () => {
    expect(await unclear('1;9,"Kids; 24""";A1', ";")).toBe(true);
    expect(await unclear('1\t$9"Kids\t24"""\tA1', "\t")).toBe(true);
    expect(await unclear('1|9;"Kids| 24"|A1', "|")).toBe(true);
  });

  test.each([
    '1,pipe 5", tube 7",A1',
    '1,5"x3,7"x4,A1',
    '1,"a ""b"" c","d ""e",A1',
    '1,"He said ""Hi","there"" x",A1',
    '1,a "b" c,d,A1',
    '1,5" pipe,x,A1',
  ])("%s is read", async (line) => {
    expect(await unclear(line)).toBe(false);
  });
});
