// What the command `intake` says to --help, --version and words that it does not know.

import { expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { runCommand } from "../../testing/process.ts";

test("the help of every command is on standard output", { timeout: 120_000 }, async () => {
  for (const name of ["start", "keys", "backup", "restore", "erase", "copy", "check", "publish"]) {
    const { out, error, code } = await runCommand(name, ["--help"], {});
    expect([name, code, out, error]).toEqual([name, 0, expect.stringMatching(new RegExp(`^intake ${name} `, "m")), ""]);
  }
});

test("--version prints the version of the package", async () => {
  expect(await runCommand("--version", [], {})).toEqual({ out: `${packageJson.version}\n`, error: "", code: 0 });
});

/** Each message is followed by the usage. */
const WRONG: readonly (readonly [typed: string, message: string, usage: string])[] = [
  ["stat", 'There is no command "stat". Did you mean start?', "intake start "],
  ["--verbose", "There is no option --verbose.", "intake start "],
  ["start 8080", "start is followed by nothing: its settings are environment variables.", "intake start "],
  ["backup b.db --frce", "There is no option --frce. Did you mean --force?", "intake backup FILE "],
  ["backup my copy.db", '"copy.db" is one word too many. Put a name with blanks in quotation marks.', "intake backup FILE "],
  ["restore b.db --force", "There is no option --force.", "intake restore FILE "],
  ["publish x", '"x" is one word too many. Put a name with blanks in quotation marks.', "intake publish ["],
  ["copy customers seven", '"seven" is not the number of a record.', "intake copy COLLECTION ID\n"],
  ["keys revok x", 'There is no command "keys revok". Did you mean keys revoke?', "intake keys create "],
  ["keys list x", '"x" is one word too many.', "intake keys create "],
  ["keys create everything", '"everything" is not a scope.', "intake keys create "],
  ...["never", "customers:create"].map(
    (word) =>
      [
        `keys create customers:read ${word}`,
        `"${word}" is one word too many. Put a scope of several words in quotation marks, and the time at which the key ends after --expires.`,
        "intake keys create ",
      ] as const,
  ),
];

test.each(WRONG)("intake %s", { timeout: 60_000 }, async (typed, message, usage) => {
  const [name = "", ...args] = typed.split(" ");
  const { out, error, code } = await runCommand(name, args, {});
  expect([code, out, error.startsWith(`${message}\n${usage}`), error]).toEqual([1, "", true, error]);
});
