// Unpacks a file in a ZIP, or a gzip file, while it is read: never more of it in memory than a few MiB.

import { Gunzip, Inflate } from "fflate";
import { t, tNumber } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";
import { partOf } from "../reading/same-bytes.ts";
import { readSlice, readSlices } from "../reading/text-blocks.ts";
import { damagedFile, findContent, type ZipEntry } from "./zip-directory.ts";

/** Unpacked bytes, and how many packed ones they came from. */
export interface UnpackedPiece {
  bytes: Uint8Array;
  packedRead: number;
}

const GZIP_LEAST = 18; // bytes: header and trailer
const SLICE = 128 * 1024; // packed bytes that are read at a time
const STEP = 8 * 1024; // packed bytes that are unpacked at a time; they become at most 1,032 times as many, which is held at once

/** Deflate packs at most 1,032 to 1, but tables seldom more than 100 to 1. */
const HIGHEST_RATIO = 400;
const RATIO_FROM = 256 * 1024 * 1024; // unpacked bytes before the ratio counts: a small file does no harm
const MOST_UNPACKED = 64 * 1024 ** 3; // bytes

/** Throws FileError for a password, a damaged entry, and a zip bomb. */
export async function* unpackEntry(file: Blob, entry: ZipEntry): AsyncGenerator<UnpackedPiece> {
  if (entry.isEncrypted) throw passwordRefused();
  if (entry.method !== 0 && entry.method !== 8) {
    throw new FileError(
      t("This ZIP file is packed in an unusual way (method {n}).", { n: entry.method }),
      t("Pack it again with the usual “Deflate”, or unpack it and choose the file with the rows."),
    );
  }
  const at = await findContent(file, entry);
  const content = partOf(file, at, at + entry.packedSize);
  let crc = 0;
  let size = 0;
  for await (const piece of entry.method === 0 ? stored(content) : inflate(content, (onBytes) => new Inflate(onBytes))) {
    crc = crc32(piece.bytes, crc);
    size += piece.bytes.length;
    refuseBomb(size, piece.packedRead);
    yield piece;
  }
  if (size !== entry.size || crc !== entry.crc) throw damagedFile();
}

/** Unpacks a gzip file, also one of several parts (RFC 1952). Throws FileError. */
export async function* unpackGzip(file: Blob): AsyncGenerator<UnpackedPiece> {
  let crc = 0;
  let size = 0;
  const ends: { at: number; crc: number }[] = [];
  const open = (onBytes: OnBytes): Gunzip => {
    const gunzip = new Gunzip((bytes) => {
      crc = crc32(bytes, crc);
      onBytes(bytes);
    });
    gunzip.onmember = (at) => {
      if (at > 0) ends.push({ at, crc });
      crc = 0;
    };
    return gunzip;
  };
  for await (const piece of inflate(file, open)) {
    size += piece.bytes.length;
    refuseBomb(size, piece.packedRead);
    yield piece;
    for (const end of ends.splice(0)) await checkTrailer(file, end);
  }
  for (const end of [...ends, { at: file.size, crc }]) await checkTrailer(file, end);
}

export function passwordRefused(): FileError {
  return new FileError(
    t("This file is protected with a password."),
    t("Open it in its program, save it without a password, then choose that file."),
  );
}

/** The last eight bytes of each part are the checksum of its content and its length. */
async function checkTrailer(file: Blob, { at, crc }: { at: number; crc: number }): Promise<void> {
  if (at < GZIP_LEAST) throw damagedFile();
  const bytes = await readSlice(file, at - 8, 4);
  if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) !== crc) throw damagedFile();
}

type OnBytes = (bytes: Uint8Array) => void;

async function* inflate(
  content: Blob,
  open: (onBytes: OnBytes) => { push(chunk: Uint8Array, final?: boolean): void },
): AsyncGenerator<UnpackedPiece> {
  const pieces: Uint8Array[] = [];
  const inflater = open((bytes) => pieces.push(bytes));
  for await (const { from, bytes } of readSlices(content, SLICE)) {
    for (let at = 0; at === 0 || at < bytes.length; at += STEP) {
      const step = bytes.subarray(at, at + STEP);
      const packedRead = from + at + step.length;
      try {
        inflater.push(step, packedRead === content.size);
      } catch {
        throw damagedFile();
      }
      for (const piece of pieces.splice(0)) if (piece.length > 0) yield { bytes: piece, packedRead };
    }
  }
}

async function* stored(content: Blob): AsyncGenerator<UnpackedPiece> {
  for await (const { from, bytes } of readSlices(content, SLICE)) yield { bytes, packedRead: from + bytes.length };
}

/** Throws FileError when so many bytes or characters come from a packed file of so many bytes. */
export function refuseBomb(size: number, packed: number): void {
  if (size < RATIO_FROM || (size / packed <= HIGHEST_RATIO && size <= MOST_UNPACKED)) return;
  const n = tNumber(HIGHEST_RATIO);
  throw new FileError(
    t("This file unpacks to far more than a table would."),
    t("Its content is more than {n} times as large as the file, or larger than 64 GiB. Nothing of it was read further.", { n }),
  );
}

const TABLE = Int32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

/** Returns the CRC-32 of ZIP and gzip. `before`: that of the bytes before these. */
function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = (TABLE[(crc ^ (bytes[i] as number)) & 255] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}
