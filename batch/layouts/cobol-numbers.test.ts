import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NUMERALS, type Usage } from "./cobol-numbers.ts";

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const hexOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString("hex");

// As a mainframe's dump shows them: PIC S9(5) COMP-3, PIC 9(5) COMP-3, PIC S9(4) COMP and so on.
test.each([
  ["packed", "41505c", "41505", "41505c"],
  ["packed", "41505d", "-41505", "41505d"],
  ["packed", "41505f", "41505", "41505c"],
  ["packed", "00000c", "00000", "00000c"],
  ["packed", "00000d", "00000", "00000c"],
  ["packed", "7d", "-7", "7d"],
  ["packed", "9999999999999999999999999999999c", "9999999999999999999999999999999", "9999999999999999999999999999999c"],
  ["binary", "0029", "41", "0029"],
  ["binary", "ffd7", "-41", "ffd7"],
  ["binary", "7fff", "32767", "7fff"],
  ["binary", "0000a221", "41505", "0000a221"],
  ["binary", "80000000", "-2147483648", "80000000"],
  ["binary", "7fffffffffffffff", "9223372036854775807", "7fffffffffffffff"],
] as const)("%s X'%s' is %s", (usage, hex, text, again) => {
  const numerals = NUMERALS[usage as Usage];
  expect(numerals.read(bytesOf(hex))).toBe(text);
  expect(hexOf(numerals.write(text, hex.length / 2))).toBe(again);
});

test.each([
  ["a digit above 9", "4a505c", "X'4A505C', which is not a packed number: byte offset 100 should have two digits"],
  ["a half byte above 9", "41a05c", "X'41A05C', which is not a packed number: byte offset 101 should have two digits"],
  ["no sign", "415050", "X'415050', which is not a packed number: byte offset 102 should have a digit and a sign (C, D or F)"],
  [
    "a sign that is none of three",
    "41505a",
    "X'41505A', which is not a packed number: byte offset 102 should have a digit and a sign (C, D or F)",
  ],
  ["no last digit", "4150cc", "X'4150CC', which is not a packed number: byte offset 102 should have a digit and a sign (C, D or F)"],
  ["blanks of EBCDIC", "404040", "X'404040', which is not a packed number: byte offset 102 should have a digit and a sign (C, D or F)"],
  ["nothing but zeros", "0000", "X'0000', which is not a packed number: byte offset 101 should have a digit and a sign (C, D or F)"],
])("packed bytes with %s are not a number, and the message says where", (_what, hex, expected) => {
  expect(NUMERALS.packed.read(bytesOf(hex))).toBeUndefined();
  expect(NUMERALS.packed.whyUnreadable(bytesOf(hex), 100)).toBe(expected);
});

describe("a number without room is not written", () => {
  test.each([
    ["packed", "100000", 3],
    ["packed", "-1000", 2],
    ["binary", "32768", 2],
    ["binary", "-32769", 2],
    ["binary", "9223372036854775808", 8],
  ] as const)("%s: %s in %i bytes", (usage, text, length) => {
    expect(NUMERALS[usage].write(text, length)).toBeUndefined();
  });

  test.each(["", "-", "1.5", "A", "+1", "1e3", " 1"])("nor “%s”, which is no whole number", (text) => {
    expect([NUMERALS.packed.write(text, 8), NUMERALS.binary.write(text, 8)]).toEqual([undefined, undefined]);
  });
});

test("any packed number comes back, and no other bytes are taken for one", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16 }), fc.bigInt({ min: -(10n ** 31n), max: 10n ** 31n }), (length, number) => {
      const text = String(number % 10n ** BigInt(2 * length - 1));
      const bytes = NUMERALS.packed.write(text, length);
      expect(bytes).toHaveLength(length);
      expect(BigInt(NUMERALS.packed.read(bytes as Uint8Array) as string)).toBe(BigInt(text));
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 3 }), (bytes) => {
      const digits = [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
      const sign = digits.pop() as number;
      const isPacked = digits.every((digit) => digit <= 9) && [12, 13, 15].includes(sign);
      expect(NUMERALS.packed.read(bytes) !== undefined).toBe(isPacked);
    }),
    { numRuns: 2_000 },
  );
});

test("any binary number comes back, and any bytes are one", () => {
  const bytes = fc.constantFrom(2, 4, 8).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
  fc.assert(
    fc.property(bytes, (given) => {
      const text = NUMERALS.binary.read(given) as string;
      expect(hexOf(NUMERALS.binary.write(text, given.length))).toBe(hexOf(given));
    }),
    { numRuns: 1_000 },
  );
});
