// Copybooks that a compiler refuses, and places that are not certain.

import { describe, expect, test } from "vitest";
import { type DraftOptions, draftLayout } from "./draft-layout.ts";

const NEW: DraftOptions = { encoding: "utf-8", record: undefined, collection: undefined, name: undefined };
const draft = (...lines: string[]) => draftLayout(`${lines.map((line) => `       ${line}`).join("\n")}\n`, NEW);
const unsureOf = (...lines: string[]) => {
  const drafted = draft("01  R.", "    05 ID PIC 9(5).", ...lines);
  return typeof drafted === "string" ? drafted : drafted.unsure.map(({ byte, line, why }) => `${byte}, line ${line}: ${why}`).join("; ");
};

describe("an entry that would swallow the next one is refused", () => {
  test.each<[what: string, lines: string[], line: number]>([
    ["a picture", ["    05 A PIC X(5)", "    05 B PIC X(5)."], 3],
    ["a group", ["    05 A", "       10 B PIC X."], 3],
    ["an OCCURS", ["    05 A PIC X OCCURS 2 TIMES", "    05 B PIC X."], 3],
    ["an OCCURS in front", ["    05 A OCCURS 2 TIMES", "       10 B PIC X(5)."], 3],
    ["an index", ["    05 A OCCURS 2 INDEXED BY IX", "       10 B PIC X."], 3],
    ["a value", ["    05 A PIC 9 VALUE 5", "    05 B PIC X."], 3],
    ["a REDEFINES", ["    05 A PIC X.", "    05 B REDEFINES A PIC X", "    05 C PIC X."], 4],
    ["an 88 level", ["    05 A PIC X.", "       88 YES VALUE 'Y'", "       88 NO VALUE 'N'."], 4],
    ["an 88 level of numbers", ["    05 A PIC 9.", "       88 YES VALUE 1 2", "    05 B PIC X."], 4],
    ["two lines", ["    05 A PIC X", "       VALUE 'A'", "    05 B PIC X."], 4],
    ["a FILLER", ["    05 FILLER PIC X(5)", "    05 PIC X."], 3],
    ["a COPY", ["    COPY ADDRESS", "    05 B PIC X."], 3],
  ])("%s", (_, lines, line) => expect(unsureOf(...lines)).toContain(`Line ${line} lacks its period`));

  test("so is a word that is not understood, and text behind column 72", () => {
    expect(unsureOf("    05 A PIC X B PIC X.")).toMatch(/^Line 3: B is not understood here/);
    expect(unsureOf("    05 A PIC X FLOAT-EXTENDED.")).toMatch(/^Line 3: FLOAT-EXTENDED is not understood/);
    expect(unsureOf(`${"    05 A PIC X(5)".padEnd(65)}.`, "    05 B PIC X.")).toMatch(/^Line 3 goes on behind column 72/);
    for (const clause of ["PIC X.", "PICTURE", "VALUES 1", "COMP-3", "OCCURS 2"])
      expect([clause, unsureOf(`${"    05 A".padEnd(65)}${clause}`)]).toEqual([clause, expect.stringMatching(/^Line 3 goes on behind/)]);
    for (const mark of ["CUST0010", "COMPANY1", "PICKLIST", "VALUES01", "OCCURS_1"])
      expect([mark, unsureOf(`${"    05 A PIC X(5).".padEnd(65)}${mark}`)]).toEqual([mark, ""]);
    expect(unsureOf("    05 A PIC 9(2).", "       88 SOME VALUE 1 2 3", "                 4 THRU 6", "                 07 8.")).toBe("");
    expect(unsureOf("    SKIP1", "    05 A PIC X.", "    EJECT", "    05 B PIC X.")).toBe("");
  });
});

test("what stands behind a REDEFINES that is larger stands behind the larger one", () => {
  const drafted = draft("01  R.", "    05 ID PIC 9(5).", "    05 A PIC X(4).", "    05 B REDEFINES A PIC X(9).", "    05 C PIC X(3).");
  expect(drafted).toMatchObject({
    layout: { recordLength: 17, detail: { fields: [{}, { start: 6 }, { name: "c", start: 15 }] } },
    unsure: [],
  });
});

test.each<[lines: string[], unsure: string]>([
  [["    05 A PIC 9(9) COMP SYNC.", "    05 B PIC X."], "6, line 3: SYNCHRONIZED may put unused bytes in front of A"],
  [["    05 F PIC X(3).", "    05 A PIC 9(9) COMP SYNC."], ""],
  [["    05 A PIC X(4) SYNC."], ""],
  [["    05 A PIC X.", "    COPY ADDRESS.", "    05 B PIC X."], "7, line 4: COPY brings in text that is not here"],
  [["    05 A PIC X.", "    ++INCLUDE ADDRESS", "    05 B PIC X."], "7, line 4: ++INCLUDE brings in text that is not here"],
  [["    05 A PIC Q(4).", "    05 B PIC X."], "6, line 3: the bytes of A are not known"],
  [["    05 A REDEFINES Z PIC X.", "    05 B PIC X."], "6, line 3: A redefines Z, which is not before it"],
  [["    05 A PIC X OCCURS MOST TIMES."], "6, line 3: how often A comes is not a number"],
  [
    ["    05 N PIC 9.", "    05 A OCCURS 1 TO 3 DEPENDING ON N.", "       10 M PIC 9.", "       10 B PIC X OCCURS 1 TO 4 DEPENDING ON M."],
    "12, line 6: B is a table of various lengths within a table",
  ],
  [
    ["    05 A PIC X OCCURS 1 TO 3 DEPENDING ON Z.", "    05 Z PIC 9."],
    "9, line 3: how often A comes is not known from the bytes before it",
  ],
])("%j", (lines, unsure) => expect(unsureOf(...lines)).toBe(unsure));
