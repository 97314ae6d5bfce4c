import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Delimiter, Dialect } from "../model/dialect.ts";
import { FileError } from "../model/file-error.ts";
import { fileOf, plainDialect } from "../testing/fake-service.ts";
import { parseRows } from "./csv-rows.ts";
import { readText } from "./text-blocks.ts";

interface Parsed {
  header: readonly string[];
  rows: string[][];
  numbers: number[];
  lines: number[];
  malformed: [number, string][];
}

async function parse(text: string, delimiter: Delimiter = ",", blockBytes?: number, more: Partial<Dialect> = {}): Promise<Parsed> {
  const dialect = { ...plainDialect, delimiter, ...more };
  const all: Parsed = { header: [], rows: [], numbers: [], lines: [], malformed: [] };
  for await (const block of parseRows(readText(fileOf(text), dialect, blockBytes), dialect)) {
    all.header = block.header;
    all.rows.push(...block.rows);
    all.numbers.push(...block.rows.map((_, i) => block.first + i));
    all.lines.push(...block.lines);
    all.malformed.push(...[...block.malformed].map(([i, why]): [number, string] => [block.first + i, String(why)]));
  }
  return all;
}

const DELIMITERS = [",", ";", "\t", "|"] as const;
const NEWLINES = ["\n", "\r\n", "\r"] as const;
const VISIBLE = `a Zoë 王小明 🙂 e\u0301 " "" , ; | ' '' 007 =1+1 \0`.split(" ");
const piece = fc.constantFrom(...VISIBLE, "\t", "\n", "\r\n", "\r", " ", "");
const cell = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));

/** Says how a row was written: its cells, whether each is quoted without need, its line end. */
const line = fc.record({
  cells: fc.array(fc.record({ text: cell, quoted: fc.boolean() }), { minLength: 1, maxLength: 5 }),
  newline: fc.constantFrom(...NEWLINES),
});

