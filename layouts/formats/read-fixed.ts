// Reads a fixed-width file as blocks of rows. A record that cannot be read becomes a malformed row with a reason.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { RowBlock } from "../../pipeline/reading/csv-rows.ts";
import { type ActionOf, readActions } from "../layouts/actions.ts";
import { type Codec, type CutText, createCodec } from "../layouts/character-sets.ts";
import { NUMERALS } from "../layouts/cobol-numbers.ts";
import { isEbcdic } from "../layouts/ebcdic.ts";
import { type Cell, openCell, placeOf } from "../layouts/field-codec.ts";
import { type Action, type FixedLayout, figurativeOf } from "../layouts/layout.ts";
import { bytes } from "../layouts/validate/check-layout.ts";
import { inItem } from "../layouts/variable-table.ts";
import { type HeaderFacts, HeaderTrailerChecker, readHeader } from "./header-trailer.ts";
import { withNuls } from "./odd-bytes.ts";
import {
  lengthOf,
  nameRecord,
  offsetOf,
  openCopy,
  openRecord,
  type RawRecord,
  readRecords,
  readStart,
  recordShape,
} from "./split-records.ts";
import { createSpread } from "./variable-tables.ts";

/** `lines` holds the numbers of the records in the file. */
export interface FixedBlock extends RowBlock {
  /** Hold for each row where its record begins and where the next one begins, in bytes from 0. */
  offsets: number[];
  ends: number[];
  /** The action of each row; undefined when the layout has no action. */
  actions: (Action | undefined)[];
  /** Counts for each row which item of its record it is, from 0; undefined when rows are whole records. */
  items: (number | undefined)[];
  /** Holds, where rows are items, the records that have them, or none. */
  records: TableRecord[];
}

/** A record with a table: how many of its items are rows, and the cells of the first, whether it is there or not. */
export interface TableRecord extends Pick<RawRecord, "number" | "offset" | "end"> {
  rows: number;
  cells: readonly string[];
}

export interface FixedFile {
  /** The names of the cells, which are also the columns of the plan. */
  header: readonly string[];
  /** Each call reads the whole file. Throws FileError for a wrong header, trailer or record type, at the latest after the last row. */
  openRows(): AsyncGenerator<FixedBlock>;
  /** Opens a record that was copied from the file with its prefix or line end, as its fields are read from it. */
  openCopy(copy: Uint8Array): { record: RawRecord; cut: CutText };
  /** Returns undefined when the layout has no header. Throws FileError when the first record is no header. */
  readHeader(): Promise<HeaderFacts | undefined>;
}

export function openFixed(file: Blob, layout: FixedLayout, collection: Collection): FixedFile {
  const codec = createCodec(layout.encoding ?? "utf-8");
  const shape = recordShape(layout, codec);
  const cells = layout.detail.fields.map((field) => openCell(field, collection, layout.encoding));
  const stored = cells.filter(({ isSkipped }) => !isSkipped);
  const header = stored.map(({ name }) => name);
  const readRows = createRowsReader(layout, collection, stored, codec);
  const spread = createSpread(layout, codec);
  const records = async () => readRecords(file, shape, await readStart(file, layout.encoding));
  return {
    header,
    async *openRows() {
      const controls = new HeaderTrailerChecker(layout, cells);
      let first = 1;
      for await (const block of await records()) {
        const rows = emptyBlock(header, first, block.bytesRead);
        for (const record of block.records) {
          try {
            addRecord(record, { codec, controls, spread, readRows }, rows);
          } catch (error) {
            throw withNuls(error, record);
          }
        }
        first += rows.rows.length;
        yield rows;
      }
      controls.close();
    },
    openCopy(copy) {
      const record = spread(openCopy(copy, shape));
      return { record, cut: openRecord(record, codec) };
    },
    async readHeader() {
      if (!layout.header) return undefined;
      for await (const {
        records: [first],
      } of await records()) {
        if (first) return readHeader(first, openRecord(first, codec), layout);
      }
      return undefined;
    },
  };
}

