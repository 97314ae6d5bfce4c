// Decodes a file to blocks of text, never the whole file at once.

import { t, tNumber } from "../../core/i18n/translate.ts";
import type { Dialect, Encoding } from "../model/dialect.ts";
import { FileError } from "../model/file-error.ts";
import { countLineEnds, countUnfinished, createDecoder, type Decoder, decodeDamaged, findWrongByte } from "./encoding.ts";

const BLOCK_BYTES = 64 * 1024; // of text at a time; the rows of such a small block are freed early, which measures twice as fast as 1 MiB
const BLOCKS_A_SLICE = 16; // read at a time, because each read is a message to another process of the browser

export interface TextBlock {
  text: string;
  /** Bytes of the file up to the end of this block. */
  bytesRead: number;
  last: boolean;
}

/** Bytes of a file from a place on. */
export interface Slice {
  from: number;
  bytes: Uint8Array;
  last: boolean;
}

/**
 * Yields at least one block, and `last` exactly once. The byte order mark is removed. Only the next slice is read ahead, so a
 * slow consumer slows the reading. Throws FileError for bytes that are not of the encoding. `openSlices`: where the bytes come
 * from, each time from the start, when they are not those of the file itself.
 */
export async function* readText(
  file: Blob,
  { encoding }: Pick<Dialect, "encoding">,
  blockBytes = BLOCK_BYTES,
  openSlices = () => readSlices(file, blockBytes * BLOCKS_A_SLICE),
): AsyncGenerator<TextBlock> {
  const isIbm = encoding === "IBM850" || encoding === "IBM852";
  let decoder = isIbm ? (await import("./ibm-tables.ts")).createIbmDecoder(encoding) : createDecoder(encoding);
  let unfinished: Uint8Array = new Uint8Array(); // the beginning of a character at the end of the block before
  let hasLetters = false;
  for await (const slice of openSlices()) {
    for (let from = 0; from === 0 || from < slice.bytes.length; from += blockBytes) {
      const bytes = slice.bytes.subarray(from, from + blockBytes);
      const bytesRead = slice.from + from + bytes.length;
      const last = slice.last && from + bytes.length === slice.bytes.length;
      let text: string;
      try {
        // Node 20 decodes windows-1252 as ISO-8859-1 unless it streams, so the end of the text is decoded separately.
        text = decoder.decode(bytes, { stream: true }) + (last ? decoder.decode() : "");
      } catch {
        const damaged = encoding === "UTF-8" ? readDamaged(unfinished, bytes, last) : undefined;
        // Right characters say that it is UTF-8. Without any it is probably in another encoding.
        if (!damaged || (!hasLetters && damaged.right < damaged.wrong)) {
          throw await wrongBytes(openSlices(), encoding, slice.from + from, bytes);
        }
        ({ text, decoder } = damaged);
      }
      if (encoding === "UTF-8") {
        hasLetters ||= text.length < bytes.length;
        unfinished = unfinishedOf(unfinished, bytes);
      }
      yield { text, bytesRead, last };
    }
  }
}

/** A block with wrong bytes, and the decoder for what comes after it. */
function readDamaged(
  unfinished: Uint8Array,
  bytes: Uint8Array,
  last: boolean,
): { text: string; decoder: Decoder; right: number; wrong: number } {
  const rest = last ? new Uint8Array() : unfinishedOf(unfinished, bytes);
  const decoder = createDecoder("UTF-8", { ignoreBOM: true });
  try {
    decoder.decode(rest, { stream: true });
  } catch {
    return { ...decodeDamaged(joined(unfinished, bytes)), decoder: createDecoder("UTF-8", { ignoreBOM: true }) };
  }
  const all = joined(unfinished, bytes);
  return { ...decodeDamaged(all.subarray(0, all.length - rest.length)), decoder };
}

/** The beginning of a character at the end of these bytes, which is not yet decoded. */
function unfinishedOf(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const end = bytes.length < 4 ? joined(before, bytes) : bytes;
  return end.slice(end.length - countUnfinished(end));
}

function joined(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(before.length + bytes.length);
  all.set(before);
  all.set(bytes, before.length);
  return all;
}

/** The bytes of a file, slice after slice, with the next one read ahead. At least one slice, also for an empty file. */
export async function* readSlices(file: Blob, length: number): AsyncGenerator<Slice> {
  let next = readSlice(file, 0, length);
  for (let from = 0; from === 0 || from < file.size; from += length) {
    const bytes = await next;
    if (from + length < file.size) {
      next = readSlice(file, from + length, length);
      next.catch(() => undefined); // handled where it is awaited; the consumer may stop before that
    }
    yield { from, bytes, last: from + bytes.length >= file.size };
  }
}

/** Throws FileError when the file has changed since it was chosen. */
export async function readSlice(file: Blob, from: number, length: number): Promise<Uint8Array> {
  const slice = file.slice(from, from + length);
  const bytes = await slice.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => undefined,
  );
  if (bytes?.length === slice.size) return bytes;
  throw new FileError(t("This file can no longer be read."), t("It was changed, moved or deleted meanwhile. Choose it again."));
}

/** Describes a block that could not be decoded. Reads the file from its start, so only for an error. */
async function wrongBytes(slices: AsyncIterable<Slice>, encoding: Encoding, end: number, block: Uint8Array): Promise<FileError> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true }); // IBM code pages have no wrong bytes
  let before = 1; // the line on which the block begins
  let half = ""; // a CR at the end of a piece, perhaps of CRLF
  for await (const { from, bytes } of slices) {
    if (from >= end) break;
    const text = half + decoder.decode(bytes.subarray(0, end - from), { stream: true });
    half = text.endsWith("\r") ? "\r" : "";
    before += countLineEnds(half ? text.slice(0, -1) : text);
  }
  const text = half + decoder.decode(block);
  const line = before + countLineEnds(text.slice(0, Math.max(0, text.indexOf("\uFFFD"))));
  return notOf(encoding, line, encoding === "UTF-8" ? readsAs(block) : "");
}

function notOf(encoding: Encoding, line: number, reads: string): FileError {
  const title = t("This file is not all {encoding}.", { encoding });
  const where = t("Line {line} has bytes in another encoding.", { line: tNumber(line) });
  if (encoding !== "UTF-8") return new FileError(title, `${where} ${t("Choose the encoding in which it was saved.")}`);
  const sample = reads ? ` ${t("As Windows-1252 it reads “{text}”.", { text: reads })}` : "";
  return new FileError(
    title,
    `${where}${sample} ${t("If that is right, read the whole file that way; if not, save it again as UTF-8 (in Excel: “CSV UTF-8”).")}`,
    { label: t("Read as Windows-1252"), choices: { encoding: "windows-1252" } },
  );
}

const CONTEXT_CHARS = 24; // bytes on either side of a wrong one

/** The text around the first wrong byte of a block, as windows-1252. */
function readsAs(block: Uint8Array): string {
  let start = 0; // the rest of a character that began in the block before is not wrong
  while (start < 3 && ((block[start] ?? 0) & 0xc0) === 0x80) start++;
  const rest = block.subarray(start);
  const wrong = findWrongByte(rest, true);
  if (!wrong) return "";
  const decoder = new TextDecoder("windows-1252");
  const before = decoder.decode(rest.subarray(Math.max(0, wrong.at - CONTEXT_CHARS), wrong.at), { stream: true });
  const after = decoder.decode(rest.subarray(wrong.at, wrong.at + CONTEXT_CHARS), { stream: true });
  return `${before.split(/[\r\n]/).at(-1)}${after.split(/[\r\n]/)[0]}`.trim();
}
