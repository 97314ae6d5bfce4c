// Reads the list of files in a ZIP, from its end (PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4).

import { message, t } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";
import { readSlice } from "../reading/text-blocks.ts";

/** A file in a ZIP. Sizes and offsets are in bytes. */
export interface ZipEntry {
  name: string;
  /** 0: stored, 8: deflated. */
  method: number;
  isEncrypted: boolean;
  crc: number;
  packedSize: number;
  size: number;
  /** The byte at which its local header begins. */
  offset: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const LOCATOR_64_BYTES = 20;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const FULL_16 = 0xffff;
const FULL_32 = 0xffffffff; // the number stands in the ZIP64 field
const LARGEST_DIRECTORY = 16 * 1024 * 1024; // bytes
const MOST_ENTRIES = 10_000;

/** Reads the entries in the order of the directory, without folders. Throws FileError when the ZIP is cut off or damaged. */
export async function readZipDirectory(file: Blob): Promise<ZipEntry[]> {
  const { at, length, count } = await findDirectory(file);
  if (length > LARGEST_DIRECTORY || count > MOST_ENTRIES) throw tooManyFiles();
  if (at + length > file.size) throw damagedFile();
  const view = viewOf(await readSlice(file, at, length));
  const entries: ZipEntry[] = [];
  for (let from = 0; from + ENTRY_BYTES <= view.byteLength && view.getUint32(from, true) === ENTRY; ) {
    const next = from + ENTRY_BYTES + view.getUint16(from + 28, true) + view.getUint16(from + 30, true) + view.getUint16(from + 32, true);
    if (next > view.byteLength) throw damagedFile();
    const entry = readEntry(view, from);
    if (!entry.name.endsWith("/")) entries.push(entry);
    if (entries.length > MOST_ENTRIES) throw tooManyFiles();
    from = next;
  }
  if (entries.length === 0 && count > 0) throw damagedFile();
  // Entries that lie upon each other are how a small file holds a huge one many times.
  if (entries.reduce((sum, { packedSize }) => sum + packedSize, 0) > file.size) throw damagedFile();
  return entries;
}

/** Finds the byte at which the packed bytes of an entry begin. Throws FileError. */
export async function findContent(file: Blob, entry: ZipEntry): Promise<number> {
  if (entry.offset + LOCAL_BYTES > file.size) throw damagedFile();
  const view = viewOf(await readSlice(file, entry.offset, LOCAL_BYTES));
  if (view.getUint32(0, true) !== LOCAL) throw damagedFile();
  const at = entry.offset + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  if (at + entry.packedSize > file.size) throw damagedFile();
  return at;
}

export const OPEN_AGAIN = message("Copy or download it again, then choose it.");

export function damagedFile(): FileError {
  return new FileError(t("This file is damaged or incomplete."), t(OPEN_AGAIN));
}

function tooManyFiles(): FileError {
  return new FileError(t("This ZIP file holds too many files."), t("Unpack it and choose the file with the rows."));
}

async function findDirectory(file: Blob): Promise<{ at: number; length: number; count: number }> {
  const from = Math.max(0, file.size - END_BYTES - LONGEST_COMMENT);
  const view = viewOf(await readSlice(file, from, file.size - from));
  let end = -1;
  for (let at = view.byteLength - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END) continue;
    const rest = view.byteLength - at - END_BYTES - view.getUint16(at + 20, true); // beyond the comment, in which the same bytes may stand
    if (rest === 0 || end === -1) end = at;
    if (rest === 0) break;
  }
  if (end < 0) throw damagedFile();
  const found = { count: view.getUint16(end + 10, true), length: view.getUint32(end + 12, true), at: view.getUint32(end + 16, true) };
  const is64 = found.count === FULL_16 || found.length === FULL_32 || found.at === FULL_32;
  return (is64 && (await findDirectory64(file, from + end - LOCATOR_64_BYTES))) || found;
}

async function findDirectory64(file: Blob, locatorAt: number): Promise<{ at: number; length: number; count: number } | undefined> {
  if (locatorAt < 0) return undefined;
  const locator = viewOf(await readSlice(file, locatorAt, LOCATOR_64_BYTES));
  if (locator.getUint32(0, true) !== LOCATOR_64) return undefined;
  const at = readUint64(locator, 8);
  if (at + 56 > file.size) throw damagedFile();
  const end = viewOf(await readSlice(file, at, 56));
  if (end.getUint32(0, true) !== END_64) throw damagedFile();
  return { count: readUint64(end, 32), length: readUint64(end, 40), at: readUint64(end, 48) };
}

function readEntry(view: DataView, from: number): ZipEntry {
  const flags = view.getUint16(from + 8, true);
  const nameBytes = new Uint8Array(view.buffer, view.byteOffset + from + ENTRY_BYTES, view.getUint16(from + 28, true));
  const entry: ZipEntry = {
    name: nameOf(nameBytes).replaceAll("\\", "/"), // some .NET programs write backslashes
    method: view.getUint16(from + 10, true),
    isEncrypted: (flags & 1) !== 0,
    crc: view.getUint32(from + 16, true),
    packedSize: view.getUint32(from + 20, true),
    size: view.getUint32(from + 24, true),
    offset: view.getUint32(from + 42, true),
  };
  readLargeSizes(view, from + ENTRY_BYTES + nameBytes.length, view.getUint16(from + 30, true), entry);
  return entry;
}

/** Reads UTF-8, or else a character for each byte: names that differ stay different, and a file is found by its name. */
function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return String.fromCharCode(...bytes);
  }
}

/** The ZIP64 extra field holds, in this order, the numbers that do not fit. */
function readLargeSizes(view: DataView, from: number, length: number, entry: ZipEntry): void {
  const end = from + length;
  for (let at = from; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    for (const name of ["size", "packedSize", "offset"] as const) {
      if (entry[name] !== FULL_32 || next + 8 > end) continue;
      entry[name] = readUint64(view, next);
      next += 8;
    }
    return;
  }
}

function readUint64(view: DataView, at: number): number {
  return view.getUint32(at, true) + 2 ** 32 * view.getUint32(at + 4, true);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
