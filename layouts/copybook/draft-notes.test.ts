// Tests what `layout from` says of a copybook: what is a guess, what is not taken over, and what is left to do.

import { describe, expect, test } from "vitest";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import { type DraftOptions, draftLayout } from "./draft-layout.ts";

const NEW: DraftOptions = { encoding: "utf-8", record: undefined, collection: undefined, name: undefined };

/** A collection with a field of each kind that a copybook's item may be matched with. */
const known = (() => {
  const read = readDataPackage({
    resources: [
      {
        name: "orders",
        schema: {
          fields: [
            { name: "id", type: "integer" },
            { name: "weight", type: "integer" },
            { name: "day", type: "date" },
            { name: "sent", type: "datetime" },
          ],
          primaryKey: "id",
        },
      },
    ],
  });
  if ("mistakes" in read) throw new Error(JSON.stringify(read.mistakes));
  return read.collections[0] as Collection;
})();

function notesOf(text: string, options: Partial<DraftOptions> = {}): string[] {
  const draft = draftLayout(text, { ...NEW, ...options });
  if (typeof draft === "string") throw new Error(draft);
  return draft.notes.map(({ line, sentence }) => `${line}: ${sentence}`);
}

/** Returns those of one entry behind a key of five bytes. */
const notesOfEntry = (entry: string, options: Partial<DraftOptions> = {}) => notesOf(`01 R.\n 05 ID PIC 9(5).\n 05 ${entry}\n`, options);

const SYNCHRONIZED = "SYNCHRONIZED may put unused bytes in front of it, which are not counted here.";
const PC = "Its bytes are read as on a PC (little-endian): look at its first values.";

describe("of an entry", () => {
  test.each<[entry: string, note: string, options?: Partial<DraftOptions>]>([
    [
      "A PIC Q(4).",
      "A (byte 6) is not taken over: it is of a PICTURE that is not known here, Q(4). If it has bytes, the places behind it are wrong.",
    ],
    ["A.", "A (byte 6) is not taken over: it is an item without a PICTURE. If it has bytes, the places behind it are wrong."],
    ["A PIC 99/99/99.", "A (bytes 6–13): It is edited for printing and read as text: ask the sender for a plain number."],
    ["A PIC 9(2) COMP.", "A (bytes 6–7): It is taken to have 2 bytes, as on a mainframe; GnuCOBOL may store it in 1."],
    ["A PIC 9(9) COMP-5.", `A (bytes 6–9): ${PC}`],
    ["A PIC 9(9) COMP-5.", `A (bytes 6–9): ${PC.replace("PC (little", "mainframe (big")}`, { encoding: "cp037" }],
    ["A PIC 9(9) COMP SYNC.", `A (bytes 6–9): ${SYNCHRONIZED}`],
    ["A SYNC.\n 10 B PIC X(4).", `A (bytes 6–9): ${SYNCHRONIZED}`],
    ["BIRTH-DATE PIC 9(8).", "BIRTH-DATE (bytes 6–13): It is taken to be a date such as 20260131."],
    [
      "BIRTH-DATE PIC 9(6).",
      "BIRTH-DATE (bytes 6–11): It may be a date of 6 digits. If it is, make it a date with its format: YYMMDD, DDMMYY or MMDDYY with a pivot.",
    ],
    [
      "SENT-DDMMYY PIC 9(6) COMP-3.",
      "SENT-DDMMYY (bytes 6–9): It may be a date of 6 digits. If it is, make it a date with its format: YYMMDD, DDMMYY or MMDDYY with a pivot.",
    ],
    [
      "SENT-DATE PIC 9(7) COMP-3.",
      "SENT-DATE (bytes 6–9): It may be a date of 7 digits. If it is, make it a date with its format: YYYYDDD, or CYYMMDD as IBM i writes it.",
    ],
    [
      "SENT-DT PIC X(5).",
      "SENT-DT (bytes 6–10): It may be a date of 5 digits. If it is, make it a date with its format: YYDDD with a pivot.",
    ],
    ["A-TIMESTAMP PIC X(14).", "A-TIMESTAMP (bytes 6–19): It is taken to be a time in UTC: if it is not, correct the zone."],
    ["A-TIME PIC 9(6).", "A-TIME (bytes 6–11): It is taken to be a time of day such as 140530."],
    ["A-YEAR PIC 9(4).", "A-YEAR (bytes 6–9): It is taken to be a year such as 2026."],
    [
      "WEIGHT PIC 9(3)V9.",
      "WEIGHT (bytes 6–9): Its PICTURE moves the decimal point (V or P), and weight is a whole number: its digits are read as they stand.",
      { collection: known },
    ],
    ["DAY PIC 9(6).", "DAY (bytes 6–11): Write its format, such as YYMMDD, DDMMYY or MMDDYY with a pivot.", { collection: known }],
    ["SENT PIC 9(8).", "SENT (bytes 6–13): Write its format, such as YYYYMMDDhhmmss, and its zone.", { collection: known }],
  ])("%s", (entry, note, options) => {
    expect(notesOfEntry(entry, options)).toEqual([`3: ${note}`]);
  });
});

