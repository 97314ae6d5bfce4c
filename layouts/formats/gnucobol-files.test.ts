// Files that GnuCOBOL wrote are read digit for digit. How each was made stands in layouts/testing/gnucobol.ts.

import { expect, test } from "vitest";
import { amounts } from "../../batch/testing/amounts.ts";
import type { FixedLayout, LayoutField } from "../layouts/layout.ts";
import { readLayout } from "../layouts/validate/parse-layout.ts";
import { cobolFile } from "../testing/gnucobol.ts";
import { fileOf, readAll } from "../testing/layouts.ts";

const NUMBERS: FixedLayout = {
  kind: "fixed",
  collection: "amounts",
  recordLength: 74,
  lineEnd: "none",
  detail: {
    fields: [
      { name: "id", start: 1, length: 4 },
      { name: "single", start: 5, length: 4, usage: "float-little-endian" },
      { name: "double", start: 9, length: 8, usage: "float-little-endian", decimals: 3 },
      { name: "thousands", start: 17, length: 3, sign: "overpunch-ascii", decimals: -3 },
      { name: "fraction", start: 20, length: 3, sign: "overpunch-ascii", decimals: 5 },
      { name: "over", start: 23, length: 7, sign: "overpunch-ascii", decimals: 2 },
      { name: "overLead", start: 30, length: 7, sign: "overpunch-ascii-leading", decimals: 2 },
      { name: "trail", start: 37, length: 8, sign: "trailing", decimals: 2 },
      { name: "lead", start: 45, length: 8, sign: "leading", decimals: 2 },
      { name: "packed", start: 53, length: 5, usage: "packed", decimals: 2 },
      { name: "compSix", start: 58, length: 3, usage: "packed-unsigned" },
      { name: "binary", start: 61, length: 4, usage: "binary" },
      { name: "native", start: 65, length: 4, usage: "little-endian" },
      { name: "text", start: 69, length: 6, null: ["LOW-VALUES", "HIGH-VALUES"] },
    ],
  },
};

const AMOUNTS = [
  "1 4150.1 4150.100 415000 0.00415 4150.19 4150.19 4150.19 4150.19 4150.19 041505 41505 41505 MARTHA",
  "2 -0.0078125 -123456789.125 -999000 -0.00001 -12345.67 -12345.67 -12345.67 -12345.67 -1234567.89 999999 -999999999 -999999999 ",
  "3 0 0 0 0.00000 0.00 0.00 0.00 0.00 0.00 000000 0 0 ",
].map((line) => line.split(" "));

function checked(layout: FixedLayout): FixedLayout {
  expect(readLayout(JSON.stringify(layout), [amounts])).toEqual({ layout, collection: amounts });
  return layout;
}

/** The numbers without their zeros in front. */
function plain(rows: readonly string[][]): string[][] {
  return rows.map((cells) => cells.map((cell) => cell.replace(/^(-?)0+(?=[0-9])/, "$1")));
}

test("numbers in every form have the digits that the program moved to them, and figurative constants are no value", async () => {
  const { rows, malformed } = await readAll(fileOf(cobolFile("numbers.dat")), checked(NUMBERS), amounts);
  expect(malformed).toEqual([]);
  expect(plain(rows)).toEqual(plain(AMOUNTS));
});

test("the signs of a mainframe in ASCII are read by either name of an overpunch", async () => {
  const named = (field: LayoutField): LayoutField => (field.name === "over" ? { ...field, sign: "overpunch" } : field);
  for (const fields of [NUMBERS.detail.fields, NUMBERS.detail.fields.map(named)]) {
    const { rows, malformed } = await readAll(
      fileOf(cobolFile("numbers-ebcdic-sign.dat")),
      checked({ ...NUMBERS, detail: { fields } }),
      amounts,
    );
    expect(malformed).toEqual([]);
    expect(plain(rows)).toEqual(plain(AMOUNTS));
  }
});

