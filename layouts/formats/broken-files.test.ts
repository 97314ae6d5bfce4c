// Broken files, each with the exit code and the message that an operator reads. One watcher loads them all.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { batch, customersCsv, makeFolder, startService } from "../../batch/testing/process.ts";
import { ADMIN_SECRET, authorize, killProcesses, readAll } from "../../server/testing/process.ts";

const folder = makeFolder();
afterAll(() => {
  killProcesses();
  folder.remove();
});

const HEAD = "id,First name,Last name,Account ID\n";
const GOOD = "9001,Eva,Ek,A1\n";
const bytes = (...codes: number[]): Buffer => Buffer.from(codes);

/** The content of the file and the message. */
const BROKEN: readonly (readonly [what: string, content: string | Buffer, message: string])[] = [
  ["nothing", "", "This file is empty. It has no heading and no rows."],
  ["blank lines", "\n\n\n", "This file is empty. It has only blank lines."],
  ["a byte order mark", bytes(0xef, 0xbb, 0xbf), "This file is empty."],
  ["a heading alone", HEAD, "This file has a heading but no rows."],
  ["rows without a heading", "1,Eva,Ek,A1\n2,Bo,Al,A2\n", "no column is matched with Last name (lastName), Account ID (accountID)."],
  ["another table", "sku,price\nX1,10\n", "no column is matched with Last name (lastName), Account ID (accountID)."],
  ["no account", "id,Last name\n1,Ek\n", "no column is matched with Account ID (accountID)."],
  [
    "half an Excel workbook",
    Buffer.concat([bytes(0x50, 0x4b, 3, 4), Buffer.from("[Content_Types].xml xl/")]),
    "This file is damaged or incomplete.",
  ],
  ["an old workbook", bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), "in the format of Excel 97 (.xls)"],
  ["a PDF", "%PDF-1.7\n", "a PDF document, not CSV."],
  ["half a gzip", bytes(0x1f, 0x8b, 8, 0), "This file is damaged or incomplete."],
  ["half a ZIP", Buffer.concat([bytes(0x50, 0x4b, 3, 4), Buffer.from("customers.csv")]), "This file is damaged or incomplete."],
  ["a picture", Buffer.concat([bytes(0x89), Buffer.from("PNG\r\n")]), "a picture, not CSV."],
  ["a Parquet file", Buffer.from("PAR1\x15"), "a Parquet file, not CSV."],
  ["a database", "SQLite format 3\0", "a database (SQLite), not CSV."],
  ["a web page", "<!DOCTYPE html><html></html>", "This file is a web page, not CSV."],
  ["XML", '<?xml version="1.0"?><a/>', "This file is XML, not CSV."],
  ["JSON", '[{"id":1}]', "This file is JSON, not CSV."],
  ["contact cards", "BEGIN:VCARD\n", "This file holds contact cards or a calendar, not CSV."],
  ["binary", bytes(...Array.from({ length: 4000 }, (_, i) => (i * 7) % 32)), "This file is not text."],
  ["UTF-32", bytes(0xff, 0xfe, 0, 0, 0x69, 0, 0, 0), "saved as UTF-32"],
  [
    "bytes of another encoding far down",
    Buffer.concat([Buffer.from(HEAD + GOOD.repeat(200_000)), bytes(0xe5), Buffer.from("\n")]),
    "This file is not all UTF-8. Line 200,002",
  ],
  ["a quotation mark that never ends", `${HEAD}1,"Eva,Ek,A1\n${GOOD.repeat(80_000)}`, "A row of this file is too long."],
  [
    "a heading with an open mark",
    'id,First name,"Last name,Account ID\n1,Eva,Ek,A1\n',
    "The heading has a quotation mark that is not closed.",
  ],
  ["an empty last name", `${HEAD}1,Eva,,A1\n`, "line 2, lastName: Last name has no value, and each record needs one."],
  ["an empty account", `${HEAD}1,Eva,Ek,\n`, "Account ID has no value, and each record needs one."],
  ["an id that is no number", `${HEAD}x1,Eva,Ek,A1\n`, "Object ID must be a whole number"],
  ["an id with leading zeros", `${HEAD}007,Eva,Ek,A1\n`, "Object ID must be a whole number without separators or leading zeros"],
  ["a negative id", `${HEAD}-5,Eva,Ek,A1\n`, "Object ID"],
  ["the id 0", `${HEAD}0,Eva,Ek,A1\n`, "Object ID"],
  ["an id beyond all", `${HEAD}9007199254740993,Eva,Ek,A1\n`, "Object ID"],
  ["an id that a spreadsheet rounded", `${HEAD}"5,58E+12",Eva,Ek,A1\n`, "Object ID has lost its last digits in a spreadsheet"],
  ["an id with decimals", `${HEAD}7.5,Eva,Ek,A1\n`, "Object ID must be a whole number"],
  ["an id twice", `${HEAD}${GOOD}9001,Bo,Al,A2\n`, "An earlier row of this file has the same Object ID."],
  ["a name beyond 200", `${HEAD}1,Eva,${"x".repeat(201)},A1\n`, "Last name may have at most 200 characters"],
  ["an account beyond 64", `${HEAD}1,Eva,Ek,${"1".repeat(65)}\n`, "Account ID may have at most 64 characters"],
  ["a line break in a name", `${HEAD}1,Eva,"E\nk",A1\n`, "Last name has a character that cannot be stored"],
  ["a control character", `${HEAD}1,Ev\u0007a,Ek,A1\n`, "First name has a character that cannot be stored"],
  ["a hidden direction mark", `${HEAD}1,Eva,\u202eEk,A1\n`, "Last name has a character that cannot be stored"],
  ["a row too short", `${HEAD}1,Eva,Ek\n`, "line 2: This row has 3 cells; the heading has 4."],
  ["a row too long", `${HEAD}1,Eva,Ek,A1,more\n`, "line 2: This row has 5 cells; the heading has 4."],
  ["a cut last row", `${HEAD}${GOOD}9002,Bo,A`, "line 3: This row has 3 cells; the heading has 4."],
  ["a mark that is not doubled", `${HEAD}1,"Ev"a,Ek,A1\n`, "A quotation mark in this row is not closed, or not doubled"],
  ["a mark that is open at the end", `${HEAD}${GOOD}9002,"Bo,Al,A2\n`, "A quotation mark in this row is not closed, or not doubled"],
];

