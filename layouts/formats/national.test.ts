// National characters of COBOL (UTF-16), and what of double-byte characters is refused.

import fc from "fast-check";
import { expect, test } from "vitest";
import { draftLayout } from "../copybook/draft-layout.ts";
import type { FixedLayout } from "../layouts/layout.ts";
import { readLayout, reportMistakes } from "../layouts/validate/parse-layout.ts";
import { customers, customersLayout, fileOf, readAll } from "../testing/layouts.ts";
import { openLayout } from "./open-layout.ts";
import { FixedWriter } from "./write-fixed.ts";

/** First name and last name have ten national characters each. */
function national(change: Partial<FixedLayout> = {}): FixedLayout {
  const { detail, ...rest } = customersLayout({ encoding: "cp037", lineEnd: "none", ...change });
  const fields = detail.fields.map((field) => (field.length === 20 ? { ...field, encoding: "utf-16be" as const } : field));
  return { ...rest, detail: { ...detail, fields } };
}

const DETAIL = { objectId: "7", firstName: "", lastName: "東京 Ω€", accountID: "A" };

function fileWith(layout: FixedLayout, change: (record: Uint8Array) => void = () => undefined): Blob {
  const writer = new FixedWriter(layout, customers);
  const record = writer.detail(DETAIL);
  change(record);
  return fileOf(writer.header(), record, writer.trailer());
}

test("a national field has two bytes a character in UTF-16, big-endian, padded with blanks of its own", async () => {
  const record = new FixedWriter(national(), customers).detail(DETAIL);
  expect(Buffer.from(record.subarray(31, 51)).toString("hex")).toBe("67714eac002003a920ac00200020002000200020");
  expect(Buffer.from(record.subarray(11, 31)).toString("hex")).toBe("0020".repeat(10));
  expect((await readAll(fileWith(national()), national())).rows).toEqual([["7", "", "東京 Ω€", "A"]]);
});

test("blanks that a group was filled with are no value, and half of a surrogate pair is named", async () => {
  const blank = fileWith(national(), (record) => record.fill(0x40, 11, 31));
  expect((await readAll(blank, national())).rows).toEqual([["7", "", "東京 Ω€", "A"]]);
  const half = fileWith(national(), (record) => record.set([0xd8, 0x3d], 31));
  expect((await readAll(half, national())).malformed).toEqual([
    [1, "Record 2 (byte offset 64): Last name (bytes 32–51) is not UTF-16: half of a surrogate pair stands alone."],
  ]);
  const low = fileWith(national(), (record) => record.fill(0, 31, 51));
  expect((await readAll(low, national())).malformed[0]?.[1]).toContain("Last name (bytes 32–51) is LOW-VALUES");
});

test.each(["utf-8", "cp037", "cp1047"] as const)("what is written is read back equal, or is refused, in a file in %s", async (encoding) => {
  const layout = national({ encoding });
  const character = fc.oneof(fc.constantFrom("䁀", "†", " ", "A", "東", "𝒳"), fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }));
  const text = fc.array(character, { minLength: 1, maxLength: 12 }).map((all) => all.join("").replaceAll("\0", ""));
  let written = 0;
  await fc.assert(
    fc.asyncProperty(text, async (lastName) => {
      const writer = new FixedWriter(layout, customers);
      let record: Uint8Array;
      try {
        record = writer.detail({ ...DETAIL, lastName });
      } catch {
        return; // too long, or it would be read otherwise
      }
      written++;
      const { rows, malformed } = await readAll(fileOf(writer.header(), record, writer.trailer()), layout);
      expect([rows[0]?.[2], malformed]).toEqual([lastName, []]);
    }),
    { numRuns: 300 },
  );
  expect(written).toBeGreaterThan(50);
  const likeBlanks = (encoding === "utf-8" ? "†" : "䁀").repeat(10);
  expect(() => new FixedWriter(layout, customers).detail({ ...DETAIL, lastName: likeBlanks })).toThrow("would be read as blanks");
});

test("a file in EBCDIC that is mostly national blanks is not taken for ASCII", async () => {
  const layout = national();
  const writer = new FixedWriter(layout, customers);
  const texts = { firstName: "", lastName: "A", accountID: "" };
  const records = Array.from({ length: 200 }, (_, i) => writer.detail({ objectId: String(i + 1), ...texts }));
  const opened = await openLayout(fileOf(writer.header({ sender: "HOST1" }), ...records, writer.trailer()), layout, customers);
  for await (const { rows } of opened.openRows()) expect(rows).toHaveLength(200);
});

