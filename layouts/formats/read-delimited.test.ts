import { expect, test } from "vitest";
import { FileError } from "../../pipeline/model/file-error.ts";
import { createCodec, type LayoutEncoding } from "../layouts/character-sets.ts";
import type { DelimitedLayout } from "../layouts/layout.ts";
import { customers, fileOf } from "../testing/layouts.ts";
import { openDelimited } from "./read-delimited.ts";

const encoded = (text: string, encoding: LayoutEncoding = "utf-8") => fileOf(createCodec(encoding).encode(text) as Uint8Array);

async function read(file: Blob, change: Partial<DelimitedLayout> = {}) {
  const opened = await openDelimited(file, { kind: "delimited", collection: "customers", ...change }, customers);
  const rows: string[][] = [];
  const malformed: string[] = [];
  for await (const block of opened.openRows()) {
    rows.push(...block.rows);
    for (const why of block.malformed.values()) malformed.push(String(why));
  }
  return { rows, malformed, columns: opened.columns };
}

async function rejection(file: Blob, change: Partial<DelimitedLayout> = {}): Promise<string> {
  return read(file, change).then(
    () => "",
    (error: unknown) => (error instanceof FileError ? error.message : String(error)),
  );
}

test.each(["utf-8", "iso-8859-1", "windows-1252", "cp037", "cp500"] as const)(
  "letters and quoted cells come through in %s",
  async (encoding) => {
    const file = encoded('Kundennr,Surname,Account\n1,"Ångström, Märta",A\n2,¿Qué? [sic] | ¢!^,B\n', encoding);
    const { rows, columns } = await read(file, { encoding, columns: ["objectId", "lastName", "accountID"] });
    expect(rows).toEqual([
      ["1", "Ångström, Märta", "A"],
      ["2", "¿Qué? [sic] | ¢!^", "B"],
    ]);
    expect(columns).toEqual(["objectId", "lastName", "accountID"]);
  },
);

test("headings are matched as in an upload when the layout names no columns", async () => {
  expect((await read(encoded("id;surname;konto;x\n1;A;B;C\n"), { delimiter: ";" })).columns).toEqual([
    "objectId",
    "lastName",
    "accountID",
    null,
  ]);
});

test("NL ends a line in EBCDIC", async () => {
  const { rows } = await read(encoded("lastName,accountID\u0085A,1\u0085B,2\u0085", "cp037"), { encoding: "cp037" });
  expect(rows).toEqual([
    ["A", "1"],
    ["B", "2"],
  ]);
});

test("a file of many blocks is read whole", async () => {
  const text = `lastName,accountID\n${"Ångström,00071-A\n".repeat(20_000)}`;
  for (const encoding of ["iso-8859-1", "cp500"] as const) {
    const { rows } = await read(encoded(text, encoding), { encoding });
    expect([rows.length, rows.every(([name, account]) => name === "Ångström" && account === "00071-A")]).toEqual([20_000, true]);
  }
});

test("an unknown action is a wrong row", async () => {
  const { malformed } = await read(encoded("ACT,lastName,accountID\nA,B,1\nX,C,2\n"), { action: { column: "ACT", add: "A" } });
  expect(malformed).toEqual(["Line 3: the action “X” is none of “A” (add)."]);
});

test.each([
  ["an empty file", encoded(""), {}, "This file is empty. There is neither a heading nor a row in it. Ask the sender for the file."],
  [
    "other columns than the layout",
    encoded("a,b,c\n1,2,3\n"),
    { columns: ["lastName", "accountID"] },
    "The layout has 2 columns; this file has 3. Correct the layout, or ask for the right file.",
  ],
  [
    "no column for the action",
    encoded("lastName,accountID\nA,1\n"),
    { action: { column: "ACT", add: "A" } },
    "This file has no column “ACT” for the action. It has lastName, accountID. Correct the layout, or ask for the right file.",
  ],
  [
    "a byte without a character",
    fileOf(Buffer.from("lastName,accountID\nA\x81,1\n", "latin1")),
    { encoding: "windows-1252" },
    "This file is not all windows-1252. The byte 81 at byte offset 20 is not a character of it. Correct the layout's encoding, or ask for the right file.",
  ],
  [
    "another encoding",
    fileOf(Buffer.from("lastName,accountID\nÅ,1\n", "latin1")),
    {},
    "This file is not all UTF-8. Line 2 has bytes in another encoding. As Windows-1252 it reads “Å,1”. If that is right, correct the layout's encoding; if not, ask for the right file.",
  ],
] as [string, Blob, Partial<DelimitedLayout>, string][])("%s is refused with what to do", async (_what, file, change, expected) => {
  expect(await rejection(file, change)).toBe(expected);
});
