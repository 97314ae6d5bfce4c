// Numbers that are edited for printing: written as GnuCOBOL's MOVE writes them, and read back.

import { describe, expect, test } from "vitest";
import { amounts } from "../../batch/testing/amounts.ts";
import { editedDecimals, isEditedNumber, readEdited, writeEdited } from "./edited-numbers.ts";
import { openCell } from "./field-codec.ts";

/** Holds what `cobc -std=ibm` wrote for each. */
const WRITTEN: readonly [picture: string, value: string, text: string][] = [
  ["ZZ9.99", "0", "  0.00"],
  ["ZZ9.99", "12.5", " 12.50"],
  ["$$,$$9.99-", "1234.5", "$1,234.50 "],
  ["$$,$$9.99-", "123.45", "  $123.45 "],
  ["$$,$$9.99-", "-12.34", "   $12.34-"],
  ["-(7)9.99", "-12.34", "     -12.34"],
  ["+++9.99", "1", "  +1.00"],
  ["*(6)9.99", "0.05", "******0.05"],
  ["$*,**9.99DB", "-123", "$**123.00DB"],
  ["Z,ZZ9CR", "9", "    9  "],
  ["$ZZ9.99", "1", "$  1.00"],
  ["99,999.9+", "12", "00,012.0+"],
];

test.each(WRITTEN)("%s of %s", (picture, value, text) => {
  expect(isEditedNumber(picture)).toBe(true);
  expect(writeEdited(picture, value)).toBe(text);
  expect(Number(readEdited(text))).toBe(Number(value));
});

test.each(["1 3.50", "12-34", "1*2", "1$2", "--5", "- -5", "5 CR 1", "1.2.3", "CR5", "12-CR", "+5$", "1,2.5,0"])(
  "%j is damaged and stays as it is, so that the dictionary refuses it",
  (text) => expect(readEdited(` ${text} `)).toBe(text),
);

test.each([
  ["   .50 ", "0.50"],
  ["$   12.", "12."],
  ["** 7 DB ", "-7"],
  ["  .", "."],
  ["***.**", "***.**"],
  [" - ", "-"],
])("%j is read as %j", (text, read) => expect(readEdited(text)).toBe(read));

describe("what cannot be written is refused", () => {
  test.each([
    ["ZZ9.99", "1000"],
    ["ZZ9.99", "1.005"],
    ["ZZ9.99", "-1"],
  ])("%s of %s", (picture, value) => expect(writeEdited(picture, value)).toBeUndefined());

  test("of zero where nothing would be printed", () => {
    const name = amounts.fields.find(({ kind }) => kind === "decimal")?.name ?? "";
    const cell = openCell({ name, start: 1, length: 6, picture: "ZZZ.ZZ" }, amounts);
    expect([cell.write("0", 6), cell.write("1.5", 6), cell.read("  1.50"), cell.read("      ")]).toEqual([undefined, "  1.50", "1.50", ""]);
  });
});

test.each(["99/99/9999", "9(5)-9(4)", "ZZ9V99", "-$ZZ9", "$", "Z9Z", "9.9.9", "X(3)"])("%s is read as text", (picture) => {
  expect(isEditedNumber(picture)).toBe(false);
});

test.each([
  ["ZZ9", 0],
  ["$$,$$9.99-", 2],
  ["---.--", 2],
  ["9(3).9(3)CR", 3],
])("%s has %i digits behind its point", (picture, decimals) => expect(editedDecimals(picture)).toBe(decimals));
