// Records of variable length: the bytes before each record that say how long it is.

import { FileError } from "../../pipeline/model/file-error.ts";
import { dumpOf } from "../layouts/cobol-numbers.ts";
import { RECORD_FORMATS, type RecordFormat } from "../layouts/layout.ts";

interface Prefix {
  /** Counts its bytes. */
  size: number;
  /** Counts the bytes of the record; undefined when the bytes are no such prefix. */
  read(bytes: Buffer): number | undefined;
  write(length: number): Uint8Array;
}

/** RDW: the length with the RDW itself, and two bytes that are 0 unless a record is in several segments (z/OS DFSMS, “Variable-length record formats”). */
const RDW: Prefix = {
  size: 4,
  read: (bytes) => (bytes.readUInt16BE(2) === 0 && bytes.readUInt16BE(0) >= 4 ? bytes.readUInt16BE(0) - 4 : undefined),
  write: (length) => Buffer.from([(length + 4) >> 8, (length + 4) & 255, 0, 0]),
};

/** The segment descriptor word: its third byte says which part of a record follows (“Spanned variable-length records” there). Records are written in one segment. */
const SDW: Prefix = {
  ...RDW,
  read: (bytes) => ((bytes[2] ?? 0) <= 3 && bytes[3] === 0 && bytes.readUInt16BE(0) >= 4 ? bytes.readUInt16BE(0) - 4 : undefined),
};
const SEGMENTS = ["a whole record", "the first segment", "the last segment", "a middle segment"];

/** Either the two halves keep their places, or the whole word is reversed. */
function readReversed(bytes: Buffer): number | undefined {
  const [first, second] = [bytes.readUInt16LE(0), bytes.readUInt16LE(2)];
  const length = (second === 0 ? first : first === 0 ? second : 0) - 4;
  return length >= 0 ? length : undefined;
}

const PREFIXES: Record<RecordFormat, Prefix> = {
  rdw: RDW,
  "bdw+rdw": RDW, // the BDW is read before it
  sdw: SDW,
  "bdw+sdw": SDW,
  "rdw-little-endian": { size: 4, read: readReversed, write: (length) => Buffer.from([(length + 4) & 255, (length + 4) >> 8, 0, 0]) },
  "gnucobol-0": {
    size: 4,
    read: (bytes) => (bytes.readUInt16BE(2) === 0 ? bytes.readUInt16BE(0) : undefined),
    write: (length) => Buffer.from([length >> 8, length & 255, 0, 0]),
  },
  "gnucobol-1": {
    size: 4,
    read: (bytes) => bytes.readUInt32BE(0),
    write: (length) => Buffer.from([0, 0, length >> 8, length & 255]),
  },
  "gnucobol-2": {
    size: 4,
    read: (bytes) => bytes.readUInt32LE(0),
    write: (length) => Buffer.from([length & 255, length >> 8, 0, 0]),
  },
  "gnucobol-3": {
    size: 2,
    read: (bytes) => bytes.readUInt16BE(0),
    write: (length) => Buffer.from([length >> 8, length & 255]),
  },
};

const BDW_SIZE = 4;

/** Bytes before the content of a record, without its block. */
export function prefixSize(format: RecordFormat | undefined): number {
  return format === undefined ? 0 : PREFIXES[format].size;
}

export function writePrefix(format: RecordFormat | undefined, length: number): Uint8Array {
  return format === undefined ? new Uint8Array() : PREFIXES[format].write(length);
}

/** Returns what must stand before a record with its prefix: a block that holds it alone, if the format has blocks. */
export function writeBlock(format: RecordFormat | undefined, bytes: number): Uint8Array {
  return hasBlocks(format) ? RDW.write(bytes) : new Uint8Array();
}

function hasBlocks(format: RecordFormat | undefined): boolean {
  return format?.startsWith("bdw+") ?? false;
}

export function isSpanned(format: RecordFormat | undefined): boolean {
  return format?.endsWith("sdw") ?? false;
}

/** A piece of a record: where it begins in the bytes that were given, and where its content ends. */
export type Segment = readonly [from: number, to: number];

/** `from`: where the prefix begins. `segments`: the content of the record, in one piece unless it is spanned. */
export type FoundPrefixed = (from: number, segments: readonly Segment[], end: number) => void;

/**
 * Returns the segments of a record that was copied from a file. In a copy nothing says how long its first block is, so a BDW between two
 * segments is known by its third byte.
 */
export function segmentsOfCopy(copy: Uint8Array): Segment[] {
  const bytes = Buffer.from(copy.buffer, copy.byteOffset, copy.length);
  const segments: Segment[] = [];
  for (let at = 0; at + SDW.size <= bytes.length; ) {
    const isBlock = segments.length > 0 && (bytes[at + 2] === 0 || (bytes[at] ?? 0) > 0x7f);
    const to = at + (isBlock ? BDW_SIZE : bytes.readUInt16BE(at));
    if (!isBlock) segments.push([at + SDW.size, to]);
    at = Math.max(to, at + SDW.size);
  }
  return segments;
}

