import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromSortable, isMore, keepsDigits, MOST_DECIMALS, MOST_WHOLE_DIGITS, padDecimals, readDecimal, toSortable } from "./decimals.ts";

const SCALE = 10n ** BigInt(MOST_DECIMALS);
const MOST = 10n ** BigInt(MOST_WHOLE_DIGITS + MOST_DECIMALS) - 1n;
const scaled = fc.oneof(fc.bigInt({ min: -MOST, max: MOST }), fc.bigInt({ min: -20_000_000_000n, max: 20_000_000_000n }));

/** The decimal of a whole number of ten-billionths. */
function write(n: bigint): string {
  const size = n < 0n ? -n : n;
  return `${n < 0n ? "-" : ""}${size / SCALE}.${String(size % SCALE).padStart(MOST_DECIMALS, "0")}`;
}

const decimal = (n: bigint) => readDecimal(write(n)) as string;

describe("decimals", () => {
  test("that are equal are the same text, and others are not", () => {
    fc.assert(
      fc.property(scaled, scaled, (a, b) => {
        expect(decimal(a) === decimal(b)).toBe(a === b);
        expect(decimal(a)).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/);
      }),
    );
  });

  test("have a form that sorts as they do and can be read back", () => {
    fc.assert(
      fc.property(scaled, scaled, (a, b) => {
        const [x, y] = [toSortable(decimal(a)), toSortable(decimal(b))];
        expect(Math.sign(Buffer.compare(Buffer.from(x), Buffer.from(y)))).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect(fromSortable(x)).toBe(decimal(a));
        expect(isMore(decimal(a), decimal(b))).toBe(a > b);
      }),
    );
  });

  test("may be written with an exponent", () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: -8, max: 8 }), (digits, exponent) => {
        const moved = BigInt(digits) * 10n ** BigInt(exponent + MOST_DECIMALS);
        expect(readDecimal(`${digits}e${exponent}`)).toBe(decimal(moved));
      }),
    );
  });

  test.each(["", "-", "01", "1.", ".5", "1,5", "+1", "1e99", "1e-101", "9".repeat(27), " 1", "0x1", "Infinity", "1".repeat(1_000)])(
    "%j is none",
    (text) => {
      expect(readDecimal(text)).toBeUndefined();
    },
  );

  test("are shown with as many decimals as their field has", () => {
    expect(["4150", "4150.5", "-0.25", "1.2345"].map((text) => padDecimals(text, 2))).toEqual(["4150.00", "4150.50", "-0.25", "1.2345"]);
    expect(padDecimals("7", 0)).toBe("7");
  });
});

describe("a double keeps", () => {
  test("the digits of every double, written in any of its ways", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
        expect(keepsDigits(String(n))).toBe(true);
        expect(keepsDigits(n.toExponential())).toBe(true);
      }),
    );
  });

  test("fifteen digits, wherever the point is, and zeros that say nothing", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), fc.nat({ max: 30 }), (digits, places) => {
        const text = String(digits).padStart(places + 1, "0");
        const number = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
        expect(keepsDigits(number)).toBe(true);
        if (places > 0) expect(keepsDigits(`${number}000`)).toBe(true);
      }),
    );
  });

  test.each(["100000069899999.93", "9007199254740993", "0.1234567890123456789", "1e400", "1e-400", "1.00000000000000001"])(
    "not those of %s",
    (text) => {
      expect(keepsDigits(text)).toBe(false);
    },
  );
});
