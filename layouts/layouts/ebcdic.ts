// The EBCDIC code pages that a layout may name, as tables of characters from the package codepage.

import { createRequire } from "node:module";

/** The number of each code page in the package. In those from 20273 on it is IBM's number behind 20 or 21, as Microsoft counts them. */
const NUMBERS = {
  cp037: 37,
  cp273: 20273,
  cp277: 20277,
  cp278: 20278,
  cp280: 20280,
  cp284: 20284,
  cp285: 20285,
  cp290: 20290,
  cp297: 20297,
  cp420: 20420,
  cp423: 20423,
  cp424: 20424,
  cp500: 500,
  cp833: 20833,
  cp838: 20838,
  cp870: 870,
  cp871: 20871,
  cp875: 875,
  cp880: 20880,
  cp905: 20905,
  cp924: 20924,
  cp1025: 21025,
  cp1026: 1026,
  cp1047: 1047,
  cp1140: 1140,
  cp1141: 1141,
  cp1142: 1142,
  cp1143: 1143,
  cp1144: 1144,
  cp1145: 1145,
  cp1146: 1146,
  cp1147: 1147,
  cp1148: 1148,
  cp1149: 1149,
} as const;

export type EbcdicEncoding = keyof typeof NUMBERS;
export const EBCDIC_ENCODINGS = Object.keys(NUMBERS) as readonly EbcdicEncoding[];

export function isEbcdic(encoding: string | undefined): encoding is EbcdicEncoding {
  return encoding !== undefined && Object.hasOwn(NUMBERS, encoding);
}

const NONE = "\uFFFD"; // marks a byte without a character

/** Returns the characters of the bytes 00 to FF; no character comes twice. NL (15) is U+0085 and LF (25) is U+000A. */
export function ebcdicTable(encoding: EbcdicEncoding): string[] {
  // Loaded only for a file in EBCDIC. The main module of the package would also load multi-byte code pages: 70 MB.
  const pages = createRequire(import.meta.url)("codepage/dist/sbcs.full.js") as Record<number, { dec: readonly string[] }>;
  const page = pages[NUMBERS[encoding]]?.dec;
  if (page?.length !== 256) throw new Error(`The package codepage has no table for ${encoding}.`);
  const table = Array.from(page, (character) => character ?? NONE);
  [table[0x00], table[0x01]] = ["\u0000", "\u0001"]; // U+009F in the pages with Microsoft's numbers
  [table[0x15], table[0x25]] = ["\u0085", "\n"]; // exchanged in code pages 1047 and 924
  return table.map((character, byte) => (table.indexOf(character) === byte ? character : NONE)); // 1A stands for none in code page 875
}
