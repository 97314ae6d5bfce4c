// Errors of the operating system in the words of an operator.

import { describe, expect, test } from "vitest";
import { describeError, EXIT, exitLines, Interrupted, stoppedBy, systemError } from "./exit-codes.ts";

const errorOf = (code: string, path?: string) => Object.assign(new Error("Of Node."), { code, ...(path && { path }) });

describe("an error of the system", () => {
  test.each([
    ["ENOENT", "it does not exist"],
    ["EACCES", "this account has no permission"],
    ["EPERM", "this account has no permission"],
    ["EISDIR", "it is a folder"],
    ["ENOTDIR", "a part of its path is not a folder"],
    ["ENOSPC", "the disk is full"],
    ["EDQUOT", "the disk quota is used up"],
    ["EFBIG", "it would exceed the file size limit of this account"],
    ["EROFS", "the file system is read-only"],
    ["ELOOP", "it is a symbolic link"],
    ["EIO", "the disk cannot be read or written"],
    ["EMFILE", "the system says EMFILE"],
  ])("%s is said as: %s", (code, words) => {
    expect(systemError(errorOf(code))).toBe(words);
  });

  test("names its file, if it has one", () => {
    expect(describeError(errorOf("ENOSPC", "a.csv"))).toEqual({ sentence: "a.csv cannot be used: the disk is full.", details: [] });
    expect(describeError(errorOf("EIO")).sentence).toBe("A file cannot be used: the disk cannot be read or written.");
  });
});

test("what stops a run is said with what to type next, and a fault of the program with its stack", () => {
  const next = "Continue with: intake-batch resume a.csv";
  expect(exitLines(stoppedBy(new Interrupted("the journal is full."), next))).toEqual([`Stopped: the journal is full. ${next}`]);
  const fault = new TypeError("x is not a function");
  fault.stack = "TypeError: x is not a function\n    at run";
  const stopped = stoppedBy(fault, next);
  expect([stopped.code, ...exitLines(stopped)]).toEqual([
    EXIT.stopped,
    `Stopped: The program failed unexpectedly, which is a fault of it: please report the lines below. TypeError: x is not a function ${next}`,
    "    at run",
  ]);
});