/** Finds the whole records in pieces of a file. */
export class PrefixedRecords {
  readonly #format: RecordFormat;
  readonly #longest: number;
  #blockLeft = 0; // bytes of the block in which the next record is

  constructor(format: RecordFormat, longest: number) {
    this.#format = format;
    this.#longest = longest;
  }

  /** Counts the bytes that the block lacks in which the last record was. */
  get missing(): number {
    return this.#blockLeft;
  }

  /** `at`: where the bytes begin in the file, and the number of their first record, for messages. Returns how many bytes were used. Throws FileError. */
  cut(given: Uint8Array, at: { number: number; offset: number }, found: FoundPrefixed): number {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
    const { size, read } = PREFIXES[this.#format];
    const isInBlocks = hasBlocks(this.#format);
    let number = at.number;
    // A record that goes on behind these bytes is read again from its beginning, and so is the block that it begins.
    for (let [used, place, left] = [0, 0, this.#blockLeft]; ; this.#blockLeft = left, used = place, number++) {
      const segments: Segment[] = [];
      let [from, length] = [used, 0];
      for (let isOpen = true; isOpen; ) {
        const where = () => `Record ${number} (byte offset ${at.offset + place})`;
        if (isInBlocks && left === 0) {
          if (place + BDW_SIZE > bytes.length) return used;
          left = this.#readBlock(bytes.subarray(place, place + BDW_SIZE), where(), bytes);
          place += BDW_SIZE;
        }
        const content = place + size;
        if (content > bytes.length) return used;
        const prefix = bytes.subarray(place, content);
        const own = read(prefix);
        if (own !== undefined) length += own;
        if (own === undefined || length > this.#longest || (isInBlocks && size + own > left))
          throw this.#noPrefix(prefix, own && length, where(), at.offset === 0 ? bytes : undefined);
        if (isSpanned(this.#format)) isOpen = this.#goesOn(prefix, segments.length > 0, where());
        else isOpen = false;
        if (content + own > bytes.length) return used;
        if (segments.length === 0) from = place;
        segments.push([content, content + own]);
        left -= isInBlocks ? size + own : 0;
        place = content + own;
      }
      found(from, segments, place);
    }
  }

  /** Says whether another segment of the record follows. Throws FileError where the segment cannot stand here. */
  #goesOn(prefix: Buffer, isBegun: boolean, where: string): boolean {
    const code = prefix[2] ?? 0;
    if (isBegun === code >= 2) return code === 1 || code === 3;
    const expected = isBegun ? "the record that was begun goes on" : "a record begins";
    throw new FileError(
      "This file has a segment that belongs to no record.",
      `${where}: ${dumpOf(prefix)} is ${SEGMENTS[code]}, where ${expected}. A part of the file is missing: ask the sender for the whole file.`,
    );
  }

  /** Reads the BDW: the length of the block with the BDW itself; with its first bit set, in 31 bits. */
  #readBlock(bdw: Buffer, where: string, bytes: Buffer): number {
    const isLarge = (bdw[0] ?? 0) > 0x7f;
    const length = isLarge ? bdw.readUInt32BE(0) - 0x80000000 : bdw.readUInt16BE(0);
    if (length < 2 * BDW_SIZE || (!isLarge && bdw.readUInt16BE(2) !== 0)) throw this.#noPrefix(bdw, undefined, where, bytes);
    return length - BDW_SIZE;
  }

  #noPrefix(prefix: Buffer, length: number | undefined, where: string, head: Buffer | undefined): FileError {
    const says =
      length === undefined
        ? `which is no prefix of ${this.#format}`
        : `which means ${length} bytes; a record has at most ${this.#longest}${hasBlocks(this.#format) ? ", within its block" : ""}`;
    const others = head ? RECORD_FORMATS.filter((format) => format !== this.#format && isInFormat(head, format, this.#longest)) : [];
    const hint = others.length > 0 ? ` The file may be ${others.map((format) => `"${format}"`).join(" or ")}.` : "";
    return new FileError(
      "This file has no records of variable length as the layout says.",
      `${where} begins with ${dumpOf(prefix)}, ${says}.${hint} Correct the layout's recordFormat or recordLength.`,
    );
  }
}

/** Says whether at least one whole record, and all records in the first bytes of a file, are of the format. */
function isInFormat(head: Buffer, format: RecordFormat, longest: number): boolean {
  const { size, read } = PREFIXES[format];
  if (hasBlocks(format)) {
    const isBlock = head.length > 2 * BDW_SIZE && head.readUInt16BE(2) === 0 && head.readUInt16BE(0) >= 2 * BDW_SIZE;
    return (
      isBlock &&
      head.readUInt16BE(6) === (isSpanned(format) ? 0x100 : 0) &&
      head.readUInt16BE(4) >= 4 &&
      head.readUInt16BE(4) <= head.readUInt16BE(0) - BDW_SIZE
    );
  }
  let [at, records] = [0, 0];
  if (isSpanned(format) && head[2] !== 1) return false; // of one segment each, they are those of rdw
  while (at + size <= head.length) {
    const length = read(head.subarray(at, at + size));
    if (length === undefined || length === 0 || length > longest) return false;
    at += size + length;
    records++;
  }
  return records > 0;
}
