// Splits a fixed-width file into records, each with its number and byte offset.

import { count } from "../../core/text/count.ts";
import { FileError } from "../../pipeline/model/file-error.ts";
import { readSlice, readSlices } from "../../pipeline/reading/text-blocks.ts";
import type { Codec, CutText } from "../layouts/character-sets.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";
import type { FixedLayout, RecordFormat } from "../layouts/layout.ts";
import { countCtrlZ, nameNuls } from "./odd-bytes.ts";
import { isSpanned, PrefixedRecords, prefixSize, type Segment, segmentsOfCopy } from "./record-prefixes.ts";

export interface RawRecord {
  /** There are as many as in every record of the layout: blanks stand where the file has nothing. */
  bytes: Uint8Array;
  /** Is counted from 1 in the file. */
  number: number;
  /** The bytes, counted from 0, at which it and the next one begin; a line end or a prefix belongs to the record. */
  offset: number;
  end: number;
  /** The byte at which its own bytes begin, behind a prefix. */
  content: number;
  /** Is set for a record of several segments: the place of each in `bytes`, and its place in the file. */
  segments?: readonly (readonly [place: number, offset: number])[];
  /** The places of `bytes` that the file has not, in order; the end is not included. */
  absent?: readonly (readonly [from: number, to: number])[];
  /** A sentence when its length is not that of the layout. */
  wrong: string | undefined;
}

export interface RecordShape {
  recordLength: number;
  /** Is empty when records have no line end. */
  lineEnd: Uint8Array;
  recordFormat: RecordFormat | undefined;
  /** Says that records may be shorter than `recordLength`. */
  isTrimmed: boolean;
  blank: number;
  /** The byte 1A is no character of its text, so that it may end a file. */
  mayHaveCtrlZ: boolean;
}

/** Stands for the bytes of a record that is read as cells. */
export const NO_BYTES = new Uint8Array();
const SLICE_BYTES = 256 * 1024;
const MOST_WITHOUT_END = 64 * 1024; // bytes after the length of a record, within which a line end must come

export function recordShape({ recordLength, lineEnd, trimmed = false, recordFormat, encoding }: FixedLayout, codec: Codec): RecordShape {
  const end = codec.encode(LINE_ENDS[lineEnd]) as Uint8Array;
  const isTrimmed = trimmed || recordFormat !== undefined;
  const blank = (codec.encode(" ") as Uint8Array)[0] as number;
  return { recordLength, lineEnd: end, recordFormat, isTrimmed, blank, mayHaveCtrlZ: !recordFormat && !isEbcdic(encoding) };
}

const LINE_ENDS: Record<FixedLayout["lineEnd"], string> = { none: "", lf: "\n", crlf: "\r\n", nl: "\u0085" };

/** A record of a delimited file has no bytes; its number is that of its line. @example "Record 7 (byte offset 560)" */
export function nameRecord({ number, offset, bytes }: Pick<RawRecord, "number" | "offset"> & Partial<RawRecord>): string {
  return bytes === NO_BYTES ? `Line ${number}` : `Record ${number} (byte offset ${offset})`;
}

/** Yields blocks of records and how many bytes were read so far. `start`: where the first record begins. */
export async function* readRecords(
  file: Blob,
  shape: RecordShape,
  start: number,
): AsyncGenerator<{ records: RawRecord[]; bytesRead: number }> {
  const fileEnd = await findEnd(file, shape, start);
  if (fileEnd <= start) throw new FileError("This file is empty.", "Ask the sender for the file.");
  const { recordFormat, recordLength } = shape;
  if (shape.lineEnd.length === 0 && !recordFormat) await rejectCut(file, shape, start, fileEnd);
  const prefixed = recordFormat && new PrefixedRecords(recordFormat, recordLength);
  const cut = shape.lineEnd.length === 0 ? cutByLength : cutByEnds;
  let rest: Uint8Array = new Uint8Array();
  let [number, offset] = [1, start];
  for await (const { from, bytes } of readSlices(file, SLICE_BYTES)) {
    const fresh = bytes.subarray(from === 0 ? start : 0, fileEnd - from);
    const given = rest.length > 0 ? Buffer.concat([rest, fresh]) : fresh;
    const isLast = from + bytes.length >= fileEnd;
    const records: RawRecord[] = [];
    const add = (from: number, content: number, to: number, end: number) => {
      const place = { number: number++, offset: offset + from, content: offset + content, end: offset + end };
      records.push(makeRecord(given.subarray(content, to), place, shape));
    };
    const used = prefixed
      ? prefixed.cut(given, { number, offset }, (from, segments, end) => {
          const content = segments[0]?.[0] ?? from;
          if (segments.length === 1) return add(from, content, end, end);
          const place = { number: number++, offset: offset + from, content: offset + content, end: offset + end };
          const inFile = placesOf(segments).map(([place, at]) => [place, offset + at] as const);
          records.push({ ...makeRecord(joined(given, segments), place, shape), segments: inFile });
        })
      : cut(given, shape, (from, length, end) => add(from, from, from + length, end));
    offset += used;
    rest = given.subarray(used);
    if (isLast && rest.length === 0 && prefixed && prefixed.missing > 0) throw cutBlock({ number, offset }, prefixed.missing);
    if (isLast) rejectRest(rest, { number, offset, content: offset }, shape, records);
    else if (!prefixed && rest.length > recordLength + MOST_WITHOUT_END) throw endless({ number, offset }, rest, shape);
    if (records.length > 0) yield { records, bytesRead: from + bytes.length };
    if (isLast) return;
  }
}

