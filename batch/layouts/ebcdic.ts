// EBCDIC code pages 037 and 500 as tables of characters. Knows no file; codec.ts reads and writes with them.

// The mappings that IBM gave to the Unicode Consortium (unicode.org/Public/MAPPINGS/VENDORS/MICSFT/EBCDIC/CP037.TXT and CP500.TXT): for each
// byte from 00 to FF its character, all of which are in Latin-1, each once. So NL (15) is U+0085 and LF (25) is U+000A.
const CP037 = [
  "000102039c09867f978d8e0b0c0d0e0f101112139d8508871819928f1c1d1e1f",
  "80818283840a171b88898a8b8c050607909116939495960498999a9b14159e1a",
  "20a0e2e4e0e1e3e5e7f1a22e3c282b7c26e9eaebe8edeeefecdf21242a293bac",
  "2d2fc2c4c0c1c3c5c7d1a62c255f3e3ff8c9cacbc8cdcecfcc603a2340273d22",
  "d8616263646566676869abbbf0fdfeb1b06a6b6c6d6e6f707172aabae6b8c6a4",
  "b57e737475767778797aa1bfd0dddeae5ea3a5b7a9a7b6bcbdbe5b5dafa8b4d7",
  "7b414243444546474849adf4f6f2f3f57d4a4b4c4d4e4f505152b9fbfcf9faff",
  "5cf7535455565758595ab2d4d6d2d3d530313233343536373839b3dbdcd9da9f",
].join("");

/** The seven bytes that mean another character in code page 500. */
const CP500_DIFFERS: readonly [byte: number, character: string][] = [
  [0x4a, "["],
  [0x4f, "!"],
  [0x5a, "]"],
  [0x5f, "^"],
  [0xb0, "¢"],
  [0xba, "¬"],
  [0xbb, "|"],
];

/** The character of each byte. */
export function cp037Table(): string[] {
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(Number.parseInt(CP037.slice(2 * byte, 2 * byte + 2), 16)));
}

export function cp500Table(): string[] {
  const table = cp037Table();
  for (const [byte, character] of CP500_DIFFERS) table[byte] = character;
  return table;
}
