// Tables in ZIP and gzip files, unpacked while they are read.

import { t } from "../../core/i18n/translate.ts";
import type { Dialect } from "../model/dialect.ts";
import { FileError } from "../model/file-error.ts";
import type { RowBlock } from "../reading/csv-rows.ts";
import { parseTable } from "../reading/json-lines.ts";
import { readText, type Slice } from "../reading/text-blocks.ts";
import { type UnpackedPiece, unpackEntry, unpackGzip } from "./unpack.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";

export interface Archive {
  /** The files that may be tables. */
  names: string[];
  /** Returns the beginning of one of them, unpacked: enough to find out how it is written. */
  head(name: string): Promise<File>;
}

const HEAD = 1024 * 1024; // unpacked bytes
const LARGEST_WORKBOOK = 256 * 1024 * 1024; // bytes of one in an archive, which is unpacked as a whole
const TABLES = /\.(csv|tsv|tab|txt|psv|ssv|dat|asc|jsonl|ndjson|xls[xmb]?|ods)$/i;
const NO_TABLES = /(^|\/)(__MACOSX\/|\.|~\$|Thumbs\.db$|desktop\.ini$)/i; // what systems and programs add

export function openArchive(file: Blob, entries: readonly ZipEntry[]): Archive {
  const files = entries.filter(({ name, size }) => size > 0 && !NO_TABLES.test(name));
  const tables = files.filter(({ name }) => TABLES.test(name));
  const found = tables.length > 0 ? tables : files;
  if (found.length === 0) throw new FileError(t("This ZIP file is empty."), t("There is no file with rows in it. Choose another one."));
  return { names: found.map(({ name }) => name), head: (name) => readHead(unpackEntry(file, entryOf(found, name)), name) };
}

/** `name` of a gzip file: that of the file without `.gz`. */
export function openGzip(file: Blob): Archive {
  const name = file instanceof File ? file.name.replace(/\.gz$/i, "") : "";
  return { names: [name], head: () => readHead(unpackGzip(file), name) };
}

/** Throws FileError. `bytesRead` of the blocks is of the packed file. */
export async function* readPackedCsv(file: Blob, dialect: Dialect, name: string): AsyncGenerator<RowBlock> {
  const packed = await findPacked(file, name);
  const progress = { packedRead: 0, unpacked: 0 };
  const text = readText(file, dialect, undefined, () => slices(packed.open(), progress));
  for await (const block of parseTable(text, dialect)) {
    yield { ...block, bytesRead: Math.floor((file.size * progress.packedRead) / packed.size), unpacked: progress.unpacked };
  }
}

/** They are read in any order and several times, so each goes with its archive. */
const UNPACKED = new WeakMap<Blob, { name: string; workbook: Promise<File> }>();

/** Returns the packed file `name` as a whole. Throws FileError for one that is larger than any workbook. */
export function unpackWorkbook(file: Blob, name: string): Promise<File> {
  const known = UNPACKED.get(file);
  if (known?.name === name) return known.workbook;
  const workbook = findPacked(file, name).then(({ open }) => readHead(open(), name, Number.POSITIVE_INFINITY));
  UNPACKED.set(file, { name, workbook });
  workbook.catch(() => UNPACKED.delete(file));
  return workbook;
}

async function findPacked(file: Blob, name: string): Promise<{ size: number; open(): AsyncGenerator<UnpackedPiece> }> {
  const [first] = new Uint8Array(await file.slice(0, 1).arrayBuffer());
  if (first === 0x1f) return { size: file.size, open: () => unpackGzip(file) };
  const entry = entryOf(await readZipDirectory(file), name);
  return { size: Math.max(1, entry.packedSize), open: () => unpackEntry(file, entry) };
}

function entryOf(entries: readonly ZipEntry[], name: string): ZipEntry {
  const found = entries.find((entry) => entry.name === name);
  if (!found) throw new FileError(t("This ZIP file has no file “{name}”.", { name }), t("Choose another one."));
  return found;
}

const SLICE = 1024 * 1024; // unpacked bytes that are read as one slice

/** Joins small pieces and holds the latest back, so that the last one is known. */
async function* slices(pieces: AsyncIterable<UnpackedPiece>, progress: { packedRead: number; unpacked: number }): AsyncGenerator<Slice> {
  let from = 0;
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const { bytes, packedRead } of pieces) {
    if (length >= SLICE) {
      const joined = join(waiting, length);
      yield { from, bytes: joined, last: false };
      from += length;
      waiting = [];
      length = 0;
    }
    waiting.push(bytes);
    length += bytes.length;
    progress.packedRead = packedRead;
    progress.unpacked += bytes.length;
  }
  yield { from, bytes: join(waiting, length), last: true };
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (only && pieces.length === 1) return only;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

async function readHead(pieces: AsyncGenerator<UnpackedPiece>, name: string, most = HEAD): Promise<File> {
  const found: BlobPart[] = [];
  let length = 0;
  for await (const { bytes } of pieces) {
    found.push(bytes.slice());
    length += bytes.length;
    if (length >= most) break;
    if (length > LARGEST_WORKBOOK)
      throw new FileError(
        t("The workbook in this archive is too large to be opened there."),
        t("Unpack it and choose the file with the rows."),
      );
  }
  return new File(found, name);
}
