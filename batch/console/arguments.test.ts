// What an operator may type, and the message for each mistake.

import { expect, test } from "vitest";
import { readArguments, USAGE } from "./arguments.ts";
import { CommandError } from "./exit-codes.ts";

const WRONG: readonly (readonly [typed: string, message: string])[] = [
  ["go customers.csv", 'There is no command "go".'],
  ["run", "run takes one word after its name."],
  ["run a.csv b.csv", "run takes one word after its name."],
  ["status a.csv b.csv", "status takes at most one word after its name."],
  ["layout", "layout takes 1 to 3 words after its name."],
  ["run a.csv --modus create", "Unknown option '--modus'."],
  ["run a.csv --mode merge", '--mode is create, update, upsert, not "merge".'],
  ["run a.csv --max-rejects -1", "Option '--max-rejects' argument is ambiguous."],
  ["run a.csv --max-rejects all", '--max-rejects is a whole number or "none", not "all".'],
  ["run a.csv --collection", "Option '--collection <value>' argument missing."],
  ["resume a.csv --again", "resume has no option --again."],
  ["resume a.csv --mode create", "resume has no option --mode."],
  ["validate a.csv --dry-run", "validate has no option --dry-run."],
  ["undo a.csv --max-rejects 1", "undo has no option --max-rejects."],
  ["run a.csv --once", "run has no option --once."],
  ["watch in --out reports", "watch has no option --out."],
  ["watch in --settle soon", '--settle is a whole number, not "soon".'],
  ["watch in --order size", '--order is name, mtime, not "size".'],
  ["layout new --encoding ebcdic", "--encoding is utf-8, iso-8859-1, windows-1252, cp037"],
];

test.each(WRONG)("%s", (typed, message) => {
  const read = () => readArguments(typed.split(" "));
  expect(read).toThrow(CommandError);
  expect(read).toThrow(message);
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

test("--max-rejects is a number, the word none, or absent", () => {
  const limitOf = (...more: string[]) => readArguments(["run", "a.csv", ...more]).options.limit;
  expect([limitOf("--max-rejects", "12"), limitOf("--max-rejects", "none"), limitOf()]).toEqual([12, null, undefined]);
});
