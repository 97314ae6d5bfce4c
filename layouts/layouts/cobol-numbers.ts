// Packed (COMP-3, COMP-6), binary (COMP, COMP-5) and floating-point numbers (COMP-1, COMP-2) to digits and back.

import { type FloatForm, HEXADECIMAL, IEEE, IEEE_LITTLE_ENDIAN } from "./floating-point.ts";

/** The names are those of layout.schema.json. Numbers whose usage begins with "float" have a point in their text; the others are whole numbers. */
export const USAGES = [
  "packed",
  "packed-unsigned",
  "binary",
  "binary-unsigned",
  "little-endian",
  "little-endian-unsigned",
  "float",
  "float-little-endian",
  "float-hexadecimal",
] as const;
export type Usage = (typeof USAGES)[number];

export function isFloat(usage: Usage | undefined): boolean {
  return usage?.startsWith("float") ?? false;
}

interface Numerals {
  /** Counts the digits that this many bytes hold, as COBOL counts them. */
  room(length: number): number;
  /** Returns a minus sign if there is one, and all digits, of whole numbers with leading zeros; undefined when the bytes are no such number. */
  read(bytes: Uint8Array): string | undefined;
  /** `text`: a whole number, or for floating point a decimal. Undefined when it does not fit. */
  write(text: string, length: number): Uint8Array | undefined;
  /** Says why `read` gives undefined; continues a sentence such as “Object ID is …”. `offsetOf`: where each byte, from 0, is in the file. */
  whyUnreadable(bytes: Uint8Array, offsetOf: (at: number) => number): string;
}

/** Counts by the number of bytes the digits that every number of this length has room for. */
const BINARY_DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 18];

export const NUMERALS: Record<Usage, Numerals> = {
  packed: {
    room: (length) => 2 * length - 1,
    // C and F, and of the rarer ones A and E, are plus; D and B are minus (IBM z/Architecture Principles of Operation, chapter 8).
    read(bytes) {
      const hex = hexOf(bytes);
      if (!/^[0-9]+[a-f]$/.test(hex)) return undefined;
      const digits = hex.slice(0, -1);
      return /[bd]$/.test(hex) && /[1-9]/.test(digits) ? `-${digits}` : digits;
    },
    write(text, length) {
      const [, sign, digits = ""] = WHOLE.exec(text) ?? [];
      if (digits === "" || digits.length > 2 * length - 1) return undefined;
      return Buffer.from(digits.padStart(2 * length - 1, "0") + (sign && digits !== "0" ? "d" : "c"), "hex");
    },
    whyUnreadable(bytes, offsetOf) {
      const last = bytes.length - 1;
      const wrong = firstWithoutDigits(bytes.subarray(0, last));
      const [at, wanted] = wrong === -1 ? [last, "a digit and a sign (A to F)"] : [wrong, "two digits"];
      return `${dumpOf(bytes)}, which is not a packed number: byte offset ${offsetOf(at)} should have ${wanted}`;
    },
  },
  "packed-unsigned": {
    room: (length) => 2 * length,
    read: (bytes) => (firstWithoutDigits(bytes) === -1 ? hexOf(bytes) : undefined),
    write(text, length) {
      const [, sign, digits = ""] = WHOLE.exec(text) ?? [];
      if (digits === "" || digits.length > 2 * length || (sign && digits !== "0")) return undefined;
      return Buffer.from(digits.padStart(2 * length, "0"), "hex");
    },
    whyUnreadable(bytes, offsetOf) {
      const at = offsetOf(Math.max(0, firstWithoutDigits(bytes)));
      return `${dumpOf(bytes)}, which is not a packed number without a sign: byte offset ${at} should have two digits`;
    },
  },
  binary: binary({ isSigned: true, isLittleEndian: false }),
  "binary-unsigned": binary({ isSigned: false, isLittleEndian: false }),
  "little-endian": binary({ isSigned: true, isLittleEndian: true }),
  "little-endian-unsigned": binary({ isSigned: false, isLittleEndian: true }),
  float: floating(IEEE),
  "float-little-endian": floating(IEEE_LITTLE_ENDIAN),
  "float-hexadecimal": floating(HEXADECIMAL),
};

function floating(form: FloatForm): Numerals {
  const isLength = (length: number) => length === 4 || length === 8;
  return {
    room: (length) => (length === 4 ? 6 : 15), // decimal digits that always come back
    read: (bytes) => (isLength(bytes.length) ? form.read(bytes) : undefined),
    write: (text, length) => (isLength(length) && /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? form.write(text, length) : undefined),
    whyUnreadable: (bytes) => `${dumpOf(bytes)}, which is not a finite floating-point number`,
  };
}

const WHOLE = /^(-?)0*([0-9]+)$/;

/** Reads and writes two's complement, or numbers without a sign. */
function binary({ isSigned, isLittleEndian }: { isSigned: boolean; isLittleEndian: boolean }): Numerals {
  const ordered = (bytes: Uint8Array) => (isLittleEndian ? Uint8Array.from(bytes).reverse() : bytes);
  const wrapped = (bits: number, number: bigint) => (isSigned ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number));
  return {
    room: (length) => BINARY_DIGITS[length] ?? 0,
    read: (bytes) => (BINARY_DIGITS[bytes.length] ? String(wrapped(8 * bytes.length, bitsOf(ordered(bytes)))) : undefined),
    write(text, length) {
      if (!/^-?[0-9]+$/.test(text)) return undefined;
      const [number, bits] = [BigInt(text), 8 * length];
      if (wrapped(bits, number) !== number) return undefined;
      const hex = BigInt.asUintN(bits, number).toString(16);
      return ordered(Buffer.from(hex.padStart(2 * length, "0"), "hex"));
    },
    whyUnreadable: (bytes) => `${dumpOf(bytes)}, which is not a binary number`,
  };
}

/** Finds the first of packed bytes that has no two digits; -1 when each has. */
function firstWithoutDigits(bytes: Uint8Array): number {
  return bytes.findIndex((byte) => byte >> 4 > 9 || (byte & 15) > 9);
}

/** Uses the notation of COBOL: X'00AB'. */
export function dumpOf(bytes: Uint8Array): string {
  return `X'${hexOf(bytes).toUpperCase()}'`;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

/** Reads the bytes as an unsigned big-endian number. */
function bitsOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${hexOf(bytes)}`);
}
