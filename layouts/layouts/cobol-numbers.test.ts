import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NUMERALS, type Usage } from "./cobol-numbers.ts";

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const hexOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString("hex");

// A mainframe's dump shows them so: PIC S9(5) COMP-3, PIC 9(5) COMP-3, PIC S9(4) COMP and so on.
test.each([
  ["packed", "41505c", "41505", "41505c"],
  ["packed", "41505d", "-41505", "41505d"],
  ["packed", "41505f", "41505", "41505c"],
  ["packed", "00000c", "00000", "00000c"],
  ["packed", "00000d", "00000", "00000c"],
  ["packed", "7d", "-7", "7d"],
  ["packed", "9999999999999999999999999999999c", "9999999999999999999999999999999", "9999999999999999999999999999999c"],
  ["packed", "41505a", "41505", "41505c"],
  ["packed", "41505b", "-41505", "41505d"],
  ["packed", "41505e", "41505", "41505c"],
  ["packed-unsigned", "041505", "041505", "041505"],
  ["packed-unsigned", "9999", "9999", "9999"],
  ["binary", "29", "41", "29"],
  ["binary", "d7", "-41", "d7"],
  ["binary", "ffffd7", "-41", "ffffd7"],
  ["binary-unsigned", "ffd7", "65495", "ffd7"],
  ["binary-unsigned", "ffffffffffffffff", "18446744073709551615", "ffffffffffffffff"],
  ["little-endian", "21a20000", "41505", "21a20000"],
  ["little-endian", "d7ff", "-41", "d7ff"],
  ["little-endian", "40e20100", "123456", "40e20100"],
  ["little-endian-unsigned", "d7ff", "65495", "d7ff"],
  ["little-endian-unsigned", "15cd5b07", "123456789", "15cd5b07"],
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
  ["no sign", "415050", "X'415050', which is not a packed number: byte offset 102 should have a digit and a sign (A to F)"],
  ["no last digit", "4150cc", "X'4150CC', which is not a packed number: byte offset 102 should have a digit and a sign (A to F)"],
  ["blanks of EBCDIC", "404040", "X'404040', which is not a packed number: byte offset 102 should have a digit and a sign (A to F)"],
  ["nothing but zeros", "0000", "X'0000', which is not a packed number: byte offset 101 should have a digit and a sign (A to F)"],
])("packed bytes with %s are not a number, and the message says where", (_what, hex, expected) => {
  expect(NUMERALS.packed.read(bytesOf(hex))).toBeUndefined();
  expect(NUMERALS.packed.whyUnreadable(bytesOf(hex), (at) => 100 + at)).toBe(expected);
});

test("packed bytes without a sign are not a number when one of them has no two digits, and the message says where", () => {
  const bytes = bytesOf("41505c");
  expect(NUMERALS["packed-unsigned"].read(bytes)).toBeUndefined();
  expect(NUMERALS["packed-unsigned"].whyUnreadable(bytes, (at) => 100 + at)).toBe(
    "X'41505C', which is not a packed number without a sign: byte offset 102 should have two digits",
  );
});

describe("a number without room is not written", () => {
  test.each([
    ["packed", "100000", 3],
    ["packed", "-1000", 2],
    ["packed-unsigned", "10000", 2],
    ["packed-unsigned", "-1", 2],
    ["binary-unsigned", "65536", 2],
    ["binary-unsigned", "-1", 2],
    ["little-endian", "128", 1],
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

test("any packed number comes back, with a sign and without, and no other bytes are taken for one", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16 }), fc.bigInt({ min: -(10n ** 31n), max: 10n ** 31n }), (length, number) => {
      const text = String(number % 10n ** BigInt(2 * length - 1));
      const bytes = NUMERALS.packed.write(text, length);
      expect(bytes).toHaveLength(length);
      expect(BigInt(NUMERALS.packed.read(bytes as Uint8Array) as string)).toBe(BigInt(text));
      const plain = text.replace("-", "");
      const unsigned = NUMERALS["packed-unsigned"].write(plain, length);
      expect(unsigned).toHaveLength(length);
      expect(BigInt(NUMERALS["packed-unsigned"].read(unsigned as Uint8Array) as string)).toBe(BigInt(plain));
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 3 }), (bytes) => {
      const digits = [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
      const sign = digits.pop() as number;
      const isPacked = digits.every((digit) => digit <= 9) && sign > 9;
      expect(NUMERALS.packed.read(bytes) !== undefined).toBe(isPacked);
      expect(NUMERALS["packed-unsigned"].read(bytes) !== undefined).toBe([...digits, sign].every((digit) => digit <= 9));
    }),
    { numRuns: 2_000 },
  );
});

test("bytes that are no number are said with what they should be", () => {
  const why = (usage: Usage, hex: string) => NUMERALS[usage].whyUnreadable(Buffer.from(hex, "hex"), (at) => 10 + at);
  expect(why("packed", "1a3c")).toBe("X'1A3C', which is not a packed number: byte offset 10 should have two digits");
  expect(why("packed", "1234")).toBe("X'1234', which is not a packed number: byte offset 11 should have a digit and a sign (A to F)");
  expect(why("packed-unsigned", "123c")).toBe(
    "X'123C', which is not a packed number without a sign: byte offset 11 should have two digits",
  );
  expect(why("float", "7f800000")).toBe("X'7F800000', which is not a finite floating-point number");
  expect(why("binary", "000000000000000001")).toBe("X'000000000000000001', which is not a binary number");
});

test("any binary number comes back, and any bytes are one", () => {
  const bytes = fc.integer({ min: 1, max: 8 }).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
  fc.assert(
    fc.property(bytes, (given) => {
      for (const usage of ["binary", "binary-unsigned", "little-endian", "little-endian-unsigned"] as const) {
        const text = NUMERALS[usage].read(given) as string;
        expect(hexOf(NUMERALS[usage].write(text, given.length))).toBe(hexOf(given));
      }
    }),
    { numRuns: 1_000 },
  );
});
