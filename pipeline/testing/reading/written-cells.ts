// Writes files in each encoding, with each newline, delimiter and quoting style, and reads them in blocks of some bytes.

import { expect } from "vitest";
import type { Delimiter, Dialect, Encoding } from "../../model/dialect.ts";
import { parseRows } from "../../reading/csv-rows.ts";
import { readText } from "../../reading/text-blocks.ts";
import { fileOf, plainDialect } from "../fake-service.ts";
import { encode } from "./encode.ts";

// People called so write letters that each encoding has, on one and on two bytes.
const WORDS: Record<Encoding, string> = {
  "UTF-8": "Zoë 王小明 🙂 Łukasz",
  "UTF-16LE": "Zoë 王小明 🙂 Łukasz",
  "UTF-16BE": "Zoë 王小明 🙂 Łukasz",
  "windows-1252": "Jörg Müller ÿ",
  "windows-1250": "Łukasz Dvořák",
  "windows-1251": "Дмитрий Ольга",
  "windows-1253": "Γιώργος Ελένη",
  "windows-1254": "Çağla Işık",
  "windows-1255": "משה כהן",
  "windows-1256": "محمد علي",
  "windows-1257": "Jānis Bērziņš",
  "windows-874": "สมชาย ใจดี",
  "ISO-8859-2": "Łukasz Dvořák",
  "ISO-8859-15": "Jörg Cœur €",
  macintosh: "Jörg Müller",
  "KOI8-R": "Дмитрий Ольга",
  Shift_JIS: "表示 髙橋ソ 能",
  GB18030: "王小明 䶮 🙂",
  Big5: "許功蓋 王小明",
  "EUC-KR": "김민준 박서연",
  IBM850: "Jörg Müller",
  IBM852: "Łukasz Dvořák",
};
export const DELIMITERS: readonly Delimiter[] = [",", ";", "\t", "|"];
const NEWLINES = ["\n", "\r\n", "\r"] as const;
const STYLES = ["where needed", "everywhere", "apostrophes"] as const;

/** Turns round what TextDecoder reads: characters to bytes, one or two or four of them. */
export function encoderOf(encoding: Encoding): (text: string) => number[] {
  if (encoding === "UTF-8") return (text) => [...new TextEncoder().encode(text)];
  if (encoding.startsWith("UTF-16")) {
    const units = (text: string) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
    return (text) => units(text).flatMap((unit) => (encoding === "UTF-16LE" ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255]));
  }
  if (encoding.startsWith("IBM")) return (text) => [...encode(text, encoding)];
  const bytesOf = new Map<string, number[]>();
  const learn = (bytes: number[]) => {
    const text = new TextDecoder(encoding).decode(new Uint8Array(bytes));
    if ([...text].length === 1 && text !== "\uFFFD" && !bytesOf.has(text)) bytesOf.set(text, bytes);
  };
  for (let a = 0; a < 256; a++) learn([a]);
  const wide = ["Shift_JIS", "GB18030", "Big5", "EUC-KR"].includes(encoding);
  for (let a = 0x81; wide && a < 0xff; a++) for (let b = 0x30; b < 0xff; b++) learn([a, b]);
  if (encoding === "GB18030") learn([0x95, 0x30, 0x85, 0x32]); // 🙂
  return (text) =>
    [...text].flatMap((character) => {
      const bytes = bytesOf.get(character);
      if (!bytes) throw new Error(`${encoding} has no ${character}.`);
      return bytes;
    });
}

export function writeCell(text: string, delimiter: Delimiter, style: (typeof STYLES)[number]): string {
  const mark = style === "apostrophes" ? "'" : '"';
  const must = style !== "where needed" || text.startsWith(mark) || /[\r\n]/.test(text) || text.includes(delimiter);
  return must ? mark + text.replaceAll(mark, mark + mark) + mark : text;
}

export async function parse(file: File, dialect: Dialect, blockBytes?: number): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const block of parseRows(readText(file, dialect, blockBytes), dialect)) rows.push(...block.rows);
  return rows;
}

/**
 * Writes a file of the encoding for each newline, delimiter, style and size of block from 1 to 200 bytes, with a last newline where the size
 * is even, and expects each cell as it was written. `share`: one of so many sizes is taken, another one with each form, so that all have
 * their turn. Returns how many files it wrote.
 */
export async function expectCellsBack(encoding: Encoding, share: number): Promise<number> {
  const encode = encoderOf(encoding);
  const [word = "", other = word] = WORDS[encoding].split(" ");
  const forms = NEWLINES.flatMap((newline) => DELIMITERS.flatMap((delimiter) => STYLES.map((style) => ({ newline, delimiter, style }))));
  let files = 0;
  for (const [i, { newline, delimiter, style }] of forms.entries()) {
    const rows = [
      ["007", WORDS[encoding], `a, b; c | d`],
      [`say "${word}"`, `'${other}`, `two${newline}lines`],
      ["", "1\t2", other],
    ];
    const lines = [["id", word, "x"], ...rows].map((cells) => cells.map((cell) => writeCell(cell, delimiter, style)).join(delimiter));
    const dialect: Dialect = { ...plainDialect, encoding, delimiter, quote: style === "apostrophes" ? "'" : '"' };
    const [even, odd] = [newline, ""].map((last) => fileOf(new Uint8Array(encode(lines.join(newline) + last)))) as [File, File];
    for (let blockBytes = 1 + (i % share); blockBytes <= 200; blockBytes += share) {
      const found = await parse(blockBytes % 2 === 0 ? even : odd, dialect, blockBytes);
      if (JSON.stringify(found) !== JSON.stringify(rows)) expect({ newline, delimiter, style, blockBytes, found }).toEqual(rows);
      files++;
    }
  }
  return files;
}
