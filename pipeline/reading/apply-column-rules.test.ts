import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowsOf } from "../containers/row-source.ts";
import { addedColumns, areColumnRules, type ColumnRule } from "../model/column-rules.ts";
import type { Dialect } from "../model/dialect.ts";
import { applyColumnRules, createRowChange } from "./apply-column-rules.ts";
import type { RowBlock } from "./csv-rows.ts";

function changed(rules: readonly ColumnRule[], ...cells: string[]): string[] {
  createRowChange(rules)(cells);
  return cells;
}
const replace = (find: string, to: string, more: object = {}): ColumnRule => ({
  ...{ do: "replace", column: 0, find, to, isPattern: false, ignoresCase: false },
  ...more,
});

describe("a rule for a column", () => {
  const split = (separator: string, at: "every" | "first" | "last"): ColumnRule => ({
    ...{ do: "split", column: 0, separator, at, into: at === "every" ? ["a", "b", "c"] : ["a", "b"] },
  });
  const cases: [string, ColumnRule, string[], string[]][] = [
    ["replaces a text wherever it stands", replace(".", ","), ["1.2.3"], ["1,2,3"]],
    ["takes signs of patterns and of replacements as they stand", replace("(a+)", "$&$1"), ["x(a+)"], ["x$&$1"]],
    ["finds other cases only when it may", replace("ÄB", "-", { ignoresCase: true }), ["äb ÄB"], ["- -"]],
    ["replaces by a pattern with groups", replace("(\\d+)-(\\d+)", "$2/$1", { isPattern: true }), ["10-20"], ["20/10"]],
    ["sees a cell without the guard of our own file", replace("^\\+", "00", { isPattern: true }), ["'+4412"], ["004412"]],
    ["makes letters large", { do: "case", column: 0, to: "upper" }, ["straße ı"], ["STRASSE I"]],
    ["makes letters small", { do: "case", column: 0, to: "lower" }, ["ÀÉ"], ["àé"]],
    ["begins words with a large letter", { do: "case", column: 0, to: "title" }, ["o’NEIL-müller 3RD"], ["O’neil-Müller 3Rd"]],
    ["trims, also spaces that do not break", { do: "trim", column: 0 }, ["\u00a0 a b\t"], ["a b"]],
    [
      "unites the spellings of a value",
      { do: "unite", column: 0, spellings: [{ from: ["bonn ", "BONN"], to: "Bonn" }] },
      [" BONN", "bonn"],
      ["Bonn", "bonn"],
    ],
    ["keeps digits only", { do: "digits", column: 0 }, ["+49 (0) 30-12"], ["4903012"]],
    ["fills an empty cell from another column", { do: "fill", column: 0, from: 1 }, [" ", "x"], ["x", "x"]],
    ["leaves a filled cell as it is", { do: "fill", column: 0, from: 1 }, ["y", "x"], ["y", "x"]],
    ["splits at the first separator", split(" ", "first"), [" Ana van Poe "], [" Ana van Poe ", "Ana", "van Poe"]],
    ["splits at the last separator", split(" ", "last"), ["Ana van Poe"], ["Ana van Poe", "Ana van", "Poe"]],
    ["splits at every separator, with the rest in the last column", split(";", "every"), ["1; 2;3;4"], ["1; 2;3;4", "1", "2", "3;4"]],
    ["splits nothing without a separator", split(";", "every"), ["1"], ["1", "1", "", ""]],
    ["joins what is not empty", { do: "join", columns: [0, 1, 2], separator: ", ", into: "j" }, ["a", " ", "c"], ["a", " ", "c", "a, c"]],
    ["adds the same text to each row", { do: "constant", value: "x", into: "c" }, ["a"], ["a", "x"]],
    ["does nothing to a column that lacks", { do: "digits", column: -1 }, ["a"], ["a"]],
    ["reads a column that lacks as empty", { do: "fill", column: 0, from: -1 }, [""], [""]],
  ];
  test.each(cases)("%s", (_, rule, before, after) => {
    expect(areColumnRules([rule], 3)).toBe(true);
    expect(changed([rule], ...before)).toEqual(after);
  });

  test("works on what the rules before it made, also in columns that they added", () => {
    const rules: ColumnRule[] = [
      { do: "split", column: 0, separator: ",", at: "first", into: ["last", "first"] },
      { do: "case", column: 2, to: "upper" },
      { do: "join", columns: [2, 1], separator: " ", into: "name" },
    ];
    expect(changed(rules, "Poe, Ana")).toEqual(["Poe, Ana", "Poe", "ANA", "ANA Poe"]);
  });

  test("that would make a cell of many megabytes leaves it as it was", () => {
    const rules = Array.from({ length: 4 }, () => replace("a", "a".repeat(1_000)));
    const [cell = ""] = changed(rules, "a");
    expect([cell.length <= 1_000_000, /^a+$/.test(cell)]).toEqual([true, true]);
  });
});

