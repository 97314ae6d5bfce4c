import fc from "fast-check";
import { expect, test } from "vitest";
import { NUMERALS } from "./cobol-numbers.ts";
import { withoutExponent } from "./floating-point.ts";

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const hexOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString("hex");

// IEEE 754; hexadecimal ones as in IBM's Principles of Operation and the documents of other vendors.
test.each([
  ["float", "3f800000", "1"],
  ["float", "c2c80000", "-100"],
  ["float", "4581b0cd", "4150.1"],
  ["float", "3dcccccd", "0.1"],
  ["float", "00000001", "0.000000000000000000000000000000000000000000001"],
  ["float", "40b036199999999a", "4150.1"],
  ["float", "0000000000000000", "0"],
  ["float-little-endian", "cdb08145", "4150.1"],
  ["float-little-endian", "00008054346f9dc1", "-123456789.125"],
  ["float-hexadecimal", "41100000", "1"],
  ["float-hexadecimal", "c276a000", "-118.625"],
  ["float-hexadecimal", "4019999a", "0.1"],
  ["float-hexadecimal", "401999999999999a", "0.1"],
  ["float-hexadecimal", "0000000000000000", "0"],
  ["float-hexadecimal", "441036199999999a", "4150.1"],
] as const)("%s X'%s' is %s", (usage, hex, text) => {
  expect(NUMERALS[usage].read(bytesOf(hex))).toBe(text);
  expect(hexOf(NUMERALS[usage].write(text, hex.length / 2))).toBe(hex);
});

test("a hexadecimal number that is not normalized has the same value", () => {
  expect([NUMERALS["float-hexadecimal"].read(bytesOf("43001000")), NUMERALS["float-hexadecimal"].read(bytesOf("44000100"))]).toEqual([
    "1",
    "1",
  ]);
});

test.each([
  ["float", "7f800000"],
  ["float", "7fc00000"],
  ["float-little-endian", "000000000000f0ff"],
] as const)("%s X'%s' is no finite number", (usage, hex) => {
  expect(NUMERALS[usage].read(bytesOf(hex))).toBeUndefined();
  expect(NUMERALS[usage].whyUnreadable(bytesOf(hex), (at) => at)).toContain("not a finite floating-point number");
});

test.each([
  ["more digits than it keeps", "float", "1234567.89", 4],
  ["more digits than it keeps", "float-hexadecimal", "1234567.89", 4],
  ["too large", "float", "1".padEnd(50, "0"), 4],
  ["too large", "float-hexadecimal", "1".padEnd(80, "0"), 8],
  ["too small", "float-hexadecimal", `0.${"0".repeat(90)}1`, 8],
  ["another length", "float", "1", 6],
  ["a text", "float", "1e3", 8],
] as const)("a number with %s is not written as %s", (_why, usage, text, length) => {
  expect(NUMERALS[usage].write(text, length)).toBeUndefined();
});

test("any floating-point number comes back as its very bytes", () => {
  const usages = ["float", "float-little-endian", "float-hexadecimal"] as const;
  const bytes = fc.constantFrom(4, 8).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
  fc.assert(
    fc.property(bytes, fc.constantFrom(...usages), (given, usage) => {
      const text = NUMERALS[usage].read(given);
      if (text === undefined) return;
      expect(text).toMatch(/^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
      const again = NUMERALS[usage].write(text, given.length);
      if (text !== "0" && (usage !== "float-hexadecimal" || (given[1] ?? 0) >> 4 > 0)) expect(hexOf(again)).toBe(hexOf(given));
      if (again) expect(NUMERALS[usage].read(again)).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test("a decimal of six digits comes back from four bytes, and one of fifteen from eight", () => {
  const decimal = (digits: number) =>
    fc
      .tuple(fc.bigInt({ min: -(10n ** BigInt(digits)) + 1n, max: 10n ** BigInt(digits) - 1n }), fc.integer({ min: 0, max: 10 }))
      .map(([n, places]) => withoutExponent(`${n}e-${places}`));
  const cases = [
    [4, decimal(6)],
    [8, decimal(15)],
  ] as const;
  for (const [length, decimals] of cases) {
    fc.assert(
      fc.property(decimals, (text) => {
        for (const usage of ["float", "float-little-endian", "float-hexadecimal"] as const) {
          expect(NUMERALS[usage].read(NUMERALS[usage].write(text, length) as Uint8Array)).toBe(text);
        }
      }),
    );
  }
});
