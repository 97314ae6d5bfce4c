// Packed decimals (COMP-3) and binary numbers (COMP) to decimal digits and back.

export const USAGES = ["packed", "binary"] as const;
export type Usage = (typeof USAGES)[number];

interface Numerals {
  /** How many digits this many bytes hold, as COBOL counts them. */
  room(length: number): number;
  /** A minus sign if there is one, and all digits with leading zeros; undefined when the bytes are no such number. */
  read(bytes: Uint8Array): string | undefined;
  /** `text`: a whole number. Undefined when it does not fit. */
  write(text: string, length: number): Uint8Array | undefined;
  /** Why `read` gives undefined; continues a sentence such as “Object ID is …”. `offset`: where the bytes begin in the file. */
  whyUnreadable(bytes: Uint8Array, offset: number): string;
}

const BINARY_DIGITS: Readonly<Record<number, number>> = { 2: 4, 4: 9, 8: 18 };

export const NUMERALS: Record<Usage, Numerals> = {
  packed: {
    room: (length) => 2 * length - 1,
    read(bytes) {
      const hex = hexOf(bytes);
      if (!/^[0-9]+[cdf]$/.test(hex)) return undefined;
      const digits = hex.slice(0, -1);
      return hex.endsWith("d") && /[1-9]/.test(digits) ? `-${digits}` : digits;
    },
    write(text, length) {
      const [, sign, digits = ""] = /^(-?)0*([0-9]+)$/.exec(text) ?? [];
      if (digits === "" || digits.length > 2 * length - 1) return undefined;
      return Buffer.from(digits.padStart(2 * length - 1, "0") + (sign && digits !== "0" ? "d" : "c"), "hex");
    },
    whyUnreadable(bytes, offset) {
      const last = bytes.length - 1;
      const wrong = bytes.subarray(0, last).findIndex((byte) => byte >> 4 > 9 || (byte & 15) > 9);
      const [at, wanted] = wrong === -1 ? [last, "a digit and a sign (C, D or F)"] : [wrong, "two digits"];
      return `${dumpOf(bytes)}, which is not a packed number: byte offset ${offset + at} should have ${wanted}`;
    },
  },
  binary: {
    room: (length) => BINARY_DIGITS[length] ?? 0,
    read: (bytes) => (BINARY_DIGITS[bytes.length] === undefined ? undefined : String(BigInt.asIntN(8 * bytes.length, bitsOf(bytes)))),
    write(text, length) {
      if (!/^-?[0-9]+$/.test(text)) return undefined;
      const [number, bits] = [BigInt(text), 8 * length];
      if (BigInt.asIntN(bits, number) !== number) return undefined;
      return Buffer.from(
        BigInt.asUintN(bits, number)
          .toString(16)
          .padStart(2 * length, "0"),
        "hex",
      );
    },
    whyUnreadable: (bytes) => `${dumpOf(bytes)}, which is not a binary number`,
  },
};

/** In the notation of COBOL: X'00AB'. */
export function dumpOf(bytes: Uint8Array): string {
  return `X'${hexOf(bytes).toUpperCase()}'`;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

/** As an unsigned big-endian number. */
function bitsOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${hexOf(bytes)}`);
}
