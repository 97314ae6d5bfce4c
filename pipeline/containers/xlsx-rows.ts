// Reads the rows of a sheet of an Excel workbook while it is unpacked.

import { isoText, isShortWhole, isTrue, NO_RESULT, valueText } from "./cell-text.ts";
import { columnName, type SheetNotes } from "./sheet-notes.ts";
import {
  CellText,
  cellDamaged,
  cellTooLong,
  MOST_CELL_TEXT,
  MOST_COLUMNS,
  MOST_IN_PIECE,
  MOST_ROWS,
  type SheetPiece,
  type SheetRow,
  sheetTooLarge,
  trimEnd,
} from "./sheet-rows.ts";
import { refuseBomb } from "./unpack.ts";
import { decodeEscapes, LONGEST_ESCAPE, SPREADSHEET_ML, type XlsxSheet, type XlsxWorkbook } from "./xlsx-workbook.ts";
import { readXml } from "./xml-parts.ts";
import { readAttribute, type XmlHandler, XmlScanner } from "./xml-scanner.ts";

/** Throws FileError. `notes` grow while the rows are read. */
export async function* readXlsxRows(
  file: Blob,
  workbook: XlsxWorkbook,
  { name, entry }: XlsxSheet,
  notes: SheetNotes,
): AsyncGenerator<SheetPiece> {
  const reader = new SheetReader(workbook, name, notes);
  const scanner = new XmlScanner(reader, SPREADSHEET_ML);
  for await (const { text, packedRead, unpacked } of readXml(file, entry)) {
    scanner.push(text);
    refuseBomb(reader.size, file.size);
    yield { rows: reader.take(), bytesRead: Math.floor((file.size * packedRead) / entry.packedSize), unpacked };
  }
  scanner.end();
  yield { rows: reader.take(), bytesRead: file.size, unpacked: entry.size };
}

/** Names what a cell's text is in: its value, an inline text, or a formula, which is not read. */
type Inside = "value" | "text" | "none";

class SheetReader implements XmlHandler {
  readonly #workbook: XlsxWorkbook;
  readonly #sheet: string;
  readonly #notes: SheetNotes;
  /** UTF-16 units and cells of all rows so far. */
  size = 0;
  #inPiece = 0;
  #rows: SheetRow[] = [];
  #cells: string[] = [];
  #line = 0;
  #isRow = false;
  /** Holds the cell that is open: its column from 0, its type, its style, whether it has a formula, and its text so far. */
  #at = -1;
  #type: string | undefined;
  #style = 0;
  #hasFormula = false;
  readonly #value = new CellText(LONGEST_ESCAPE);
  #inside: Inside = "none";
  /** Its text is in `is`; then nothing else is read. */
  #isInline = false;

  constructor(workbook: XlsxWorkbook, sheet: string, notes: SheetNotes) {
    this.#workbook = workbook;
    this.#sheet = sheet;
    this.#notes = notes;
  }

  /** Returns the rows that are complete since the last call. */
  take(): SheetRow[] {
    this.#inPiece = 0;
    return this.#rows.splice(0);
  }

