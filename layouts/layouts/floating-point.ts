// Floating-point numbers, IEEE or hexadecimal, to the shortest decimal that means the same bytes, and back.

export interface FloatForm {
  /** `bytes`: 4 or 8. Undefined for what is no number: infinity and NaN. */
  read(bytes: Uint8Array): string | undefined;
  /** Returns undefined when these bytes would be read as another number. */
  write(text: string, length: number): Uint8Array | undefined;
}

export const IEEE: FloatForm = ieee(false);
export const IEEE_LITTLE_ENDIAN: FloatForm = ieee(true);

function ieee(isLittleEndian: boolean): FloatForm {
  const viewOf = ({ buffer, byteOffset, length }: Uint8Array) => new DataView(buffer, byteOffset, length);
  const read = (bytes: Uint8Array): string | undefined => {
    const isShort = bytes.length === 4;
    const view = viewOf(bytes);
    const number = isShort ? view.getFloat32(0, isLittleEndian) : view.getFloat64(0, isLittleEndian);
    if (!Number.isFinite(number)) return undefined;
    return withoutExponent(isShort ? shortestSingle(number) : String(number));
  };
  return {
    read,
    write(text, length) {
      const bytes = new Uint8Array(length);
      if (length === 4) viewOf(bytes).setFloat32(0, Number(text), isLittleEndian);
      else viewOf(bytes).setFloat64(0, Number(text), isLittleEndian);
      return isSameNumber(read(bytes), text) ? bytes : undefined;
    },
  };
}

/** Nine digits always tell two numbers of single precision apart. */
function shortestSingle(number: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = number.toPrecision(digits);
    if (Math.fround(Number(text)) === number) return text;
  }
  return number.toPrecision(9);
}

/** A float of IBM mainframes has a sign, a power of 16 from −64, and a fraction of 6 or 14 hexadecimal digits (z/Architecture Principles of Operation). */
export const HEXADECIMAL: FloatForm = {
  read(bytes) {
    const { isNegative, exponent, fraction } = partsOf(bytes);
    if (fraction === 0n) return "0";
    const digits = shortest(ratioOf(fraction, exponent, bytes.length), (text) => {
      const again = nearest(text, bytes.length);
      return again !== undefined && again.exponent === exponent && again.fraction === fraction;
    });
    return `${isNegative ? "-" : ""}${digits}`;
  },
  write(text, length) {
    const found = nearest(text.replace(/^-/, ""), length);
    if (!found) return undefined;
    const bytes = new Uint8Array(length);
    const hex = found.fraction.toString(16).padStart(2 * (length - 1), "0");
    bytes.set(Buffer.from(hex, "hex"), 1);
    bytes[0] = found.fraction === 0n ? 0 : (text.startsWith("-") ? 0x80 : 0) | (found.exponent + 64);
    return isSameNumber(HEXADECIMAL.read(bytes), text) ? bytes : undefined;
  },
};

interface Hexadecimal {
  exponent: number;
  fraction: bigint;
}

/** They are normalized: the first digit of the fraction is not 0, if the exponent has room for it. */
function partsOf(bytes: Uint8Array): Hexadecimal & { isNegative: boolean } {
  const [first = 0, ...rest] = bytes;
  let [exponent, fraction] = [(first & 0x7f) - 64, BigInt(`0x${Buffer.from(rest).toString("hex")}`)];
  for (; fraction > 0n && fraction >> BigInt(8 * rest.length - 4) === 0n && exponent > -64; exponent--) fraction <<= 4n;
  return { isNegative: first > 0x7f, exponent, fraction };
}

interface Ratio {
  over: bigint;
  under: bigint;
}

/** fraction / 2^bits × 16^exponent */
function ratioOf(fraction: bigint, exponent: number, length: number): Ratio {
  const power = 4 * exponent - 8 * (length - 1);
  return power >= 0 ? { over: fraction << BigInt(power), under: 1n } : { over: fraction, under: 1n << BigInt(-power) };
}

/** Returns the normalized number next to a decimal without a sign. Undefined when it is too large or too small. */
function nearest(text: string, length: number): Hexadecimal | undefined {
  const [whole = "", part = ""] = text.split(".");
  const [over, under] = [BigInt(whole + part), 10n ** BigInt(part.length)];
  if (over === 0n) return { exponent: -64, fraction: 0n };
  const bits = BigInt(8 * (length - 1));
  let exponent = over.toString(16).length - under.toString(16).length - 1;
  for (; exponent <= 64; exponent++) {
    const shift = bits - 4n * BigInt(exponent);
    const fraction = shift >= 0n ? rounded(over << shift, under) : rounded(over, under << -shift);
    if (fraction >= 1n << bits) continue;
    return exponent >= -64 && exponent <= 63 ? { exponent, fraction } : undefined;
  }
  return undefined;
}

/** Returns the decimal with the fewest digits that `isSame`; at most 20 digits. */
function shortest({ over, under }: Ratio, isSame: (text: string) => boolean): string {
  let text = "";
  const guess = over.toString().length - under.toString().length;
  for (let digits = 1; digits <= 20; digits++) {
    const places = digits - guess; // digits behind the point, or fewer than none
    const all = places >= 0 ? rounded(over * 10n ** BigInt(places), under) : rounded(over, under * 10n ** BigInt(-places));
    text = withPoint(all.toString(), places);
    if (isSame(text)) break;
  }
  return text;
}

function rounded(over: bigint, under: bigint): bigint {
  return (2n * over + under) / (2n * under);
}

/** @example withPoint("12345", 2) // "123.45" */
function withPoint(digits: string, places: number): string {
  if (places <= 0) return digits + "0".repeat(-places);
  const padded = digits.padStart(places + 1, "0");
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`.replace(/\.?0+$/, "");
}

/** Writes the same number in digits and a point alone. @example withoutExponent("1.5e-7") // "0.00000015" */
export function withoutExponent(text: string): string {
  const [, sign = "", whole = "", part = "", exponent = "0"] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e\+?(-?[0-9]+))?$/i.exec(text) ?? [];
  const digits = (whole + part).replace(/^0+(?=.)/, "");
  const plain = withPoint(digits, part.length - Number(exponent));
  return plain === "0" ? "0" : sign + plain;
}

function isSameNumber(read: string | undefined, text: string): boolean {
  return read !== undefined && withoutExponent(read) === withoutExponent(text);
}