function write(cells: { text: string; quoted: boolean }[], delimiter: string, mark = '"'): string {
  const mustQuote = (text: string) =>
    text.trimStart().startsWith(mark) || /[^\s"]"[^\s"]/.test(text) || /[\r\n]/.test(text) || text.includes(delimiter);
  const quote = (text: string) => mark + text.replaceAll(mark, mark + mark) + mark;
  return cells.map(({ text, quoted }) => (quoted || mustQuote(text) ? quote(text) : text)).join(delimiter);
}

function isBlank(cells: { text: string }[]): boolean {
  return cells.length === 1 && cells[0]?.text.trim() === "";
}

describe("every cell is read as it was written", () => {
  test("whatever the delimiter, line ends, quoting and slice boundaries", async () => {
    const shape = fc.record({
      delimiter: fc.constantFrom(...DELIMITERS),
      quote: fc.constantFrom('"' as const, "'" as const),
      lines: fc.array(line, { maxLength: 12 }),
      oneNewline: fc.option(fc.constantFrom(...NEWLINES)),
      lastHasNewline: fc.boolean(),
      bom: fc.boolean(),
      blockBytes: fc.integer({ min: 1, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ delimiter, quote, lines, oneNewline, lastHasNewline, bom, blockBytes }) => {
        let text = `head${delimiter}er${oneNewline ?? "\n"}`;
        const expected: { cells: string[]; line: number }[] = [];
        for (const [i, { cells, newline }] of lines.entries()) {
          if (!isBlank(cells)) {
            expected.push({ cells: cells.map((c) => c.text), line: 1 + (text.match(/\r\n?|\n/g)?.length ?? 0) });
          }
          text += write(cells, delimiter, quote);
          if (i < lines.length - 1 || lastHasNewline) text += oneNewline ?? newline;
        }
        const parsed = await parse((bom ? "\uFEFF" : "") + text, delimiter, blockBytes, { quote });
        expect(parsed.header).toEqual(["head", "er"]);
        expect(parsed.rows).toEqual(expected.map(({ cells }) => cells));
        expect(parsed.lines).toEqual(expected.map((row) => row.line));
        expect(parsed.numbers).toEqual(expected.map((_, i) => i + 1));
        expect(parsed.malformed).toEqual([]);
      }),
      { numRuns: 1000, interruptAfterTimeLimit: 5_000 },
    );
  });

  test.each(Array.from({ length: 200 }, (_, i) => i + 1))("also in blocks of %i bytes", async (blockBytes) => {
    const text = '\uFEFFid,name\r\n1,"Zoë ""Zo"" van \'t Hoff"\r\n2,"Smith, Jr."\r3,"two\r\nlines"\n\n4,王小明🙂\r\n5,\r\n';
    const { rows, lines } = await parse(text, ",", blockBytes);
    expect(rows).toEqual([
      ["1", 'Zoë "Zo" van \'t Hoff'],
      ["2", "Smith, Jr."],
      ["3", "two\r\nlines"],
      ["4", "王小明🙂"],
      ["5", ""],
    ]);
    expect(lines).toEqual([2, 3, 4, 7, 8]);
  });

  test("a cell of 100,000 characters and a row of 1,000 columns", async () => {
    const long = "ä".repeat(100_000);
    const wide = Array.from({ length: 1000 }, (_, i) => String(i));
    const { rows } = await parse(`h\n"${long}"\n${wide.join(",")}\n`, ",", 1000);
    expect(rows).toEqual([[long], wide]);
  });

  test("a heading called __proto__ and two headings of one name stay as they are", async () => {
    const { header, rows } = await parse("__proto__,name,name\n1,2,3\n");
    expect(header).toEqual(["__proto__", "name", "name"]);
    expect(rows).toEqual([["1", "2", "3"]]);
  });

  test("numbers stay text", async () => {
    expect((await parse("zip,code\n00501,713752e1\n")).rows).toEqual([["00501", "713752e1"]]);
  });
});

describe("rows and lines", () => {
  test("blank lines are no rows but count as lines", async () => {
    const { rows, lines, numbers } = await parse("\n\na,b\n\n1,2\n   \n3,4\n\n\n");
    expect(rows).toEqual([
      ["1", "2"],
      ["3", "4"],
    ]);
    expect(numbers).toEqual([1, 2]);
    expect(lines).toEqual([5, 7]);
  });

  test("a row of delimiters alone is a row, unless the dialect leaves such rows out", async () => {
    expect((await parse("a,b\n,\n")).rows).toEqual([["", ""]]);
    const { rows, lines, numbers } = await parse('a,b\n,\n1,\n , \n"",\n,2\n,\n,\n', ",", undefined, { skipsEmpty: true });
    expect(rows).toEqual([
      ["1", ""],
      ["", "2"],
    ]);
    expect([numbers, lines]).toEqual([
      [1, 2],
      [3, 6],
    ]);
  });

  test("a last line without a line end is a row", async () => {
    expect((await parse("a,b\n1,2")).rows).toEqual([["1", "2"]]);
  });

  test("a quotation mark within unquoted text is text", async () => {
    const { rows, malformed } = await parse('a,b\n5" pipe,x\ny,6"\n');
    expect(rows).toEqual([
      ['5" pipe', "x"],
      ["y", '6"'],
    ]);
    expect(malformed).toEqual([]);
  });
});

describe("wrong quotation marks", () => {
  test("a stray mark is reported with the lines it swallows, and the rows after it are whole", async () => {
    const { rows, malformed } = await parse('a,b\n1,"x" y\n2,"z"\n3,w\n', ",", 5);
    expect(rows.at(-1)).toEqual(["3", "w"]);
    expect(malformed).toEqual([[1, expect.stringContaining("Lines 2 to 3")]]);
  });

  test("a mark that is never closed is reported with its line", async () => {
    const { rows, malformed } = await parse('a,b\n1,x\n2,"y\n3,z\n');
    expect(rows[0]).toEqual(["1", "x"]);
    expect(malformed).toEqual([[2, expect.stringContaining("Lines 3 to 5")]]);
  });

  test("a mark that swallows a million characters refuses the file, with the line", async () => {
    const text = `a,b\n1,x\n2,"y\n${"3,zzzzzzzzzzzzzzzz\n".repeat(120_000)}`;
    const refused = await parse(text).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FileError);
    expect((refused as FileError).detail).toContain("line 3 ");
  });

  test("a mark in the heading that is not closed refuses the file", async () => {
    await expect(parse('a,"b\n1,2\n')).rejects.toThrow("line 1");
  });
});

describe("the heading", () => {
  const text = 'Customers\r\n"as of 1 May\r\n\r\nid,name\r\n1,Ann\r\n2,Bo';
  test.each([1, 2, 3, 7, 1000])(
    "is the line that is named; lines above it are none of the file (blocks of %i bytes)",
    async (blockBytes) => {
      const { header, rows, lines, numbers, malformed } = await parse(text, ",", blockBytes, { headingLine: 4 });
      expect({ header, rows, lines, numbers, malformed }).toEqual({
        header: ["id", "name"],
        rows: [
          ["1", "Ann"],
          ["2", "Bo"],
        ],
        lines: [5, 6],
        numbers: [1, 2],
        malformed: [],
      });
    },
  );

  test.each([1, 1000])("is none: every line is a row (blocks of %i bytes)", async (blockBytes) => {
    const { header, rows, lines } = await parse("1,Ann\r2,Bo\r", ",", blockBytes, { headingLine: 0 });
    expect(header).toEqual(["Column 1", "Column 2"]);
    expect(rows).toEqual([
      ["1", "Ann"],
      ["2", "Bo"],
    ]);
    expect(lines).toEqual([1, 2]);
  });
});

describe("quotation marks as text", () => {
  const text = '1,"x" y\n2,"Smith, Jr."\n3,"5" pipe\n4,"open\n5,"say ""hi"""\n6,""\n7, "a" \n';
  test.each([1, 5, 1000])("are text where they have no partner in their line (blocks of %i bytes)", async (blockBytes) => {
    const { rows, lines, malformed } = await parse(`id,name\n${text}`, ",", blockBytes, { quote: "lines" });
    expect(rows).toEqual([
      ["1", '"x" y'],
      ["2", "Smith, Jr."],
      ["3", '"5" pipe'],
      ["4", '"open'],
      ["5", 'say "hi"'],
      ["6", ""],
      ["7", ' "a" '],
    ]);
    expect(lines).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(malformed).toEqual([]);
  });

  test("everywhere", async () => {
    const { rows } = await parse('id,name\n1,"Smith, Jr."\n2,"open\n', ",", 3, { quote: "none" });
    expect(rows).toEqual([
      ["1", '"Smith', ' Jr."'],
      ["2", '"open'],
    ]);
  });

  test("are read the same in both ways in well-formed rows of one line each", async () => {
    const flat = cell.map((text) => text.replace(/[\r\n]/g, ""));
    const rows = fc.array(fc.array(fc.record({ text: flat, quoted: fc.boolean() }), { minLength: 2, maxLength: 4 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(...DELIMITERS), async (given, delimiter) => {
        const text = `h${delimiter}h\n${given.map((cells) => `${write(cells, delimiter)}\n`).join("")}`;
        expect((await parse(text, delimiter, 50, { quote: "lines" })).rows).toEqual(given.map((cells) => cells.map((c) => c.text)));
      }),
    );
  });
});