  open(name: string, attributes: string, isEmpty: boolean): void {
    switch (name) {
      case "c":
        if (this.#isRow) this.#openCell(attributes);
        break;
      case "v":
        this.#inside = isEmpty || this.#isInline ? "none" : "value";
        break;
      case "is":
        this.#openInline();
        break;
      case "t":
        if (!isEmpty && this.#isInline) this.#inside = "text";
        break;
      case "f":
        this.#hasFormula = true;
        break;
      case "row":
        this.#openRow(attributes, isEmpty);
        break;
      case "col":
        this.#column(attributes);
        break;
      case "mergeCell":
        this.#notes.add("merged", readAttribute(attributes, "ref") ?? "");
        break;
    }
  }

  close(name: string): void {
    switch (name) {
      case "c":
        if (this.#isRow) this.#closeCell();
        break;
      case "v":
      case "t":
        this.#inside = "none";
        break;
      case "row":
        if (this.#isRow) this.#closeRow();
        this.#isRow = false;
        break;
    }
  }

  text(text: string): void {
    if (this.#inside !== "none") this.#value.add(text);
  }

  #openRow(attributes: string, isEmpty: boolean): void {
    const given = Number(readAttribute(attributes, "r"));
    this.#line = given > this.#line ? given : this.#line + 1; // some programs leave the number out
    if (this.#line > MOST_ROWS) throw sheetTooLarge();
    if (isEmpty) return;
    this.#cells = [];
    this.#at = -1;
    this.#isRow = true;
    if (attributes.includes("hidden") && isTrue(readAttribute(attributes, "hidden"))) this.#notes.hiddenRow(this.#line);
  }

  #closeRow(): void {
    const cells = trimEnd(this.#cells);
    this.#inPiece += cells.length;
    this.size += cells.length;
    if (this.#inPiece > MOST_IN_PIECE) throw sheetTooLarge();
    this.#rows.push({ line: this.#line, cells });
  }

  #openCell(attributes: string): void {
    const reference = readAttribute(attributes, "r");
    this.#at = reference === undefined ? this.#at + 1 : columnOf(reference);
    if (this.#at >= MOST_COLUMNS) throw sheetTooLarge();
    this.#type = readAttribute(attributes, "t");
    this.#style = Number(readAttribute(attributes, "s") ?? 0);
    this.#hasFormula = false;
    this.#isInline = false;
    this.#value.begin();
    this.#inside = "none";
  }

  /** An inline text counts alone where the type says so, and where there is no value beside it. */
  #openInline(): void {
    if (this.#type !== "inlineStr" && this.#value.text !== "") return;
    this.#type = "inlineStr";
    this.#isInline = true;
    this.#value.begin();
  }

  #closeCell(): void {
    const text = this.#cellText();
    if (text === "") return;
    if (text.length > MOST_CELL_TEXT) throw cellTooLong(this.#sheet, this.#name());
    this.size += text.length;
    const cells = this.#cells;
    while (cells.length < this.#at) cells.push("");
    cells[this.#at] = text;
  }

  #cellText(): string {
    if (this.#value.isTooLong) throw cellTooLong(this.#sheet, this.#name());
    const value = this.#value.text;
    switch (this.#type) {
      case "s":
        return value === "" ? "" : this.#sharedText(Number(value));
      case "inlineStr":
      case "str":
        return decodeEscapes(value);
      case "b":
        return value === "" ? "" : isTrue(value) ? "TRUE" : "FALSE";
      case "e":
        return value;
      case "d":
        return isoText(value);
    }
    if (value !== "") return this.#number(value);
    if (!this.#hasFormula) return "";
    this.#notes.add("noResult", this.#name());
    return NO_RESULT;
  }

  #sharedText(index: number): string {
    const { texts } = this.#workbook;
    if (texts.isTooLong(index)) throw cellTooLong(this.#sheet, this.#name());
    const text = Number.isInteger(index) ? texts.at(index) : undefined;
    if (text === undefined) throw cellDamaged(this.#sheet, this.#name());
    return text;
  }

  #number(text: string): string {
    const { formats } = this.#workbook;
    const format = formats[this.#style];
    if (!format && formats.length > 0) throw cellDamaged(this.#sheet, this.#name()); // it may be a date
    if (isShortWhole(text) && (!format || format.is === "general" || format.is === "percent")) return text;
    const value = Number(text);
    if (!Number.isFinite(value)) return text;
    return valueText(value, format, this.#workbook.is1904, (fact) => this.#notes.add(fact, this.#name()));
  }

  #column(attributes: string): void {
    if (!isTrue(readAttribute(attributes, "hidden"))) return;
    this.#notes.hiddenColumns(Number(readAttribute(attributes, "min")) - 1, Number(readAttribute(attributes, "max")) - 1);
  }

  #name(): string {
    return columnName(this.#at) + this.#line;
  }
}

/** "AB12" is column 27, from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (let i = 0; i < reference.length; i++) {
    const letter = reference.charCodeAt(i) & 0xdf; // capital letters
    if (letter < 65 || letter > 90) break;
    column = 26 * column + letter - 64;
  }
  return column - 1;
}
