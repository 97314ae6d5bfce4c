// `show`: the first records as they are read, before anything is stored.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { customersLayout, recordsOf } from "../../layouts/testing/layouts.ts";
import { batch } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, service, stored, write } = testService;

const show = (...args: string[]) => batch(service.url, ["show", ...args]);

test("each field stands with its bytes, and nothing is stored or written", async () => {
  const layout = customersLayout({ encoding: "cp037", lineEnd: "none" });
  const path = write("host.dat", Buffer.concat(recordsOf(layout)));
  const described = write("host.json", JSON.stringify(layout));
  const { code, out, stderr } = await show(path, "--layout", described, "--records", "1");
  expect(out.split("\n")).toEqual([
    "Read by the layout that was given: fixed, cp037.",
    "Its header says: sender HOST1, file CUST, sequence 42.",
    "Record 2 (byte offset 64)",
    "  2–11   objectId   X'F0F0F0F0F1F0F0F4F8F2'                      “100482”",
    "  12–31  firstName  X'D44399A381404040404040404040404040404040'  “Märta”",
    "  32–51  lastName   X'679587A2A399CC94404040404040404040404040'  “Ångström”",
    "  52–61  accountID  X'F0F0F0F7F160C1404040'                      “00071-A”",
    "",
  ]);
  const next = `intake-batch validate ${path} --layout ${described}`;
  expect([code, stderr]).toEqual([0, `1 record shown, none of them wrong. Nothing was sent or stored. Check the whole file with: ${next}`]);
  expect(await stored("00071-A")).toEqual([]);
  expect(existsSync(join(folder, ".intake"))).toBe(false);
});

test("a wrong value is named below its bytes, an unreadable record with its place", async () => {
  const layout = customersLayout({ lineEnd: "none" });
  const records = recordsOf(layout).map((record) => Buffer.from(record));
  records[2]?.fill(" ", 31, 51); // the last name
  records[3]?.fill(0xff, 11, 12);
  const path = write("wrong.dat", Buffer.concat(records));
  const { code, out, stderr } = await show(path, "--layout", write("wrong.json", JSON.stringify(layout)));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^3 records shown, 2 of them wrong\. Nothing was sent or stored\./)]);
  expect(out).toContain(
    `  32–51  lastName   X'${"20".repeat(20)}'  no value\n    wrong: Last name has no value, and each record needs one.\n`,
  );
  expect(out).toMatch(/ {2}wrong: Record 4 \(byte offset 192\): First name \(bytes 12–31\) is not whole UTF-8/);
});

test("fields that are read for a total only are shown, and the action of a record", async () => {
  const layout = customersLayout({
    lineEnd: "none",
    action: { start: 62, length: 1, add: "A", delete: "D" },
    detail: { type: "D", fields: [...customersLayout().detail.fields, { name: "amount", start: 63, length: 2, skip: true }] },
  });
  const path = write("actions.dat", Buffer.concat(recordsOf(layout, undefined, ["add", "delete", "add"])));
  const { out } = await show(path, "--layout", write("actions.json", JSON.stringify(layout)), "--json");
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const shown = lines.filter(({ step }) => step === "record");
  expect(shown.map(({ number, offset, action }) => [number, offset, action])).toEqual([
    [2, 64, "add"],
    [3, 128, "delete"],
    [4, 192, "add"],
  ]);
  const [first] = shown as [{ fields: { name: string | null; start: number; length: number; bytes: string; text: string }[] }];
  expect(first?.fields.map(({ name, start, length }) => [name, start, length])).toEqual([
    ["objectId", 2, 10],
    ["firstName", 12, 20],
    ["lastName", 32, 20],
    ["accountID", 52, 10],
    [null, 63, 2],
  ]);
  expect(first?.fields[0]).toMatchObject({ bytes: "30303030313030343832", text: "100482" });
});

test("a file without a layout is shown as an upload would read it: heading, field and text", async () => {
  const path = write("plain.csv", "Last name,Account ID,Colour\nEk,p1,red\n,p2,blue\n");
  const { code, out } = await show(path);
  expect(code).toBe(2);
  expect(out).toContain(
    [
      "Line 2",
      "  Last name   lastName   “Ek”",
      "  Account ID  accountID  “p1”",
      "  Colour      not used   “red”",
      "Line 3",
      "  Last name   lastName   no value",
      "    wrong: Last name has no value, and each record needs one.",
    ].join("\n"),
  );
});

test("of a file that cannot be read further, the reason is said, and no validate is proposed", async () => {
  const layout = customersLayout({ lineEnd: "none" });
  const [header, first] = recordsOf(layout) as [Uint8Array, Uint8Array];
  const path = write("unknown.dat", Buffer.concat([header, first, Buffer.alloc(64, "?")]));
  const { code, stderr } = await show(path, "--layout", write("unknown.json", JSON.stringify(layout)));
  expect([code, stderr]).toEqual([
    1,
    "unknown.dat cannot be read further. This file has a record of an unknown type. Record 3 (byte offset 128) has the type “?”; the layout knows “H”, “D”, “T”.",
  ]);
});

test("how a file without a layout is read is noted, and an encoding that is not sure is asked for", async () => {
  const { out } = await show(write("wrapped.csv", '"Last name,Account ID"\n"Ek,v1"\n"Al,v2"\n'));
  expect(out.split("\n").slice(0, 2)).toEqual([
    "Read as UTF-8, because it begins as plain ASCII.",
    "Every line stands in quotation marks; it is read as the cells that it holds.",
  ]);
  const unsure = write("unsure.csv", Buffer.from("Last name,Account ID\nKova\xe8,u1\nLuka\xe8,u2\n", "latin1"));
  expect(await show(unsure)).toMatchObject({
    code: 1,
    stderr:
      "Nothing of unsure.csv was stored: its encoding is not sure. Say with --encoding which it is: windows-1252 (“Kovaè · Lukaè”), windows-1250 (“Kovač · Lukač”).",
  });
});
