// Decodes a file to blocks of text, never the whole file at once.

import { t } from "../../core/i18n/translate.ts";
import type { Dialect } from "../model/dialect.ts";
import { FileError, loadFailed } from "../model/file-error.ts";
import { createDecoder, unfinishedOf } from "./encoding.ts";
import { isSame } from "./same-bytes.ts";

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
  { encoding, quote, ifRight }: Pick<Dialect, "encoding"> & Partial<Pick<Dialect, "quote">> & { ifRight?: string },
  blockBytes = BLOCK_BYTES,
  openSlices = () => readSlices(file, blockBytes * BLOCKS_A_SLICE),
): AsyncGenerator<TextBlock> {
  if (quote === "wrapped") {
    const { unwrapLines } = await import("./wrapped-lines.ts").catch(loadFailed);
    return yield* unwrapLines(readText(file, { encoding }, blockBytes, openSlices));
  }
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
        const { describeWrongBytes, readDamaged } = await import("./wrong-bytes.ts").catch(loadFailed);
        const damaged = encoding === "UTF-8" ? readDamaged(unfinished, bytes, last) : undefined;
        // Right characters say that it is UTF-8. Without any it is probably in another encoding.
        if (!damaged || (!hasLetters && damaged.right < damaged.wrong)) {
          throw await describeWrongBytes(openSlices(), encoding, slice.from + from, bytes, ifRight);
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

/** Yields the bytes of a file, slice after slice, with the next one read ahead. At least one slice, also for an empty file. */
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
export async function readSlice(file: Blob, from: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const slice = file.slice(from, from + length);
  const bytes = await slice.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => undefined,
  );
  if (bytes?.length === slice.size && (await isSame(file, from, bytes))) return bytes;
  throw new FileError(t("This file can no longer be read."), t("It was changed, moved or deleted meanwhile. Choose it again."));
}