describe("of a table whose length varies", () => {
  const byHand = 'write "occurs" and the places behind it by hand.';
  test.each([
    ["OCCURS 1 TO 3 TIMES", `A (bytes 6–8) comes up to 3 times, and nothing says how often (DEPENDING ON): ${byHand}`],
    ["OCCURS 1 TO 3 TIMES DEPENDING ON N", `A (bytes 6–8) depends on N, which stands behind it: ${byHand}`],
    ["OCCURS 1 TO 3 TIMES DEPENDING ON M", `A (bytes 6–8) depends on M, which is not in this record: ${byHand}`],
  ])("%s", (clause, note) => {
    expect(notesOfEntry(`A ${clause} PIC X.\n 05 N PIC 9.`)).toContain(`3: ${note}`);
  });

  test.each([
    ["lines", {}, "PIC 9", "trimmed true"],
    ["numbers in bytes", {}, "PIC 9 COMP-3", "recordFormat gnucobol-0"],
    ["a mainframe", { encoding: "cp037" as const }, "PIC 9", "recordFormat rdw"],
  ])("how records of %s say their length is a guess", (_, options, counter, how) => {
    const text = `01 R.\n 05 ID PIC 9(5).\n 05 N ${counter}.\n 05 A OCCURS 0 TO 3 TIMES DEPENDING ON N PIC X.\n`;
    expect(notesOf(text, options)[0]).toBe(
      `1: The records of R have different lengths: ${how} is a guess. See “Records of variable length” in docs/layouts.md.`,
    );
  });
});

describe("of a copybook as a whole", () => {
  test("a record without a number gets one from the service, under a name that is free", () => {
    const note = "No item of R looks like the number of the record, so the service gives each record one:";
    expect(notesOf("01 R.\n 05 NAME PIC X(4).\n")).toEqual([`1: ${note} id.`]);
    expect(notesOf("01 R.\n 05 ID PIC X(4).\n")).toEqual([`1: ${note} recordId.`]);
  });

  test("what is no entry of a record is named with its line; the words of a program around it are not", () => {
    expect(notesOf("DATA DIVISION.\nDISPLAY 'A'.\nEXEC SQL.\nCOPY ADDRESS.\n01 R.\n 05 ID PIC 9(5).\n")).toEqual([
      "2: DISPLAY is no entry of a record and is left out.",
      "3: EXEC brings in text from elsewhere, which is not followed: put that text in its place.",
      "4: COPY brings in text from elsewhere, which is not followed: put that text in its place.",
    ]);
  });

  test("records of different lengths, and totals of which nothing is known", () => {
    const detail = "01 PART-REC.\n 05 P-TYPE PIC X VALUE 'D'.\n 05 P-NAME PIC X(9).\n";
    const trailer = "01 TRAILER-REC.\n 05 T-TYPE PIC X VALUE 'T'.\n 05 T-TOTAL PIC 9(6).\n";
    expect(notesOf(detail + trailer)).toEqual([
      "1: No item of PART-REC looks like the number of the record, so the service gives each record one: id.",
      "1: The records of this copybook have 7 and 10 bytes; the layout takes 10 for each. Look at a file to see whether the shorter ones are filled up.",
      '6: T-TOTAL (bytes 2–7) looks like a total: add it to "totals" with the field that it adds up.',
    ]);
  });

  test.each([
    ["no entry", "Dear all,", "It has no entry such as: 05 NAME PIC X(20)."],
    [
      "a header and a trailer alone",
      "01 HEADER-REC.\n 05 A PIC X.\n01 TRAILER-REC.\n 05 B PIC X.\n",
      "It has only records that look like a header or trailer: HEADER-REC, TRAILER-REC. Say with --record which one has the data.",
    ],
  ])("%s gives no layout", (_, text, sentence) => {
    expect(draftLayout(text, NEW)).toBe(sentence);
  });
});