function emptyBlock(header: readonly string[], first: number, bytesRead: number): FixedBlock {
  return {
    header,
    rows: [],
    first,
    lines: [],
    malformed: new Map(),
    strayQuotes: undefined,
    bytesRead,
    offsets: [],
    ends: [],
    actions: [],
    items: [],
    records: [],
  };
}

interface Reading {
  codec: Codec;
  controls: HeaderTrailerChecker;
  spread: (record: RawRecord) => RawRecord;
  readRows: RowsReader;
}

function addRecord(given: RawRecord, { codec, controls, spread, readRows }: Reading, block: FixedBlock): void {
  const record = spread(given);
  const cut = openRecord(record, codec);
  if (!controls.addRecord(record, cut)) return;
  const { rows, shared } = readRows(record, cut, lengthOf(given));
  const { number, offset, end } = record;
  if (shared) block.records.push({ number, offset, end, rows: rows.length, cells: shared });
  for (const { cells, action, wrong, item } of rows) {
    if (wrong !== undefined) (block.malformed as Map<number, string>).set(block.rows.length, wrong);
    block.rows.push(cells);
    block.lines.push(record.number);
    block.offsets.push(record.offset);
    block.ends.push(record.end);
    block.actions.push(action);
    block.items.push(item);
  }
}

interface Row {
  cells: string[];
  action: Action | undefined;
  wrong: string | undefined;
  item?: number;
}

/** `length`: how many bytes the file has of the record. */
type RowReader = (record: RawRecord, cut: CutText, length: number) => Row;
/** `shared`: the cells of the first item of a table, which has those of the record, too. */
type RowsReader = (...record: Parameters<RowReader>) => { rows: Row[]; shared?: readonly string[] };

/** Makes one row for each record, or for each item of its table. */
function createRowsReader(layout: FixedLayout, collection: Collection, cells: readonly Cell[], codec: Codec): RowsReader {
  const { table } = layout.detail;
  if (!table) {
    const readRow = createRowReader(layout, cells);
    return (...record) => ({ rows: [readRow(...record)] });
  }
  const empty = new Set([0, (codec.encode(" ") as Uint8Array)[0] as number]);
  const presentAt = cells.findIndex(({ name }) => name === table.presentBy);
  const readers = Array.from({ length: table.max }, (_, item) => {
    const own = table.fields.filter(({ skip }) => !skip).map((field) => openCell(inItem(field, table, item), collection, layout.encoding));
    return createRowReader(layout, own);
  });
  return (record, cut, length) => {
    const rows = readers.flatMap((readRow, item): Row[] => {
      if (record.wrong !== undefined) return item === 0 ? [readRow(record, cut, length)] : []; // how many items it has is not known
      const [from, to] = [table.start - 1 + item * table.length, table.start - 1 + (item + 1) * table.length];
      if (record.bytes.subarray(from, to).every((byte) => empty.has(byte))) return [];
      const row = readRow(record, cut, length);
      return presentAt >= 0 && row.wrong === undefined && row.cells[presentAt] === "" ? [] : [{ ...row, item }];
    });
    return { rows, shared: (rows[0] ?? readers[0]?.(record, cut, length))?.cells ?? [] };
  };
}

function createRowReader(layout: FixedLayout, cells: readonly Cell[]): RowReader {
  const readAction = createActionReader(layout);
  const { minLength = 0 } = layout.detail;
  return (record, cut, length) => {
    let wrong = record.wrong;
    if (length < minLength) wrong ??= `${nameRecord(record)} has ${length} bytes; such a record has at least ${minLength}.`;
    const { action, unknown } = readAction(cut);
    const texts = cells.map((cell) => {
      if (!cell.place) return cell.constant;
      if (record.absent) wrong ??= whyCut(record, cell);
      const text = cell.cut(cut);
      if (text === undefined || (text !== "" && !cell.usage && figurativeOf(bytesOf(record, cell)))) {
        wrong ??= unreadable(record, cell, layout);
        return "";
      }
      const why = cell.whyWrong(text) ?? (cell.usage ? undefined : whyFilled(text, cell.isNational ? undefined : layout.encoding));
      if (why !== undefined) wrong ??= `${nameField(record, cell)} is ${why}.`;
      return cell.read(text);
    });
    if (unknown !== undefined) wrong ??= `${nameRecord(record)}: ${unknown}`;
    if (wrong !== undefined && record.bytes.every((byte) => byte === 0)) wrong = `${nameRecord(record)} is nothing but bytes 00.`;
    return { cells: texts, action, wrong };
  };
}

