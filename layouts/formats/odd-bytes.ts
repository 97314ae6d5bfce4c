// Names bytes that no layout means: those of another family of encodings, DOS's end of a file, and blocks of NUL.

import { FileError } from "../../pipeline/model/file-error.ts";
import { readSlice } from "../../pipeline/reading/text-blocks.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";
import type { Layout } from "../layouts/layout.ts";
import { fieldsOf } from "../layouts/select-detail.ts";
import type { RawRecord } from "./split-records.ts";

const HEAD_BYTES = 64 * 1024;
/**
 * At least one byte in so many must be a blank or a digit. Records of fixed places need more of them, because packed numbers may have such
 * bytes, too.
 */
const SHARE = { delimited: 20, fixed: 5 };

/** Blanks and digits have the same bytes in all EBCDIC code pages, and others in all encodings that begin with ASCII. */
function familyOf(head: Uint8Array, kind: Layout["kind"]): "EBCDIC" | "ASCII" | undefined {
  let [ascii, ebcdic] = [0, 0];
  for (const byte of head) {
    if (byte === 0x20 || (byte >= 0x30 && byte <= 0x39)) ascii++;
    else if (byte === 0x40 || (byte >= 0xf0 && byte <= 0xf9)) ebcdic++;
  }
  const isMost = (one: number, other: number) => one > 5 * other && one * SHARE[kind] > head.length;
  return isMost(ebcdic, ascii) ? "EBCDIC" : isMost(ascii, ebcdic) ? "ASCII" : undefined;
}

/** Throws FileError when the file is in EBCDIC and its layout says otherwise, or the reverse. Blanks of national characters say nothing. */
export async function requireFamily(file: Blob, layout: Layout): Promise<void> {
  const { kind, encoding = "utf-8", encodingIsSure = layout.kind === "fixed" && fieldsOf(layout).some((field) => field.encoding) } = layout;
  const expected = isEbcdic(encoding) ? "EBCDIC" : "ASCII";
  const found = encodingIsSure ? undefined : familyOf(await readSlice(file, 0, HEAD_BYTES), kind);
  if (found === undefined || found === expected) return;
  const whatToDo =
    found === "EBCDIC"
      ? `Its blanks and digits are the bytes 40 and F0 to F9. Set the layout's encoding to ${PAGES}`
      : 'Its blanks and digits are the bytes 20 and 30 to 39, so that it may have been translated when it was transferred. Set the layout\'s encoding to "utf-8", "iso-8859-1" or "windows-1252"; where records have packed or binary numbers, ask for the file in binary (FTP: TYPE I), because translation destroys them';
  throw new FileError(
    `This file looks like ${found}, and the layout says ${encoding}.`,
    `${whatToDo}. If the layout is right, add "encodingIsSure": true to it.`,
  );
}

const PAGES = 'its code page, such as "cp037" (USA), "cp273" (Germany) or "cp500" (international)';
const DESCRIBE = "Describe it with --layout: “layout from COPYBOOK” drafts a layout from a copybook, “layout new” proposes one.";

/** Resolves to a sentence when a file without a layout is in EBCDIC. */
export async function describeEbcdic(file: Blob): Promise<string | undefined> {
  const head = await readSlice(file, 0, HEAD_BYTES);
  if (head[0] === 0x50 && head[1] === 0x4b) return undefined; // "PK": a ZIP file, also a damaged one, may have any bytes
  const lineEnds = head.filter((byte) => byte === 0x0a || byte === 0x0d).length; // other tables have them; Cyrillic letters may be F0 to F9
  if (lineEnds * 200 > head.length || familyOf(head, "delimited") !== "EBCDIC") return undefined;
  return `This file looks like EBCDIC. ${DESCRIBE} Its encoding is ${PAGES}.`;
}

const SEPARATORS = [",", ";", "\t", "|"];
const LONG_LINE = 200; // characters; a heading alone is hardly longer without a separator

/** Resolves to a sentence when a file without a layout, which is no table, seems to have fixed places instead of separators. */
export async function describeFixed(file: Blob): Promise<string | undefined> {
  const text = Buffer.from(await readSlice(file, 0, HEAD_BYTES)).toString("latin1");
  const lines = text.split(/\r\n|\n|\r/);
  const [first = "", second] = lines;
  const whole = lines.slice(0, -1);
  if (SEPARATORS.some((separator) => whole.every((line) => line.includes(separator)) && text.includes(separator))) return undefined;
  const looks = "it looks like a file of fixed places";
  if (second === undefined && first.length > LONG_LINE) return `It has no line end and no separator: ${looks}. ${DESCRIBE}`;
  const isEven = whole.length > 1 && first.length >= 10 && whole.every(({ length }) => length === first.length);
  return isEven ? `Its first ${whole.length} lines have ${first.length} bytes each and no separator: ${looks}. ${DESCRIBE}` : undefined;
}

const CTRL_Z = 0x1a;

/** Counts the bytes at the end that are DOS's end of a text, with which CP/M also filled up its last block. */
export function countCtrlZ(bytes: Uint8Array): number {
  const last = bytes.findLastIndex((byte) => byte !== CTRL_Z);
  return bytes.length - 1 - last;
}

const BLOCK = Buffer.alloc(32); // more NULs than stand together by chance

/** Returns a sentence about a block of bytes 00, with a blank in front of it; empty when there is none. `offset`: where `bytes` begin in the file. */
export function nameNuls(bytes: Uint8Array, offset: number): string {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(BLOCK);
  if (at === -1) return "";
  return ` From byte offset ${offset + at} on it has a block of bytes 00, as a full disk or a broken transfer leaves it.`;
}

/** Returns the same error, which also says where its record has a block of bytes 00. */
export function withNuls(error: unknown, { bytes, content, segments }: Pick<RawRecord, "bytes" | "content" | "segments">): unknown {
  if (!(error instanceof FileError) || segments) return error; // in segments its bytes do not follow each other
  const nuls = nameNuls(bytes, content);
  return error.detail.includes(nuls) ? error : new FileError(error.title, error.detail + nuls);
}
