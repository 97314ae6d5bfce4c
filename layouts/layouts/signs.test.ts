// Signs of numbers in characters are read as COBOL writes them, and written so.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amounts } from "../../batch/testing/amounts.ts";
import { FixedWriter } from "../formats/write-fixed.ts";
import { fileOf, readAll } from "../testing/layouts.ts";
import { createCodec, LAYOUT_ENCODINGS, type LayoutEncoding } from "./character-sets.ts";
import { isEbcdic } from "./ebcdic.ts";
import type { FixedLayout } from "./layout.ts";
import { openSign, SIGNS, type Sign } from "./signs.ts";

const signsOf = (encoding: LayoutEncoding) => SIGNS.filter((sign) => !isEbcdic(encoding) || !sign.startsWith("overpunch-ascii"));

function layoutOf(encoding: LayoutEncoding, sign: Sign, decimals: number): FixedLayout {
  const fields = [
    { name: "id", start: 1, length: 4 },
    { name: "over", start: 5, length: 9, sign, decimals },
  ];
  return { kind: "fixed", collection: "amounts", encoding, recordLength: 13, lineEnd: "none", detail: { fields } };
}

describe("bytes of each sign", () => {
  test.each([
    ["overpunch", "utf-8", "00041505", "0004150N", "0004150E"],
    ["overpunch-leading", "utf-8", "00041505", "}0041505", "{0041505"],
    ["overpunch-ascii", "utf-8", "00041505", "0004150u", "00041505"],
    ["overpunch-ascii-leading", "utf-8", "00041505", "p0041505", "00041505"],
    ["leading", "utf-8", "0041505", "-0041505", "+0041505"],
    ["trailing", "utf-8", "0041505", "0041505-", "0041505+"],
    ["overpunch", "cp1141", "00041500", "0004150ü", "0004150ä"],
  ] as const)("%s (%s)", (sign, encoding, digits, minus, plus) => {
    const form = openSign(sign, encoding);
    expect([form.read(minus), form.read(plus)]).toEqual([`-${digits}`, digits]);
    expect(
      [form.write("415".concat(digits.slice(-2)), true, 8), form.write("415".concat(digits.slice(-2)), false, 8)].map((text) =>
        text.padStart(8, "0"),
      ),
    ).toEqual([minus, plus]);
  });

  test("in every EBCDIC code page the sign is the first half of the byte: A, C, E and F are plus, B and D minus", () => {
    for (const encoding of LAYOUT_ENCODINGS.filter(isEbcdic)) {
      const textOf = (...bytes: number[]) => createCodec(encoding).openRecord(Uint8Array.from(bytes))(0, bytes.length) ?? "no character";
      const read = [0xa5, 0xb5, 0xc5, 0xd5, 0xe5, 0xf5].map((last) => openSign("overpunch", encoding).read(textOf(0xf4, 0xf1, last)));
      const usual = ["415", "-415", "415", "-415", "415", "415"].map((text, i) =>
        read[i] === "no character" && i % 4 < 2 ? read[i] : text,
      );
      expect([encoding, ...read]).toEqual([encoding, ...usual]);
    }
  });
});

test("a separate sign that is not where it must be makes the record a reject", async () => {
  const file = (text: string) => fileOf(Buffer.from(`0001${text}`));
  expect((await readAll(file("+00000415"), layoutOf("utf-8", "leading", 2), amounts)).rows).toEqual([["1", "4.15"]]);
  for (const [sign, text, where] of [
    ["leading", "000000415", "in front"],
    ["trailing", "000000415", "at its end"],
  ] as const) {
    expect((await readAll(file(text), layoutOf("utf-8", sign, 2), amounts)).malformed).toEqual([
      [1, `Record 1 (byte offset 0): over (bytes 5–13) is “000000415”, which has no + or - ${where}.`],
    ]);
  }
});

test.each(LAYOUT_ENCODINGS)("any number comes back with its sign and its digits, with P and with V (%s)", async (encoding) => {
  const some = fc.record({
    sign: fc.constantFrom(...signsOf(encoding)),
    decimals: fc.integer({ min: -6, max: 5 }),
    digits: fc.integer({ min: -99_999_999, max: 99_999_999 }),
  });
  await fc.assert(
    fc.asyncProperty(some, async ({ sign, decimals, digits }) => {
      const layout = layoutOf(encoding, sign, decimals);
      const [minus, all] = [digits < 0 ? "-" : "", String(Math.abs(digits)).padStart(decimals + 1, "0")];
      const over =
        decimals > 0
          ? `${minus}${all.slice(0, -decimals)}.${all.slice(-decimals)}`
          : digits === 0
            ? "0"
            : `${digits}${"0".repeat(-decimals)}`;
      const { rows, malformed } = await readAll(fileOf(new FixedWriter(layout, amounts).detail({ id: "1", over })), layout, amounts);
      expect([malformed, rows]).toEqual([[], [["1", over.replace(/^-(?=[0.]*$)/, "")]]]);
    }),
    { numRuns: 60 },
  );
});
