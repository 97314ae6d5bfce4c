// Writes fixed-width records: header, details, and a trailer with the right count and totals.

import type { Collection } from "../../core/dictionary/collections.ts";
import { type Codec, type CutText, createCodec, encodeNational } from "../layouts/character-sets.ts";
import { NUMERALS, type Usage } from "../layouts/cobol-numbers.ts";
import { ControlTotals } from "../layouts/control-totals.ts";
import { readFormat } from "../layouts/dates.ts";
import { type Cell, fillingOf, openCell, padText } from "../layouts/field-codec.ts";
import {
  type Action,
  type BusinessDate,
  CONTROLS,
  type ControlName,
  codesOf,
  type FixedLayout,
  figurativeByte,
  type ItemRecords,
  type NumberPlace,
  type Place,
  type VariableTable,
} from "../layouts/layout.ts";
import { isWhole } from "../layouts/numeral-field.ts";
import { bytes as bytesAt } from "../layouts/validate/check-layout.ts";
import { inItem, inOrder, isInFirstItem, itemAt } from "../layouts/variable-table.ts";
import { isSpanned, writeBlock, writePrefix } from "./record-prefixes.ts";
import { lengthOf, openCopy, openRecord, type RawRecord, type RecordShape, recordShape } from "./split-records.ts";
import { closeUp, createSpread } from "./variable-tables.ts";

/** A value cannot be written into the place of its field. */
export class NoRoom extends Error {
  override name = "NoRoom";
}

/** The records of another collection that stand in a table of a record. `texts`: cells as in an upload, by field name. */
export interface TableItems {
  table: ItemRecords;
  collection: Collection;
  rows: readonly { id: number; texts: Readonly<Record<string, string>> }[];
}

type Span = NonNullable<Cell["place"]>;

export class FixedWriter {
  readonly #layout: FixedLayout;
  readonly #codec: Codec;
  readonly #cells: readonly Cell[];
  readonly #tally: ControlTotals;
  readonly #shape: RecordShape;
  readonly #tables: readonly VariableTable[];
  readonly #spread: (record: RawRecord) => RawRecord;
  /** Holds for each table that was written the cells of each of its items. */
  readonly #itemCells = new Map<ItemRecords, Cell[][]>();

  /** `tally`: that of another writer for the same file; see `forDetail`. */
  constructor(layout: FixedLayout, collection: Collection, tally?: ControlTotals) {
    this.#layout = layout;
    this.#codec = createCodec(layout.encoding ?? "utf-8");
    this.#cells = layout.detail.fields.map((field) => openCell(field, collection, layout.encoding));
    this.#tally = tally ?? new ControlTotals(layout, this.#cells);
    this.#shape = recordShape(layout, this.#codec);
    this.#tables = inOrder(layout.detail.occurs);
    this.#spread = createSpread(layout, this.#codec);
  }