describe("rules that nobody can apply", () => {
  test.each<[string, unknown]>([
    ["that are no list", {}],
    ["with a name that there is not", [{ do: "constructor", column: 0 }]],
    ["with a pattern that is none", [replace("(", "", { isPattern: true })]],
    ["that find nothing", [replace("", "x")]],
    ["of a column that there is not", [{ do: "trim", column: 3 }]],
    [
      "of a column that comes later",
      [
        { do: "trim", column: 3 },
        { do: "constant", value: "", into: "x" },
      ],
    ],
    ["with a part that nobody knows", [{ do: "trim", column: 0, more: 1 }]],
    ["without a part", [{ do: "split", column: 0, separator: " ", into: ["a", "b"] }]],
    ["in large number", Array.from({ length: 101 }, () => ({ do: "trim", column: 0 }))],
    ["with spellings of nothing", [{ do: "unite", column: 0, spellings: [] }]],
    ["with a spelling without a value", [{ do: "unite", column: 0, spellings: [{ from: ["a"], to: " " }] }]],
    [
      "with too many spellings",
      [{ do: "unite", column: 0, spellings: [{ from: Array.from({ length: 2_001 }, (_, i) => `a${i}`), to: "a" }] }],
    ],
    ["with a very long text", [{ do: "constant", value: "x".repeat(1_001), into: "x" }]],
  ])("are those %s", (_, rules) => {
    expect(areColumnRules(rules, 3)).toBe(false);
  });
});

const column = fc.integer({ min: -1, max: 2 });
const text = fc.string({ maxLength: 3 });
const someRule: fc.Arbitrary<ColumnRule> = fc.oneof(
  fc.record({
    do: fc.constant("replace" as const),
    column,
    find: fc.constantFrom("a", " ", ","),
    to: text,
    isPattern: fc.boolean(),
    ignoresCase: fc.boolean(),
  }),
  fc.record({ do: fc.constant("case" as const), column, to: fc.constantFrom("upper" as const, "lower" as const, "title" as const) }),
  fc.record({ do: fc.constantFrom("trim" as const, "digits" as const), column }),
  fc.record({ do: fc.constant("fill" as const), column, from: column }),
  fc.record({ do: fc.constant("unite" as const), column, spellings: fc.constant([{ from: ["a", "1,5"], to: "A b" }]) }),
  fc.record({
    do: fc.constant("split" as const),
    column,
    separator: fc.constantFrom(" ", ","),
    at: fc.constantFrom("every" as const, "first" as const, "last" as const),
    into: fc.constantFrom(["a", "b"], ["a", "b", "c"]),
  }),
  fc.record({
    do: fc.constant("join" as const),
    columns: fc.array(column, { minLength: 2, maxLength: 3 }),
    separator: text,
    into: fc.constant("j"),
  }),
);
const cell = fc.constantFrom("", " ", "a", "A b", "1,5", "x, y z", "'=1");

test("rows in blocks become what each row becomes alone, in rows and heading alike", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someRule, { maxLength: 5 }),
      fc.array(fc.tuple(cell, cell, cell), { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (rules, rows, size) => {
        const found: string[][] = [];
        for await (const { rows: out, header } of applyColumnRules(blocksOf(rows, size), rules, {})) {
          expect(header).toEqual(["x", "y", "z", ...addedColumns(rules)]);
          found.push(...out);
        }
        expect(found).toEqual(rows.map((cells) => changed(rules, ...cells)));
      },
    ),
  );
});

async function* blocksOf(rows: readonly (readonly string[])[], size: number): AsyncGenerator<RowBlock> {
  const header = ["x", "y", "z"];
  for (let i = 0; i < rows.length; i += size) {
    const part = rows.slice(i, i + size).map((cells) => [...cells]);
    yield {
      header,
      rows: part,
      first: i + 1,
      lines: part.map((_, at) => i + at + 2),
      malformed: new Map(),
      strayQuotes: undefined,
      bytesRead: i,
    };
  }
}

test("a row of another width stays as much too wide or too narrow as it was, and gets no value", async () => {
  const dialect: Dialect = { encoding: "UTF-8", bom: false, delimiter: ",", quote: '"', headingLine: 1 };
  const rules: ColumnRule[] = [{ do: "constant", value: "c", into: "new" }];
  const found: string[][] = [];
  for await (const { rows } of rowsOf({ file: new File(["x,y\n1\n1,2\n1,2,3\n1,2,,\n"], "a.csv"), plan: { dialect, rules } }))
    found.push(...rows);
  expect(found).toEqual([
    ["1", ""],
    ["1", "2", "c"],
    ["1", "2", "", "3"],
    ["1", "2", "c", "", ""],
  ]);
});

test("rules see an apostrophe before a formula only where the form of the file has no guards", () => {
  const trimmed = (isExact?: true) => {
    const cells = [" '=1 "];
    createRowChange([{ do: "trim", column: 0 }], isExact)(cells);
    return cells;
  };
  expect([trimmed(), trimmed(true)]).toEqual([["=1"], ["'=1"]]);
});
