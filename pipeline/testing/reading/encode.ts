// Writes text in the encodings that an upload reads: what TextDecoder and the tables decode, the other way round.

import { IBM_TABLES } from "../../reading/ibm-tables.ts";

const tables = new Map<string, Map<string, number[]>>();

/** Throws for a character that the encoding lacks. */
export function encode(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding === "UTF-8") return new TextEncoder().encode(text);
  const table = tables.get(encoding) ?? makeTable(encoding);
  tables.set(encoding, table);
  const bytes = [...text].flatMap((character) => {
    const found = table.get(character);
    if (!found) throw new Error(`${encoding} has no ${character}.`);
    return found;
  });
  return new Uint8Array(bytes);
}

function makeTable(encoding: string): Map<string, number[]> {
  const table = new Map<string, number[]>();
  const upper = (IBM_TABLES as Readonly<Record<string, string>>)[encoding];
  if (upper) {
    for (let code = 0; code < 256; code++) table.set(code < 128 ? String.fromCharCode(code) : (upper[code - 128] as string), [code]);
    return table;
  }
  // Node 20 decodes windows-1252 as ISO-8859-1 unless it streams.
  const learn = (bytes: number[]) => {
    const text = new TextDecoder(encoding).decode(new Uint8Array(bytes), { stream: true });
    if ([...text].length === 1 && text !== "\uFFFD" && !table.has(text)) table.set(text, bytes);
  };
  for (let a = 0; a < 256; a++) learn([a]);
  const isWide = ["Shift_JIS", "GB18030", "Big5", "EUC-KR", "EUC-JP"].includes(encoding);
  for (let a = 0x81; isWide && a < 0xff; a++) for (let b = 0x30; b < 0xff; b++) learn([a, b]);
  return table;
}
