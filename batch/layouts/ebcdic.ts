// The EBCDIC code pages that a layout may name, as tables of characters from the package codepage.

import { createRequire } from "node:module";

export const EBCDIC_ENCODINGS = ["cp037", "cp500", "cp1047", "cp1140", "cp1141"] as const;
export type EbcdicEncoding = (typeof EBCDIC_ENCODINGS)[number];

/** The number of each code page at IBM and in the package. */
const NUMBERS: Record<EbcdicEncoding, number> = { cp037: 37, cp500: 500, cp1047: 1047, cp1140: 1140, cp1141: 1141 };

export function isEbcdic(encoding: string | undefined): encoding is EbcdicEncoding {
  return EBCDIC_ENCODINGS.some((name) => name === encoding);
}

/** The characters of the bytes 00 to FF; no character comes twice. NL (15) is U+0085 and LF (25) is U+000A. */
export function ebcdicTable(encoding: EbcdicEncoding): string[] {
  // Loaded only for a file in EBCDIC. The main module of the package would also load multi-byte code pages: 70 MB.
  const pages = createRequire(import.meta.url)("codepage/dist/sbcs.full.js") as Record<number, { dec: readonly string[] }>;
  const table = [...(pages[NUMBERS[encoding]]?.dec ?? [])];
  if (table.length !== 256) throw new Error(`The package codepage has no table for ${encoding}.`);
  table[0x15] = "\u0085"; // in code page 1047 the package exchanges these two
  table[0x25] = "\n";
  return table;
}
