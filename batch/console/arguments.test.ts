// What an operator may type, and the message for each mistake.

import { expect, test } from "vitest";
import { readArguments, USAGE } from "./arguments.ts";
import { CommandError } from "./exit-codes.ts";

const WRONG: readonly (readonly [typed: string, message: string])[] = [
  ["go customers.csv", 'There is no command "go".'],
  ["rum customers.csv", 'There is no command "rum". See:'],
  ["validat customers.csv", 'There is no command "validat". Did you mean validate? See:'],
  ["run", "run is followed by FILE."],
  ["run a.csv b.csv", "run is followed by FILE, and 2 words were given. Put a name with blanks in quotation marks."],
  ["export --layout a.json", "export is followed by FILE, or by COLLECTION and FILE."],
  ["status a.csv b.csv", "status is followed by FILE, RUN, DIR or nothing, and 2 words were given."],
  ["layout", "layout is followed by new, from, sample, check or save."],
  ["run a.csv --colour red", "Unknown option '--colour'. See:"],
  ["run a.csv --max-reject 1", "Unknown option '--max-reject'. Did you mean --max-rejects? See:"],
  ["run a.csv --mode merge", '--mode is one of create, update, upsert, not "merge".'],
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
  ["watch in --order size", '--order is one of name, mtime, not "size".'],
  ["layout new --encoding ebcdic", "--encoding is one of utf-8, iso-8859-1, windows-1252, cp037"],
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
