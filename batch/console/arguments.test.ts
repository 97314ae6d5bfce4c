// Tests what an operator may type, and the message for each mistake.

import { expect, test } from "vitest";
import { LAYOUT_ENCODINGS } from "../../layouts/layouts/character-sets.ts";
import packageJson from "../../package.json" with { type: "json" };
import { ENCODINGS } from "../../pipeline/model/dialect.ts";
import { readArguments, UsageShown } from "./arguments.ts";
import { CommandError, EXIT } from "./exit-codes.ts";
import { USAGE } from "./usage.ts";

/** Each message is followed by where the help is. */
const WRONG: readonly (readonly [typed: string, message: string])[] = [
  ["go customers.csv", 'There is no command "go".'],
  ["rum customers.csv", 'There is no command "rum".'],
  ["validat customers.csv", 'There is no command "validat". Did you mean validate?'],
  ["run", "run is followed by FILE."],
  ["resume", "resume is followed by FILE or RUN."],
  ["run a.csv b.csv", "run is followed by FILE, and 2 words were given. Put a name with blanks in quotation marks."],
  ["export --layout a.json", "export is followed by FILE, or by COLLECTION and FILE."],
  [
    "status a.csv b.csv",
    "status is followed by FILE, RUN, DIR or nothing, and 2 words were given. Put a name with blanks in quotation marks.",
  ],
  ["undo a.csv b.csv", "undo is followed by FILE or RUN, and 2 words were given. Put a name with blanks in quotation marks."],
  ["layout", "layout is followed by new, from, sample, check or save."],
  ["run a.csv --colour red", "There is no option --colour."],
  ["run a.csv -x", "There is no option -x."],
  ["run a.csv --max-reject 1", "There is no option --max-reject. Did you mean --max-rejects?"],
  ["run a.csv --mode merge", '--mode is one of create, update, upsert, not "merge".'],
  ["run a.csv --max-rejects -1", "--max-rejects is followed by a value that does not begin with -."],
  ["run a.csv --max-rejects all", '--max-rejects is a whole number or "none", not "all".'],
  ["run a.csv --collection", "--collection is followed by a value."],
  ["run a.csv --again=yes", "--again takes no value."],
  ["resume a.csv --again", "resume has no option --again."],
  ["resume a.csv --mode create", "resume has no option --mode."],
  ["validate a.csv --dry-run", "validate has no option --dry-run."],
  ["undo a.csv --max-rejects 1", "undo has no option --max-rejects."],
  ["run a.csv --once", "run has no option --once."],
  ["watch in --out reports", "watch has no option --out."],
  ["watch in --settle soon", '--settle is a whole number, not "soon".'],
  ["export a.dat --sequence abc", '--sequence is a whole number, not "abc".'],
  ["export a.dat --sequence 4.5", '--sequence is a whole number, not "4.5".'],
  ["watch in --order size", '--order is one of name, mtime, not "size".'],
  ["layout new --encoding ebcdic", `--encoding is one of ${LAYOUT_ENCODINGS.join(", ")}, not "ebcdic".`],
  ["run a.csv --encoding ebcdic", `--encoding is one of ${ENCODINGS.join(", ")}, not "ebcdic".`],
  ['run a.csv --separator "', "--separator is one to eight characters without quotation marks or line breaks, or tab."],
  ["run a.csv --layout a.json --recipe Daily", "A layout and a recipe both say how a file is read: leave one of them out."],
  ["run a.csv --recipe Daily --mode update", "The recipe says what to do with each record: leave --mode out."],
  ["watch in --rules r.json --layout a.json", "The rules say how each file is read: leave --layout, --recipe and --collection out."],
  [
    "run a.csv --layout a.json --sheet One",
    "--layout describes the whole file: leave --sheet, --entry, --heading, --encoding and --separator out.",
  ],
  ["mcp customers", "mcp is followed by options alone."],
  ["mcp --json", "mcp has no option --json."],
  ["mcp --allow-hosts a.example.org", "--allow-hosts goes with --http."],
  ["mcp --http 8090 --allow-hosts https://a.example.org", "--allow-hosts takes host names without ports, with commas between."],
  ["run a.csv --http 8090", "run has no option --http."],
  ["run a.csv --layout a.json --suspect-rows load", "A file with a layout has only records: leave --suspect-rows out."],
];

test.each(WRONG)("%s", (typed, message) => {
  expect(() => readArguments(typed.split(" "))).toThrow(new CommandError(EXIT.nothing, `${message} See: intake-batch --help`));
});

test("no arguments show the help with exit code 1; --help shows it with 0", () => {
  for (const [args, code] of [
    [[], 1],
    [["--help"], 0],
    [["run", "--help"], 0],
  ] as const) {
    const ended = (() => {
      try {
        return readArguments(args);
      } catch (error) {
        return error;
      }
    })();
    expect(ended).toMatchObject({ code, message: USAGE });
  }
});

test("--version shows the version of the package with exit code 0", () => {
  expect(() => readArguments(["--version"])).toThrow(new UsageShown(EXIT.stored, packageJson.version));
});

test("--max-rejects is a number, the word none, or absent", () => {
  const limitOf = (...more: string[]) => readArguments(["run", "a.csv", ...more]).options.limit;
  expect([limitOf("--max-rejects", "12"), limitOf("--max-rejects", "none"), limitOf()]).toEqual([12, null, undefined]);
});

test("a watched folder has limits of its own for rows and bytes; whoever names a file has none", () => {
  const sizesOf = (...args: string[]) => {
    const { maxRows, maxBytes } = readArguments(args).options;
    return [maxRows, maxBytes];
  };
  expect(sizesOf("watch", "in")).toEqual([10_000_000, 10 * 1024 ** 3]);
  expect(sizesOf("run", "a.csv")).toEqual([null, null]);
  expect(sizesOf("run", "a.csv", "--max-rows", "5", "--max-bytes", "100000000000")).toEqual([5, 100_000_000_000]);
  expect(sizesOf("watch", "in", "--max-rows", "none", "--max-bytes", "none")).toEqual([null, null]);
  for (const wrong of ["0", "-1", "1e6", "ten", ""]) {
    expect(() => readArguments(["watch", "in", `--max-rows=${wrong}`])).toThrow('--max-rows is a whole number from 1 on, or "none"');
  }
  expect(() => readArguments(["show", "a.csv", "--max-rows", "1"])).toThrow("show has no option --max-rows");
});