test(`each of ${BROKEN.length} broken files is rejected as a whole with the right reason`, { timeout: 180_000 }, async () => {
  const service = await startService(join(folder.path, "store"));
  const inbox = join(folder.path, "drop");
  mkdirSync(inbox);
  const name = (i: number) => `${String(i).padStart(3, "0")}.csv`;
  const put = (file: string, content: string | Buffer) => {
    writeFileSync(join(inbox, file), content);
    writeFileSync(join(inbox, `${file}.done`), "");
  };
  for (const [i, [, content]] of BROKEN.entries()) put(name(i), content);
  put("whole.csv", customersCsv(2, "whole"));
  const { out } = await batch(service.url, ["watch", inbox, "--once", "--settle", "0", "--json"]);
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { step: string; file: string; exitCode: number; sentence: string });
  const moved = new Map(lines.flatMap(({ step, file, ...rest }) => (step === "put away" ? [[file, rest]] : [])));
  for (const [i, [what, , message]] of BROKEN.entries()) {
    const { exitCode, sentence } = moved.get(name(i)) ?? {};
    expect({ what, exitCode, sentence }).toEqual({ what, exitCode: 1, sentence: expect.stringContaining(message) });
    expect(readFileSync(join(inbox, "rejected", `${name(i)}.report.txt`), "utf8")).toContain(sentence);
  }
  expect(moved.get("whole.csv")?.exitCode).toBe(0);
  const headers = await authorize(service.url, "preset", ADMIN_SECRET);
  expect(await readAll(service.url, headers)).toHaveLength(2);
});