  /** Returns a writer of another kind of detail record, as `selectDetail` gives its layout. Its records count for the trailer of this one. */
  forDetail(layout: FixedLayout, collection: Collection): FixedWriter {
    return new FixedWriter(layout, collection, this.#tally);
  }

  /** Returns no bytes when the layout has no header. A missing value is the constant of the layout, or blank; the business date is an ISO day. */
  header(values: Partial<Record<ControlName, string>> = {}): Uint8Array {
    const { header } = this.#layout;
    if (!header) return new Uint8Array();
    this.#tally.addOther();
    const record = this.#blank(header.type);
    for (const name of CONTROLS) {
      const control = header[name];
      if (!control) continue;
      const value = values[name] ?? control.constant ?? "";
      const text = "format" in control ? writeDay(value, control) : value;
      this.#put(record, control, text, fillingOf(control, name === "sequence"), name);
    }
    return this.#inBlock(this.#ended(record));
  }

  /** `texts`: cells as in an upload, by field name; a missing cell has no value. Throws NoRoom. */
  detail(texts: Readonly<Record<string, string>>, action?: Action, items: readonly TableItems[] = []): Uint8Array {
    const record = this.#blank(this.#layout.detail.type);
    const counts = this.#countItems(texts, items);
    const written: Span[] = [];
    for (const cell of this.#cells) {
      if (!cell.place || !this.#hasItem(cell.place, counts)) continue;
      this.#putCell(record, cell, texts[cell.name] ?? "");
      if (!cell.isSkipped) written.push(cell.place);
    }
    for (const table of items) this.#putItems(record, table, written);
    for (const [i, table] of this.#tables.entries()) this.#putNumber(record, table.dependingOn, String(counts[i]), "number of items");
    const place = this.#layout.action;
    if (place && action) this.#put(record, place, codesOf(place[action])[0] ?? "", fillingOf({}, false), "action");
    const closed = this.#ended(closeUp(record, this.#layout, counts));
    this.#tally.addDetail(this.#open(closed), this.#layout.detail.type);
    return this.#inBlock(closed);
  }

  /** A table has items up to the last one with a value. */
  #countItems(texts: Readonly<Record<string, string>>, items: readonly TableItems[]): number[] {
    const withValue = this.#cells.flatMap(({ name, place }) => (place && (texts[name] ?? "") !== "" ? [place.from] : []));
    const ofItems = items.flatMap(({ table, rows }) => rows.map((_, i) => table.start - 1 + i * table.length));
    return this.#tables.map((table) => Math.max(0, ...[...withValue, ...ofItems].map((from) => 1 + (itemAt(table, from) ?? -1))));
  }

  /** `written`: places of the record that have their value. Throws NoRoom when an item has no place or would not be read back. */
  #putItems(record: Uint8Array, { table, collection, rows }: TableItems, written: Span[]): void {
    const { max, start, length } = table;
    if (rows.length > max) {
      const place = bytesAt({ start, length: length * max });
      throw new NoRoom(`${rows.length} ${collection.name} belong to it, and the table (${place}) has room for ${max}.`);
    }
    const blank = (this.#codec.encode(" ") as Uint8Array)[0] as number;
    for (const [i, { id, texts }] of rows.entries()) {
      const cells = this.#cellsOf(table, collection)[i] ?? [];
      try {
        for (const [at, cell] of cells.entries()) {
          const field = table.fields[at];
          if (!cell.place || !field || cell.isSkipped) continue;
          if (isInFirstItem(table, field)) this.#putCell(record, cell, texts[cell.name] ?? "");
          else this.#putShared(record, cell, texts[cell.name] ?? "", written);
        }
        const own = record.subarray(start - 1 + i * length, start - 1 + (i + 1) * length);
        if (table.presentBy !== undefined && (texts[table.presentBy] ?? "") === "")
          throw new NoRoom(
            `${collection.byName.get(table.presentBy)?.title} has no value, and without it the item would be read as empty.`,
          );
        if (own.every((byte) => byte === 0 || byte === blank))
          throw new NoRoom("no field has a value, and a blank item would be read as empty.");
      } catch (error) {
        throw error instanceof NoRoom ? new NoRoom(`of its ${collection.noun} ${id}, ${error.message}`) : error;
      }
    }
  }

  #cellsOf(table: ItemRecords, collection: Collection): Cell[][] {
    const known = this.#itemCells.get(table);
    if (known) return known;
    const { encoding } = this.#layout;
    const cells = Array.from({ length: table.max }, (_, i) =>
      table.fields.map((field) => openCell(inItem(field, table, i), collection, encoding)),
    );
    this.#itemCells.set(table, cells);
    return cells;
  }

  /** A field outside of the table is the same for all of its items, and often one of the record's own fields. */
  #putShared(record: Uint8Array, cell: Cell, value: string, written: Span[]): void {
    const { from, to } = cell.place as Span;
    const changed = Uint8Array.from(record);
    this.#putCell(changed, cell, value);
    const isWritten = written.some((other) => other.from < to && from < other.to);
    if (isWritten && !Buffer.from(changed).equals(record)) {
      const place = bytesAt({ start: from + 1, length: to - from });
      throw new NoRoom(`${cell.title} is “${value}”, and the record has another value in ${place}, which all its items share.`);
    }
    record.set(changed);
    written.push({ from, to });
  }