/** Returns where the data end, in bytes: before DOS's end of a text. Without line ends a record that is more than that stays whole. */
async function findEnd(file: Blob, { recordLength, lineEnd, mayHaveCtrlZ }: RecordShape, start: number): Promise<number> {
  let end = file.size;
  for (let isText = !mayHaveCtrlZ; !isText && end > start; ) {
    const from = Math.max(start, end - SLICE_BYTES);
    const found = countCtrlZ(await readSlice(file, from, end - from));
    isText = found < end - from;
    end -= found;
  }
  if (lineEnd.length > 0) return end;
  return Math.min(file.size, start + Math.ceil((end - start) / recordLength) * recordLength);
}

/** Resolves to where the first record begins: after a UTF-8 byte order mark. */
export async function readStart(file: Blob, encoding: FixedLayout["encoding"]): Promise<number> {
  if (encoding !== undefined && encoding !== "utf-8") return 0;
  const [a, b, c] = await readSlice(file, 0, 3);
  return a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
}

type Found = (from: number, length: number, end: number) => void;

function cutByLength(bytes: Uint8Array, { recordLength }: RecordShape, found: Found): number {
  let at = 0;
  for (; at + recordLength <= bytes.length; at += recordLength) found(at, recordLength, at + recordLength);
  return at;
}

function cutByEnds(bytes: Uint8Array, { lineEnd }: RecordShape, found: Found): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  for (let end = buffer.indexOf(lineEnd); end !== -1; end = buffer.indexOf(lineEnd, at)) {
    found(at, end - at, end + lineEnd.length);
    at = end + lineEnd.length;
  }
  return at;
}

/** Returns where each segment is in the record, and where in the bytes that were given. */
function placesOf(segments: readonly Segment[]): [place: number, at: number][] {
  let place = 0;
  return segments.map(([from, to]) => {
    place += to - from;
    return [place - (to - from), from];
  });
}

function joined(bytes: Uint8Array, segments: readonly Segment[]): Uint8Array {
  return Buffer.concat(segments.map(([from, to]) => bytes.subarray(from, to)));
}

/** Returns where a byte of the record, counted from 0, is in the file. */
export function offsetOf({ content, segments = [] }: RawRecord, at: number): number {
  const [place, offset] = segments.findLast(([place]) => place <= at) ?? [0, content];
  return offset + at - place;
}

type Placed = Pick<RawRecord, "number" | "offset" | "content" | "end">;

function makeRecord(bytes: Uint8Array, place: Placed, shape: RecordShape): RawRecord {
  const { recordLength, isTrimmed, blank } = shape;
  if (bytes.length === recordLength) return { bytes, ...place, wrong: undefined };
  if (bytes.length > recordLength || !isTrimmed) return { bytes, ...place, wrong: wrongLength(bytes, place, shape) };
  const filled = new Uint8Array(recordLength).fill(blank);
  filled.set(bytes);
  return { bytes: filled, ...place, absent: [[bytes.length, recordLength]], wrong: undefined };
}

