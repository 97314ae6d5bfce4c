// Files of databases, with backslashes, and tables with headings of groups above their own.

import { describe, expect, test } from "vitest";
import { rowsOf } from "../containers/row-source.ts";
import { customers, fileOf } from "../testing/fake-service.ts";
import { rowsXml, xlsxFile } from "../testing/workbooks.ts";
import { inspectFile } from "./inspect-file.ts";

async function read(file: File): Promise<{ quote: string; header: string[]; rows: string[][]; malformed: number }> {
  const { dialect, header } = await inspectFile(file, customers);
  const rows: string[][] = [];
  let malformed = 0;
  for await (const block of rowsOf({ file, plan: { dialect } })) {
    rows.push(...block.rows);
    malformed += block.malformed.size;
  }
  return { quote: dialect.quote, header, rows, malformed };
}

describe("backslashes before marks and delimiters", () => {
  const HEADING = "lastName,firstName,accountID";
  test.each<[text: string, rows: string[][]]>([
    [
      `${HEADING}\n"O\\'Neill","Ann",A1\nSmith,Bo,A2`,
      [
        ["O'Neill", "Ann", "A1"],
        ["Smith", "Bo", "A2"],
      ],
    ],
    [
      `${HEADING}\nO\\'Neill,Ann,A1\nSmith,Bo,A2`,
      [
        ["O'Neill", "Ann", "A1"],
        ["Smith", "Bo", "A2"],
      ],
    ],
    [
      `${HEADING}\nSmith\\, Jr.,Ann,A1\nSmith,Bo,A2`,
      [
        ["Smith, Jr.", "Ann", "A1"],
        ["Smith", "Bo", "A2"],
      ],
    ],
    [
      `${HEADING}\n"O\\"Neill","a\\\\b","A1"\n"Smith",\\N,"A2"`,
      [
        ['O"Neill', "a\\b", "A1"],
        ["Smith", "", "A2"],
      ],
    ],
    [
      `${HEADING}\n\\N,Ann,A1\nSmith,Bo,\\N`,
      [
        ["", "Ann", "A1"],
        ["Smith", "Bo", ""],
      ],
    ],
    [
      `${HEADING.replaceAll(",", "\t")}\n\\N\tC:\\data\tA1\nSmith\\\tJr\tBo\tA2`,
      [
        ["", "C:\\data", "A1"],
        ["Smith\tJr", "Bo", "A2"],
      ],
    ],
  ])("%s", async (text, rows) => {
    expect(await read(fileOf(text))).toMatchObject({ quote: "backslash", rows, malformed: 0 });
  });

  test("in a file whose cells stand in apostrophes", async () => {
    const text = "'lastName','firstName','accountID'\n'O\\'Neill','it''s','A1'\n'Smith','Bo','A2'";
    expect(await read(fileOf(text))).toMatchObject({
      quote: "'",
      rows: [
        ["O'Neill", "it's", "A1"],
        ["Smith", "Bo", "A2"],
      ],
      malformed: 0,
    });
  });

  test.each([
    `${HEADING}\nC:\\temp\\new,Ann,A1\n\\\\srv\\x,Bo,A2`,
    `${HEADING}\nO'Neill,a\\'b,A1`,
    `${HEADING}\n"C:\\data\\",Ann,A1\nSmith,Bo,A2`,
  ])("are text in %s", async (text) => {
    const { quote, rows } = await read(fileOf(text));
    expect(quote).toBe('"');
    expect(rows.flat().join()).toContain("\\");
  });
});

describe("headings of groups", () => {
  const ROWS = [
    ["Ada", "Byron", "7", "L"],
    ["Bo", "Ek", "8", "M"],
  ];
  test.each<[groups: string[], names: string[]]>([
    [
      ["Person", "", "Account", ""],
      ["first", "last", "number", "kind"],
    ],
    [
      ["Person", "Person", "Account", "Account"],
      ["first", "last", "number", "kind"],
    ],
    [
      ["Last name", "", "", "Account ID"],
      ["first", "last", "number", "accountID"],
    ],
    [
      ["Last name", "", "Account ID", ""],
      ["firstName", "lastName", "number", "kind"],
    ],
    [
      ["Person", "Person", "Person", "Account"],
      ["firstName", "lastName", "number", "kind"],
    ],
  ])("%s above %s", async (groups, names) => {
    const table = [groups, names, ...ROWS];
    for (const file of [fileOf(table.join("\n")), xlsxFile([{ name: "S", xml: rowsXml(table) }])]) {
      expect(await read(file)).toMatchObject({ header: names, rows: ROWS, malformed: 0 });
    }
  });

  test.each<[string[], string[]]>([
    [
      ["", "name", "city", "age"],
      ["a", "Ada", "Leeds", "n/a"],
    ],
    [
      ["name", "name", "city", "age"],
      ["a", "Ada", "Leeds", "36"],
    ],
    [
      ["first", "last", "number", "kind"],
      ["Ann", "Lee", "none", "L"],
    ],
    [
      ["firstName", "", "lastName", "kind"],
      ["Ann", "x", "Lee", "L"],
    ],
  ])("%s is a heading, and %s a row", async (names, row) => {
    const { header, rows } = await read(fileOf([names, row, ["x", "y", "z", "4"], ["v", "w", "u", "5"]].join("\n")));
    expect([header, rows[0]]).toEqual([names, row]);
  });
});
