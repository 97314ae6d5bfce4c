// A file in another encoding than its layout says is refused with what it would be, and one that is right never is.

import fc from "fast-check";
import { expect, test } from "vitest";
import { FileError } from "../../pipeline/model/file-error.ts";
import { createCodec, type LayoutEncoding } from "../layouts/character-sets.ts";
import type { FixedLayout, Layout } from "../layouts/layout.ts";
import { customers, fileOf } from "../testing/layouts.ts";
import { openLayout } from "./open-layout.ts";

const LAYOUT: FixedLayout = {
  kind: "fixed",
  collection: "customers",
  recordLength: 40,
  lineEnd: "none",
  detail: {
    fields: [
      { name: "lastName", start: 1, length: 30 },
      { name: "accountID", start: 31, length: 10 },
    ],
  },
};

/** Why the file is refused that was written in one encoding and is read in another; undefined when it is not. */
async function whyRefused(
  names: readonly string[],
  written: LayoutEncoding,
  layout: Layout,
  notes: string[] = [],
): Promise<string | undefined> {
  const records = names.map((name, i) => {
    const [bytes, codec] = [Buffer.alloc(40), createCodec(written)];
    bytes.fill(codec.encode(" ") as Uint8Array);
    bytes.set(codec.encode(name) as Uint8Array);
    bytes.set(codec.encode(`A${i}`) as Uint8Array, 30);
    return bytes;
  });
  try {
    for await (const _ of (await openLayout(fileOf(...records), layout, customers, (note) => notes.push(note))).openRows());
    return undefined;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error.message;
  }
}

test("German names of code page 273 that are read as 037 are refused with the pages in which they are words", async () => {
  const names = ["Jürgen", "Smith", "Müller", "Größe", "Österreicher", "van Dijk"];
  const why = await whyRefused(names, "cp273", { ...LAYOUT, encoding: "cp037" });
  expect(why).toBe(
    'The texts of this file are probably not cp037. 3 of 6 records have such a text as “J}rgen” (record 1). It would be a word in cp273 (“Jürgen”), cp277 (“Jårgen”), cp278 (“Jårgen”), cp280 (“Jèrgen”), cp905 (“Jğrgen”). Correct the layout\'s encoding; if the texts are right, add "encodingIsSure": true to it.',
  );
  expect(await whyRefused(names, "cp273", { ...LAYOUT, encoding: "cp037", encodingIsSure: true })).toBeUndefined();
  expect(await whyRefused(names, "cp273", { ...LAYOUT, encoding: "cp273" })).toBeUndefined();
  expect(await whyRefused(names, "cp273", { ...LAYOUT, encoding: "cp1141" })).toBeUndefined(); // the same letters
});

test.each([
  ["cp037", "cp273", ["Müller", "Bär"], "cp037 (“Müller”)"],
  ["cp277", "cp037", ["Sørensen", "Kjær"], "cp277 (“Sørensen”)"],
  ["cp297", "cp037", ["Hélène", "Irène"], "cp297 (“Hélène”)"],
  ["utf-8", "iso-8859-1", ["Jürgen", "José"], "utf-8 (“Jürgen”)"],
  ["utf-8", "windows-1252", ["Zoë", "Smith"], "utf-8 (“Zoë”)"],
] as const)("written in %s and read in %s", async (written, read, names, expected) => {
  expect(await whyRefused(names, written, { ...LAYOUT, encoding: read })).toContain(expected);
});

test("a delimited file is refused in the same way", async () => {
  const layout: Layout = {
    kind: "delimited",
    collection: "customers",
    encoding: "cp037",
    headingLine: 0,
    columns: ["lastName", "accountID"],
  };
  const file = fileOf(createCodec("cp273").encode("Jürgen,A1\nSmith,A2\n") as Uint8Array);
  const read = async () => {
    for await (const _ of (await openLayout(file, layout, customers)).openRows());
  };
  await expect(read()).rejects.toThrow("1 of 2 records has such a text as “J}rgen” (record 1).");
});

test("a slip of the pen in a long file is in the report, and the file is not refused", async () => {
  const notes: string[] = [];
  const names = Array.from({ length: 2_000 }, (_, i) => (i === 7 ? "Smi}th" : "Smith"));
  expect(await whyRefused(names, "cp037", { ...LAYOUT, encoding: "cp037" }, notes)).toBeUndefined();
  expect(notes).toEqual([
    expect.stringMatching(/^1 of 2,000 records has such a text as “Smi}th” \(record 8\)\. It would be a word in cp273 \(“Smiüth”\), /),
  ]);
});

test("texts that no other page makes words of are no reason", async () => {
  expect(await whyRefused(["x}y{z[a]b", "a\\b~c¦d¢e£f"], "cp037", { ...LAYOUT, encoding: "cp037" })).toBeUndefined();
});

test("names, addresses and codes that are right are never refused", async () => {
  const letters = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿ]{1,8}$/);
  const text = fc
    .tuple(letters, fc.constantFrom(" ", "-", "'", "@", ".", "/", " & ", " (", ", ", "#", "_"), letters)
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 20 }),
      fc.constantFrom("cp037", "cp500", "cp1140", "cp1148", "iso-8859-1"),
      async (names, encoding) => {
        expect(await whyRefused(names, encoding as LayoutEncoding, { ...LAYOUT, encoding: encoding as LayoutEncoding })).toBeUndefined();
      },
    ),
    { numRuns: 100 },
  );
});
