// Records of variable length: the bytes before each record that say how long it is.

import { FileError } from "../../pipeline/model/file-error.ts";
import { dumpOf } from "../layouts/cobol-numbers.ts";
import { RECORD_FORMATS, type RecordFormat } from "../layouts/layout.ts";

interface Prefix {
  /** How many bytes it has. */
  size: number;
  /** How many bytes the record has; undefined when the bytes are no such prefix. */
  read(bytes: Buffer): number | undefined;
  write(length: number): Uint8Array;
}

/** RDW: the length with the RDW itself, and two bytes that are 0 unless a record is in several segments (z/OS DFSMS, “Variable-length record formats”). */
const RDW: Prefix = {
  size: 4,
  read: (bytes) => (bytes.readUInt16BE(2) === 0 && bytes.readUInt16BE(0) >= 4 ? bytes.readUInt16BE(0) - 4 : undefined),
  write: (length) => Buffer.from([(length + 4) >> 8, (length + 4) & 255, 0, 0]),
};

const PREFIXES: Record<RecordFormat, Prefix> = {
  rdw: RDW,
  "bdw+rdw": RDW, // the BDW is read before it
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

/** What must stand before a record with its prefix: a block that holds it alone, if the format has blocks. */
export function writeBlock(format: RecordFormat | undefined, bytes: number): Uint8Array {
  return format === "bdw+rdw" ? RDW.write(bytes) : new Uint8Array();
}

/** `from`: where the prefix begins. `content`: where the record itself begins. */
export type FoundPrefixed = (from: number, content: number, end: number) => void;

/** Finds the whole records in pieces of a file. */
export class PrefixedRecords {
  readonly #format: RecordFormat;
  readonly #longest: number;
  #blockLeft = 0; // bytes of the block in which the next record is

  constructor(format: RecordFormat, longest: number) {
    this.#format = format;
    this.#longest = longest;
  }

  /** How many bytes the block lacks in which the last record was. */
  get missing(): number {
    return this.#blockLeft;
  }

  /** `at`: where the bytes begin in the file, and the number of their first record, for messages. Returns how many bytes were used. Throws FileError. */
  cut(given: Uint8Array, at: { number: number; offset: number }, found: FoundPrefixed): number {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
    let [used, number] = [0, at.number];
    for (;;) {
      const where = () => `Record ${number} (byte offset ${at.offset + used})`;
      if (this.#format === "bdw+rdw" && this.#blockLeft === 0) {
        if (used + BDW_SIZE > bytes.length) return used;
        this.#blockLeft = this.#readBlock(bytes.subarray(used, used + BDW_SIZE), where(), bytes);
        used += BDW_SIZE;
      }
      const { size, read } = PREFIXES[this.#format];
      const content = used + size;
      if (content > bytes.length) return used;
      const length = read(bytes.subarray(used, content));
      if (length === undefined || length > this.#longest || (this.#format === "bdw+rdw" && size + length > this.#blockLeft))
        throw this.#noPrefix(bytes.subarray(used, content), length, where(), at.offset === 0 ? bytes : undefined);
      if (content + length > bytes.length) return used;
      found(used, content, content + length);
      if (this.#format === "bdw+rdw") this.#blockLeft -= size + length;
      used = content + length;
      number++;
    }
  }

  /** BDW: the length of the block with the BDW itself; with its first bit set, in 31 bits. */
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
        : `which means ${length} bytes; a record has at most ${this.#longest}${this.#format === "bdw+rdw" ? ", within its block" : ""}`;
    const others = head ? RECORD_FORMATS.filter((format) => format !== this.#format && isInFormat(head, format, this.#longest)) : [];
    const hint = others.length > 0 ? ` The file may be ${others.map((format) => `"${format}"`).join(" or ")}.` : "";
    return new FileError(
      "This file has no records of variable length as the layout says.",
      `${where} begins with ${dumpOf(prefix)}, ${says}.${hint} Correct the layout's recordFormat or recordLength.`,
    );
  }
}

/** Whether at least one whole record, and all records in the first bytes of a file, are of the format. */
function isInFormat(head: Buffer, format: RecordFormat, longest: number): boolean {
  const { size, read } = PREFIXES[format];
  if (format === "bdw+rdw") {
    const isBlock = head.length > 2 * BDW_SIZE && head.readUInt16BE(2) === 0 && head.readUInt16BE(0) >= 2 * BDW_SIZE;
    return isBlock && head.readUInt16BE(6) === 0 && head.readUInt16BE(4) >= 4 && head.readUInt16BE(4) <= head.readUInt16BE(0) - BDW_SIZE;
  }
  let [at, records] = [0, 0];
  while (at + size <= head.length) {
    const length = read(head.subarray(at, at + size));
    if (length === undefined || length === 0 || length > longest) return false;
    at += size + length;
    records++;
  }
  return records > 0;
}