  #hasItem({ from }: { from: number }, counts: readonly number[]): boolean {
    return this.#tables.every((table, i) => (itemAt(table, from) ?? -1) < (counts[i] ?? 0));
  }

  /** `copy`: a record as it stands in the file, with its prefix or line end, without its block. */
  #open(copy: Uint8Array): CutText {
    return openRecord(this.#spread(openCopy(copy, this.#shape)), this.#codec);
  }

  /** Says whether the value fits into the place of its field. */
  hasRoom(name: string, value: string): boolean {
    const cell = this.#cells.find((each) => each.name === name);
    try {
      if (cell?.place) this.#putCell(this.#blank(undefined), cell, value);
      return true;
    } catch (error) {
      if (error instanceof NoRoom) return false;
      throw error;
    }
  }

  /** Counts a record that is copied from a file, and gives it the line end or the block that it lacks. A field that is no number adds nothing to a total. */
  take(record: Uint8Array, kind: "detail" | "header"): Uint8Array {
    if (kind === "detail") this.#tally.addDetail(this.#open(record), this.#layout.detail.type);
    else this.#tally.addOther();
    const { lineEnd, recordFormat } = this.#shape;
    if (isSpanned(recordFormat)) {
      const whole = openCopy(record, this.#shape); // in one segment: the blocks of the file are not those of the copy
      return this.#inBlock(this.#ended(whole.bytes.subarray(0, lengthOf(whole))));
    }
    const isEnded = Buffer.from(record)
      .subarray(record.length - lineEnd.length)
      .equals(lineEnd);
    return this.#inBlock(isEnded ? record : Buffer.concat([record, lineEnd]));
  }

  /** Makes a copy of a record with blanks in place of its other items, so that those are not loaded again. */
  withItems(copy: Uint8Array, table: ItemRecords, kept: ReadonlySet<number>): Uint8Array {
    const { absent = [], content, bytes } = this.#spread(openCopy(copy, this.#shape));
    const blank = (this.#codec.encode(" ") as Uint8Array)[0] as number;
    const result = Uint8Array.from(copy);
    // Returns where the file has a byte of the record as it is when its tables are full.
    const placeInCopy = (at: number) => content + at - absent.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, at) - from), 0);
    for (let item = 0; item < table.max; item++) {
      const from = table.start - 1 + item * table.length;
      const isThere = !absent.some(([first, last]) => first <= from && from < last) && from < bytes.length;
      if (isThere && !kept.has(item)) result.fill(blank, placeInCopy(from), placeInCopy(from + table.length));
    }
    return result;
  }

  /** Returns no bytes when the layout has no trailer. */
  trailer(): Uint8Array {
    const { trailer } = this.#layout;
    if (!trailer) return new Uint8Array();
    this.#tally.addOther();
    const record = this.#blank(trailer.type);
    const { count } = trailer;
    if (count) this.#putNumber(record, count, String(count.of === "all" ? this.#tally.all : this.#tally.details), "count");
    for (const { total, text } of this.#tally.totals()) this.#putNumber(record, total, text, `total of ${total.of}`);
    return this.#inBlock(this.#ended(record));
  }

  #blank(type: string | undefined): Uint8Array {
    const blank = (this.#codec.encode(" ") as Uint8Array)[0] as number;
    const record = new Uint8Array(this.#layout.recordLength).fill(blank);
    const place = this.#layout.recordType;
    if (place && type !== undefined) this.#put(record, place, type, fillingOf({}, false), "record type");
    return record;
  }

  #putCell(record: Uint8Array, cell: Cell, value: string): void {
    const { from, to } = cell.place as { from: number; to: number };
    if (value === "" && cell.noneByte !== undefined) return void record.fill(cell.noneByte, from, to);
    const written = cell.write(value, cell.isNational ? (to - from) / 2 : to - from);
    if (written === undefined && value === "") throw new NoRoom(`${cell.title} has no value, and the layout has no "null" for it.`);
    if (written === undefined) throw new NoRoom(`${cell.title} “${value}” cannot be written as the layout says.`);
    const place = { start: from + 1, length: to - from };
    if (cell.isNational) this.#putNational(record, place, written, cell);
    else if (!cell.usage) this.#put(record, place, written, cell.filling, cell.title);
    else if (value === "" && !isWhole(written)) record.fill((this.#codec.encode(written) as Uint8Array)[0] as number, from, to);
    else this.#putNumerals(record, place, written, cell.usage, cell.title);
  }

  #putNumber(record: Uint8Array, place: NumberPlace, text: string, label: string): void {
    if (place.usage) this.#putNumerals(record, place, text, place.usage, label);
    else this.#put(record, place, text, fillingOf({}, true), label);
  }

  #putNumerals(record: Uint8Array, { start, length }: Place, text: string, usage: Usage, label: string): void {
    const bytes = NUMERALS[usage].write(text, length);
    if (!bytes) throw new NoRoom(`${label} “${text}” cannot be a ${usage} number of ${length} bytes.`);
    record.set(bytes, start - 1);
  }

  #put(record: Uint8Array, { start, length }: Place, text: string, filling: ReturnType<typeof fillingOf>, label: string): void {
    this.#putEncoded(record, { start, length }, text, filling, label, { encode: (each) => this.#codec.encode(each), unit: 1 });
  }

  #putNational(record: Uint8Array, place: Place, text: string, { filling, title }: Cell): void {
    this.#putEncoded(record, place, text, filling, title, { encode: encodeNational, unit: 2 });
    const blank = (this.#codec.encode(" ") as Uint8Array)[0] as number;
    const bytes = record.subarray(place.start - 1, place.start - 1 + place.length);
    if (bytes.every((byte) => byte === blank)) throw new NoRoom(`${title} “${text}” would be read as blanks.`);
  }

  /** Pads by bytes, because a character may have several in UTF-8. `unit`: the bytes of a blank. */
  #putEncoded(
    record: Uint8Array,
    { start, length }: Place,
    text: string,
    filling: ReturnType<typeof fillingOf>,
    label: string,
    { encode, unit }: Pick<Codec, "encode"> & { unit: number },
  ): void {
    const byte = figurativeByte(filling.pad);
    const bytes = encode(text);
    if (!bytes) throw new NoRoom(`${label} “${text}” has a character that the encoding does not have.`);
    if (bytes.length > length) throw new NoRoom(`${label} “${text}” has ${bytes.length} bytes; there is room for ${length}.`);
    if (byte !== undefined) {
      record.fill(byte, start - 1, start - 1 + length);
      record.set(bytes, start - 1 + (filling.justify === "right" ? length - bytes.length : 0));
      return;
    }
    const padded = padText(text, text.length + (length - bytes.length) / unit, filling);
    record.set(encode(padded) as Uint8Array, start - 1);
  }

  #ended(record: Uint8Array): Uint8Array {
    return Buffer.concat([writePrefix(this.#layout.recordFormat, record.length), record, this.#shape.lineEnd]);
  }

  #inBlock(record: Uint8Array): Uint8Array {
    return Buffer.concat([writeBlock(this.#layout.recordFormat, record.length), record]);
  }
}

function writeDay(day: string, { format, pivot }: BusinessDate): string {
  const read = readFormat(format, pivot);
  return "wrong" in read ? "" : (read.fromIso(day) ?? "");
}