/** X'0E' (shift-out) and X'0F' (shift-in) enclose characters of two bytes in a code page such as 939. */
const SHIFTED =
  "not readable: it has a byte 0E or 0F (shift-out, shift-in), between which characters of two bytes stand (DBCS, as in the code pages 930, 933, 935, 937 and 939). Ask for the field as national characters, or for the file in UTF-8";

/** A text may be followed by a figurative constant, which is no part of it. Continues a sentence such as “Last name is …”. */
function whyFilled(text: string, encoding: FixedLayout["encoding"]): string | undefined {
  if (isEbcdic(encoding) && (text.includes("\u000e") || text.includes("\u000f"))) return SHIFTED;
  const isHigh = (encoding === "iso-8859-1" || encoding === "windows-1252") && /ÿÿ *$/.test(text);
  const name = text.includes("\u0000") ? "LOW-VALUES" : isHigh ? "HIGH-VALUES" : undefined;
  if (name === undefined) return undefined;
  const shown = text.slice(0, text.indexOf(name === "LOW-VALUES" ? "\u0000" : "ÿÿ"));
  return `“${shown}…” with bytes ${name === "LOW-VALUES" ? "00" : "FF"} (${name}) in it: if they fill the field, say "pad": "${name}" in the layout`;
}

/** A record that ends within a number or a date has lost a part of it; of a text only blanks may be missing. */
function whyCut(record: RawRecord, cell: Cell): string | undefined {
  const { from, to } = cell.place as { from: number; to: number };
  const start = record.absent?.find(([first]) => from < first && first < to)?.[0];
  if (start === undefined || start - from >= cell.leastBytes) return undefined;
  return `${nameField(record, cell)} is cut: the record ends after byte ${start}.`;
}

function bytesOf({ bytes }: RawRecord, { place }: Cell): Uint8Array {
  return bytes.subarray(place?.from, place?.to);
}

/** @example "Record 3 (byte offset 128): Object ID (bytes 2–7)" */
function nameField(record: RawRecord, { title, place }: Cell): string {
  const { from, to } = place as { from: number; to: number };
  return `${nameRecord(record)}: ${title} (${bytes({ start: from + 1, length: to - from })})`;
}

function unreadable(record: RawRecord, cell: Cell, { encoding = "utf-8" }: FixedLayout): string {
  const where = nameField(record, cell);
  const given = bytesOf(record, cell);
  const figurative = figurativeOf(given);
  const hint = figurative ? ` If ${figurative} means no value here, say "null": "${figurative}" in the layout.` : "";
  const { from = 0 } = cell.place ?? {};
  if (cell.usage) return `${where} is ${NUMERALS[cell.usage].whyUnreadable(given, (at) => offsetOf(record, from + at))}.${hint}`;
  if (figurative) return `${where} is ${figurative}: all its bytes are ${figurative === "LOW-VALUES" ? "00" : "FF"}.${hint}`;
  if (cell.isNational) return `${where} is not UTF-16: half of a surrogate pair stands alone.`;
  if (encoding !== "utf-8") return `${where} has a byte that is not a character of ${encoding}.`;
  return `${where} is not whole UTF-8: a byte is no character, or a character is cut in two at the edge of the field.`;
}

function createActionReader({ action }: FixedLayout): (cut: CutText) => ReturnType<ActionOf> {
  if (!action) return () => ({ action: undefined });
  const { from, to } = placeOf(action);
  const actionOf = readActions(action);
  return (cut) => actionOf(cut(from, to));
}