/** Opens a record that was copied from a file with its prefix or its line end. */
export function openCopy(copy: Uint8Array, shape: RecordShape): RawRecord {
  const { lineEnd, recordFormat } = shape;
  const place = { number: 1, offset: 0, content: 0, end: copy.length };
  if (isSpanned(recordFormat)) return makeRecord(joined(copy, segmentsOfCopy(copy)), place, shape);
  const content = prefixSize(recordFormat);
  const hasEnd = lineEnd.length > 0 && Buffer.from(copy).subarray(-lineEnd.length).equals(lineEnd);
  const bytes = copy.subarray(content, hasEnd ? -lineEnd.length : undefined);
  return makeRecord(bytes, { ...place, content }, shape);
}

/** Reads the record as text. What the file has not is blank, and no number at all. */
export function openRecord({ bytes, absent }: RawRecord, codec: Codec): CutText {
  const cut = codec.openRecord(bytes);
  if (!absent) return cut;
  return (from, to, usage) =>
    usage && usage !== "bytes" && absent.some(([first, last]) => first <= from && to <= last) ? "" : cut(from, to, usage);
}

/** Counts the bytes of a record that the file has. */
export function lengthOf({ bytes, absent = [] }: RawRecord): number {
  return absent.reduce((length, [from, to]) => length - (to - from), bytes.length);
}

function wrongLength(
  bytes: Uint8Array,
  place: Pick<RawRecord, "number" | "offset" | "content">,
  { recordLength, lineEnd }: RecordShape,
): string {
  const isCrLf = lineEnd.length === 1 && bytes.length === recordLength + 1 && bytes.at(-1) === 0x0d;
  const hint = isCrLf ? ' Its last byte is CR: the layout\'s lineEnd may have to be "crlf".' : "";
  return `${nameRecord(place)} has ${bytes.length} bytes; a record has ${recordLength}.${hint}${nameNuls(bytes, place.content)}`;
}

/** After the last line end, a whole record without its line end is accepted; a part of a record is not. */
function rejectRest(
  rest: Uint8Array,
  place: Pick<RawRecord, "number" | "offset" | "content">,
  shape: RecordShape,
  records: RawRecord[],
): void {
  if (rest.length === 0) return;
  if (shape.recordFormat) {
    const says = `${nameRecord(place)} is its last, and it ends after ${count(rest.length, "byte")} of it. Ask the sender for the whole file.`;
    throw new FileError("This file is cut.", says);
  }
  if (rest.length === shape.recordLength) {
    records.push({ bytes: rest, ...place, end: place.offset + rest.length, wrong: undefined });
    return;
  }
  if (rest.length > shape.recordLength) throw endless(place, rest, shape);
  throw new FileError(
    "This file is cut.",
    `${nameRecord(place)} is its last: it has ${rest.length} of ${shape.recordLength} bytes and no line end. Ask the sender for the whole file.`,
  );
}

function cutBlock(place: Pick<RawRecord, "number" | "offset">, missing: number): FileError {
  return new FileError(
    "This file is cut.",
    `It ends before ${nameRecord(place).toLowerCase()}, within a block that has ${count(missing, "byte")} more. Ask the sender for the whole file.`,
  );
}

async function rejectCut(file: Blob, { recordLength }: RecordShape, start: number, size: number): Promise<void> {
  const more = (size - start) % recordLength;
  const rest = await readSlice(file, size - more, more);
  if (more === 0) return;
  const whole = (size - start - more) / recordLength;
  throw new FileError(
    "This file is cut, or its records have another length.",
    `It has ${size} bytes: ${count(whole, "whole record")} of ${recordLength}, and ${count(more, "byte")} more from byte offset ${size - more} on. Ask the sender for the whole file, or correct the layout's recordLength or lineEnd.${nameNuls(rest, size - more)}`,
  );
}

function endless(place: Pick<RawRecord, "number" | "offset">, rest: Uint8Array, { recordLength, lineEnd }: RecordShape): FileError {
  const others = [0x0a, 0x15, 0x25].filter((byte) => byte !== lineEnd[0] && byte === rest.at(recordLength));
  const hint = others.length > 0 ? ` There is a byte ${others[0]?.toString(16).padStart(2, "0")} where its end should be.` : "";
  return new FileError(
    "This file has no line ends where the layout says.",
    `${nameRecord(place)} does not end within ${rest.length} bytes; a record has ${recordLength}.${hint} Correct the layout's lineEnd or recordLength.${nameNuls(rest, place.offset)}`,
  );
}
