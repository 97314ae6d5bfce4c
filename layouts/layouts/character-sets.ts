// The encodings of layouts: from text to bytes, and from places in a record to text.

import { NUMERALS, type Usage } from "./cobol-numbers.ts";
import { EBCDIC_ENCODINGS, type EbcdicEncoding, ebcdicTable, isEbcdic } from "./ebcdic.ts";

export const LAYOUT_ENCODINGS = ["utf-8", "iso-8859-1", "windows-1252", ...EBCDIC_ENCODINGS] as const;
export type LayoutEncoding = (typeof LAYOUT_ENCODINGS)[number];

/**
 * The text of the bytes from `from` (counted from 0) up to `to`, not included; undefined where a byte has no character or a character is cut in two.
 * With a usage: the digits of the number in these bytes; undefined where they are no such number. With "bytes": a character for each byte, of its code.
 */
export type CutText = (from: number, to: number, usage?: Usage | "bytes") => string | undefined;

function cutBytes(record: Uint8Array, usage: Usage | "bytes"): string | undefined {
  if (usage !== "bytes") return NUMERALS[usage].read(record);
  return Buffer.from(record.buffer, record.byteOffset, record.length).toString("latin1");
}

export interface Codec {
  openRecord(bytes: Uint8Array): CutText;
  /** Returns undefined when the encoding lacks a character of the text. */
  encode(text: string): Uint8Array | undefined;
}

/**
 * Reads UTF-16 in big-endian, as COBOL stores national characters (Enterprise COBOL, “Class national”). `blank`: the byte of a blank in the
 * rest of the record: a field of nothing else is empty, because a program that moves blanks to its group leaves them there.
 */
export function cutNational(cut: CutText, blank: string): CutText {
  return (from, to, usage) => {
    const raw = cut(from, to, usage ?? "bytes") ?? "";
    if (usage) return raw;
    if (raw === blank.repeat(to - from)) return "";
    const text = raw.length % 2 === 0 ? Buffer.from(raw, "latin1").swap16().toString("utf16le") : "";
    return raw.length % 2 === 0 && text.isWellFormed() ? text : undefined;
  };
}

export function encodeNational(text: string): Uint8Array | undefined {
  return text.isWellFormed() ? Buffer.from(text, "utf16le").swap16() : undefined;
}

const NONE = "\uFFFD"; // marks a byte without a character

/** Windows-1252 from 80 to 9F as Microsoft publishes it. The WHATWG standard maps the five unused bytes to control characters; here they are errors. */
const WINDOWS_1252 = "€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ";

export function createCodec(encoding: LayoutEncoding): Codec {
  if (encoding === "utf-8") return createUtf8();
  return createSingleByte(isEbcdic(encoding) ? ebcdicTable(encoding) : TABLES[encoding]());
}

// TextDecoder does not fit: it reads ISO-8859-1 as windows-1252, as the WHATWG standard says.
const TABLES: Record<Exclude<LayoutEncoding, "utf-8" | EbcdicEncoding>, () => string[]> = {
  "iso-8859-1": latin1Table,
  "windows-1252": () =>
    latin1Table().map((character, byte) => (byte < 0x80 || byte > 0x9f ? character : (WINDOWS_1252[byte - 0x80] as string))),
};

function latin1Table(): string[] {
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
}

function createSingleByte(table: readonly string[]): Codec {
  const bytes = new Map(table.flatMap((character, byte) => (character === NONE ? [] : [[character, byte]])));
  const decode = createDecode(table);
  const hasGaps = table.includes(NONE);
  return {
    openRecord(record) {
      const text = decode(record);
      const isWhole = !hasGaps || !text.includes(NONE);
      return (from, to, usage) => {
        if (usage) return cutBytes(record.subarray(from, to), usage);
        const cut = text.slice(from, to);
        return isWhole || !cut.includes(NONE) ? cut : undefined;
      };
    },
    encode(text) {
      const encoded = new Uint8Array(text.length);
      for (let i = 0; i < text.length; i++) {
        const byte = bytes.get(text[i] as string);
        if (byte === undefined) return undefined;
        encoded[i] = byte;
      }
      return encoded;
    },
  };
}

/** It uses plain loops, because this runs for every byte of a file; String.fromCharCode takes several times as long. */
function createDecode(table: readonly string[]): (bytes: Uint8Array) => string {
  const units = Uint16Array.from(table, (character) => character.charCodeAt(0));
  const isLatin1 = units.every((unit) => unit < 256);
  return (bytes) => {
    const translated = isLatin1 ? Buffer.allocUnsafe(bytes.length) : new Uint16Array(bytes.length);
    for (let i = 0; i < bytes.length; i++) translated[i] = units[bytes[i] as number] as number;
    return Buffer.from(translated.buffer, translated.byteOffset, translated.byteLength).toString(isLatin1 ? "latin1" : "utf16le");
  };
}

/** Places count bytes. In a record that is all ASCII these are characters, too, which is faster. */
function createUtf8(): Codec {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const encoder = new TextEncoder();
  const cut = (bytes: Uint8Array): string | undefined => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
  return {
    openRecord(record) {
      const text = isAscii(record) ? Buffer.from(record.buffer, record.byteOffset, record.length).toString("latin1") : undefined;
      return (from, to, usage) => {
        if (usage) return cutBytes(record.subarray(from, to), usage);
        return text === undefined ? cut(record.subarray(from, to)) : text.slice(from, to);
      };
    },
    encode: (text) => (text.isWellFormed() ? encoder.encode(text) : undefined),
  };
}

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) > 0x7f) return false;
  return true;
}
