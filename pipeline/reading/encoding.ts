// Detects the encoding of bytes and finds the first wrong one.

import { t, tNumber } from "../../core/i18n/translate.ts";
import type { Encoding } from "../model/dialect.ts";

export interface EncodingFound {
  encoding: Encoding;
  bom: boolean;
  /** How that is known. Continues "Read as UTF-8, because …". */
  why: string;
}

const MARKS: readonly [Encoding, readonly number[]][] = [
  ["UTF-8", [0xef, 0xbb, 0xbf]],
  ["UTF-16LE", [0xff, 0xfe]],
  ["UTF-16BE", [0xfe, 0xff]],
];

/** `whole`: the file ends with these bytes. Otherwise the last character may be incomplete. */
export function detectEncoding(head: Uint8Array, whole: boolean): EncodingFound {
  const marked = MARKS.find(([, mark]) => startsWith(head, mark));
  if (marked) return { encoding: marked[0], bom: true, why: t("it begins with that byte order mark") };
  const wide = detectUtf16(head);
  if (wide) return { encoding: wide, bom: false, why: t("every other byte is zero, as in that encoding") };
  const wrong = findWrongByte(head, whole);
  if (wrong)
    return { encoding: "windows-1252", bom: false, why: t("line {line} has bytes that are not UTF-8", { line: tNumber(wrong.line) }) };
  const isAscii = head.every((byte) => byte < 0x80);
  return { encoding: "UTF-8", bom: false, why: isAscii ? t("it begins as plain ASCII") : t("its characters are encoded that way") };
}

export function hasMark(head: Uint8Array, encoding: Encoding): boolean {
  return MARKS.some(([name, mark]) => name === encoding && startsWith(head, mark));
}

/** The first byte that is not UTF-8, and its physical line within these bytes, from 1; undefined when all bytes are UTF-8. */
export function findWrongByte(bytes: Uint8Array, whole: boolean): { at: number; line: number } | undefined {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const text = decoder.decode(bytes, { stream: !whole });
  const encoder = new TextEncoder();
  let at = 0;
  let from = 0;
  for (let next = text.indexOf("\uFFFD"); next !== -1; next = text.indexOf("\uFFFD", from)) {
    at += encoder.encode(text.slice(from, next)).length;
    if (!startsWith(bytes.subarray(at), [0xef, 0xbf, 0xbd])) return { at, line: 1 + countLineEnds(text.slice(0, next)) };
    at += 3; // the replacement character itself, saved by some program
    from = next + 1;
  }
  return undefined;
}

/** LF, CRLF and CR count as one each. */
export function countLineEnds(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}

/**
 * UTF-16 without a byte order mark. Line ends, delimiters and digits have a zero byte in every language. Other text has few
 * zeros, and binary data has them at even and odd positions alike.
 */
function detectUtf16(bytes: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]; // at even positions, at odd positions
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < bytes.length / 40 || Math.max(even, odd) < 20 * Math.min(even, odd)) return undefined;
  const encoding = odd > even ? "UTF-16LE" : "UTF-16BE";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, bytes.length & ~1), { stream: true });
    return /[\r\n]/.test(text) && countControls(text) <= text.length / 100 ? encoding : undefined;
  } catch {
    return undefined;
  }
}

/** Characters that text does not have: controls other than tab, line ends, form feed and the old end-of-file mark. */
export function countControls(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.match(/[\0-\x08\x0b\x0e-\x19\x1b-\x1f]/g)?.length ?? 0;
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}