test("COMP-2 that GnuCOBOL wrote one bit too low is told apart unless the layout says how many decimals there are", async () => {
  const fields = NUMBERS.detail.fields.map(({ decimals, ...field }) =>
    field.name === "double" ? field : { ...field, ...(decimals && { decimals }) },
  );
  const { rows } = await readAll(fileOf(cobolFile("numbers.dat")), { ...NUMBERS, detail: { fields } }, amounts);
  expect(rows.map(([, , double]) => double)).toEqual(["4150.099999999999", "-123456789.125", "0"]);
});

const EDITED: FixedLayout = {
  kind: "fixed",
  collection: "amounts",
  recordLength: 51,
  lineEnd: "none",
  detail: {
    fields: [
      { name: "id", start: 1, length: 4 },
      { name: "text", start: 5, length: 8, justify: "right" },
      { name: "trail", start: 13, length: 11 },
      { name: "lead", start: 24, length: 11 },
      { name: "over", start: 35, length: 10, pad: "*" },
      { name: "thousands", start: 45, length: 6 },
      { name: "name", start: 51, length: 1, values: { Y: "open", N: "closed" } },
    ],
  },
};

test("texts on the right, edited numbers with their point and sign, blanks for zero, and codes are read as they are meant", async () => {
  const { rows, malformed } = await readAll(fileOf(cobolFile("edited.dat")), checked(EDITED), amounts);
  expect(malformed).toEqual([]);
  expect(rows).toEqual([
    ["1", "AB", "4150.19", "4150.19", "4150.19", "415", "open"],
    ["2", "ABCDEFGH", "-1234567.89", "-1234567.89", "0.05", "", "closed"],
  ]);
});

test("a text of LOW-VALUES or HIGH-VALUES that the layout does not know is a reject that says so, in every encoding", async () => {
  for (const encoding of ["utf-8", "iso-8859-1", "windows-1252", "cp037"] as const) {
    const text: LayoutField = { name: "text", start: 69, length: 6 };
    const fields = [...NUMBERS.detail.fields.filter(({ usage }) => usage === "binary").map((field) => ({ ...field, name: "id" })), text];
    const { malformed } = await readAll(fileOf(cobolFile("numbers.dat")), { ...NUMBERS, encoding, detail: { fields } }, amounts);
    expect(malformed.slice(-2)).toEqual([
      [
        2,
        'Record 2 (byte offset 74): text (bytes 69–74) is LOW-VALUES: all its bytes are 00. If LOW-VALUES means no value here, say "null": "LOW-VALUES" in the layout.',
      ],
      [
        3,
        'Record 3 (byte offset 148): text (bytes 69–74) is HIGH-VALUES: all its bytes are FF. If HIGH-VALUES means no value here, say "null": "HIGH-VALUES" in the layout.',
      ],
    ]);
  }
});

test("a text that figurative constants follow is a reject that says how to read it", async () => {
  const layout = (pad?: string): FixedLayout => {
    const text = { name: "text", start: 5, length: 6, ...(pad !== undefined && { pad }) };
    return { ...NUMBERS, encoding: "iso-8859-1", recordLength: 10, detail: { fields: [{ name: "id", start: 1, length: 4 }, text] } };
  };
  for (const [fill, name, byte] of [
    ["\u0000", "LOW-VALUES", "00"],
    ["ÿ", "HIGH-VALUES", "FF"],
  ] as const) {
    const file = fileOf(Buffer.from(`0001Lee${fill.repeat(3)}`, "latin1"));
    expect((await readAll(file, layout(), amounts)).malformed).toEqual([
      [
        1,
        `Record 1 (byte offset 0): text (bytes 5–10) is “Lee…” with bytes ${byte} (${name}) in it: if they fill the field, say "pad": "${name}" in the layout.`,
      ],
    ]);
    expect((await readAll(file, layout(name), amounts)).rows).toEqual([["1", "Lee"]]);
  }
});