test("a layout that cannot be is refused", () => {
  const mistakes = (change: object, lineEnd: FixedLayout["lineEnd"] = "none") => {
    const { detail, ...rest } = national({ lineEnd });
    const fields = detail.fields.map((field) => ({ ...field, ...(field.name === "lastName" || "all" in change ? change : {}) }));
    const read = readLayout(JSON.stringify({ ...rest, detail: { ...detail, fields } }), [customers]);
    return "mistakes" in read ? reportMistakes(read.mistakes) : [];
  };
  expect(mistakes({})).toEqual([]);
  expect(mistakes({}, "lf")).toEqual(['/lineEnd: must be "none": bytes of firstName, which is utf-16be, may look like a line end']);
  expect(mistakes({ length: 19 })).toEqual(["/detail/fields/2/length: must be even: a national character has two bytes"]);
  expect(mistakes({ pad: "　", null: "なし" })).toEqual([]);
  expect(mistakes({ null: "x".repeat(11) })[0]).toContain("has 22 bytes; the field has 20");
  expect(mistakes({ usage: "packed" })[0]).toContain("/encoding: utf-16be is for texts alone");
  const undefinedLength = readLayout(JSON.stringify({ ...national(), recordFormat: "U" }), [customers]);
  expect("mistakes" in undefinedLength && reportMistakes(undefinedLength.mistakes)).toEqual([
    '/recordFormat: no layout can say it: a file of RECFM=U says nowhere how long its records are. Let its sender copy it to RECFM=VB, transfer that with its record descriptor words and say "rdw"; where all are equally long, leave recordFormat out',
  ]);
});

test("shift-out and shift-in in a text of EBCDIC are named", async () => {
  const layout = customersLayout({ encoding: "cp037", lineEnd: "none" });
  const writer = new FixedWriter(layout, customers);
  const record = writer.detail({ ...DETAIL, lastName: "Tokyo" });
  record.set([0x0e, 0x45, 0x46, 0x48, 0xe7, 0x0f], 31);
  expect((await readAll(fileOf(writer.header(), record, writer.trailer()), layout)).malformed).toEqual([
    [
      1,
      "Record 2 (byte offset 64): Last name (bytes 32–51) is not readable: it has a byte 0E or 0F (shift-out, shift-in), between which characters of two bytes stand (DBCS, as in the code pages 930, 933, 935, 937 and 939). Ask for the field as national characters, or for the file in UTF-8.",
    ],
  ]);
});

test("a draft has the bytes of all items of two bytes a character, reads the national ones, and names the others", () => {
  const lines = [
    "01 R.",
    "  05 ID PIC 9(5).",
    "  05 NAME-N PIC N(10) USAGE NATIONAL VALUE N'東'.",
    "  05 TEXT-N PIC N(4) JUSTIFIED RIGHT.",
    "  05 NAME-G PIC G(6) DISPLAY-1.",
    "  05 OTHER-G PIC N(3) USAGE DISPLAY-1 VALUE G'  '.",
    "  05 AMOUNT PIC S9(5) SIGN TRAILING SEPARATE USAGE NATIONAL.",
    "  05 LAST-X PIC X(2).",
  ];
  const draft = draftLayout(`${lines.join("\n")}\n`, { encoding: "cp037", record: undefined, collection: undefined, name: undefined });
  if (typeof draft === "string") throw new Error(draft);
  expect(draft.layout).toMatchObject({ recordLength: 65, lineEnd: "none" });
  expect(draft.layout.detail.fields).toEqual([
    { name: "id", start: 1, length: 5, null: "00000" },
    { name: "nameN", start: 6, length: 20, encoding: "utf-16be" },
    { name: "textN", start: 26, length: 8, justify: "right", encoding: "utf-16be" },
    { name: "lastX", start: 64, length: 2 },
  ]);
  expect(draft.unsure).toEqual([]);
  expect(JSON.stringify(draft.dataPackage)).toContain('"name":"nameN","title":"Name n","type":"string","constraints":{"maxLength":10}');
  const dbcs =
    "is not taken over: it is of DBCS characters (PIC G, DISPLAY-1), whose code pages are not known here. Have the program move it to a PIC N item of USAGE NATIONAL (NATIONAL-OF), or ask for the file in UTF-8.";
  expect(draft.notes.map(({ line, sentence }) => `${line}: ${sentence}`)).toEqual([
    "4: TEXT-N (bytes 26–33): It is taken to be national (UTF-16), as the compiler's NSYMBOL(NATIONAL) has it: look at its first values.",
    `5: NAME-G (bytes 34–45) ${dbcs}`,
    `6: OTHER-G (bytes 46–51) ${dbcs}`,
    "7: AMOUNT (bytes 52–63) is not taken over: it is a number in national characters, which is not read here.",
  ]);
});
