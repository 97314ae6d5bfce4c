// Detects the encoding of bytes and finds the first wrong one.

import { t } from "../../core/i18n/translate.ts";
import type { Encoding } from "../model/dialect.ts";

export interface EncodingFound {
  encoding: Encoding;
  bom: boolean;
  /** Says how that is known. Continues "Read as UTF-8, because …". */
  why: string;
}

export interface Decoder {
  /** Throws for bytes that are not of the encoding. */
  decode(bytes?: Uint8Array, options?: { stream: boolean }): string;
}

export function createDecoder(encoding: Encoding, options: { ignoreBOM?: boolean } = {}): Decoder {
  return new TextDecoder(encoding, { fatal: true, ...options });
}

const MARKS: readonly [Encoding, readonly number[]][] = [
  ["UTF-8", [0xef, 0xbb, 0xbf]],
  ["UTF-16LE", [0xff, 0xfe]],
  ["UTF-16BE", [0xfe, 0xff]],
];

/**
 * `whole`: the file ends with these bytes. Otherwise the last character may be incomplete. Undefined: they are of an older
 * encoding, which only their letters can say. A few wrong bytes among many right ones are damage in a text of UTF-8.
 */
export function detectEncoding(head: Uint8Array, whole: boolean): EncodingFound | undefined {
  const marked = MARKS.find(([, mark]) => startsWith(head, mark));
  if (marked) return { encoding: marked[0], bom: true, why: t("it begins with that byte order mark") };
  const wide = detectUtf16(head);
  if (wide) return { encoding: wide, bom: false, why: t("every other byte is zero, as in that encoding") };
  const found = { encoding: "UTF-8", bom: false } as const;
  if (!findWrongByte(head, whole)) {
    const isAscii = head.every((byte) => byte < 0x80);
    return { ...found, why: isAscii ? t("it begins as plain ASCII") : t("its characters are encoded that way") };
  }
  const { right, wrong } = countCharacters(head);
  return right >= 10 * wrong ? { ...found, why: t("its characters are encoded that way, but for a few") } : undefined;
}

/** Characters on several bytes that are right in UTF-8, and bytes that are wrong. */
function countCharacters(bytes: Uint8Array): { right: number; wrong: number } {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const wrong = text.match(/\uFFFD/g)?.length ?? 0;
  return { right: (text.match(/[^\0-\x7f]/gu)?.length ?? 0) - wrong, wrong };
}

/** Stands for bytes that are not UTF-8. No file has it: Unicode will never give it a meaning. */
export const WRONG_BYTES = "\uFFFE";

/** Counts the bytes at the end that begin a character of UTF-8 that goes on behind them. */
function countUnfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc2 && byte <= 0xf4) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** Returns the beginning of a character at the end of these bytes, which is not yet decoded. */
export function unfinishedOf(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const end = bytes.length < 4 ? joined(before, bytes) : bytes;
  return end.slice(end.length - countUnfinished(end));
}

/** Returns both, one behind the other. */
export function joined(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(before.length + bytes.length);
  all.set(before);
  all.set(bytes, before.length);
  return all;
}

export function hasMark(head: Uint8Array, encoding: Encoding): boolean {
  return MARKS.some(([name, mark]) => name === encoding && startsWith(head, mark));
}

/** Returns the first byte that is not UTF-8, and its physical line within these bytes, from 1; undefined when all bytes are UTF-8. */
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
 * Detects UTF-16 without a byte order mark. Line ends, delimiters and digits have a zero byte in every language. Other text has few
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

/** NULs and the like that a text may have: cells with them are refused by the check. */
export const FEW_CONTROLS = 8;

/** Characters that text does not have: controls other than tab, line ends, form feed, the unit separator and the old end-of-file mark. */
export function countControls(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.match(/[\0-\x08\x0b\x0e-\x19\x1b-\x1e]/g)?.length ?? 0;
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}
