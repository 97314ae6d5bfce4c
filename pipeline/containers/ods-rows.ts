// Reads the sheets of an OpenDocument spreadsheet (ISO/IEC 26300), which stand in one file one after the other.

import { isoText, isTrue, LONGEST_TIME, NO_RESULT, valueText } from "./cell-text.ts";
import { columnName, SheetNotes } from "./sheet-notes.ts";
import {
  CellText,
  cellTooLong,
  MOST_CELL_TEXT,
  MOST_COLUMNS,
  MOST_IN_PIECE,
  MOST_ROWS,
  MOST_SHEETS,
  type SheetPiece,
  type SheetRow,
  sheetTooLarge,
  trimEnd,
} from "./sheet-rows.ts";
import { refuseBomb } from "./unpack.ts";
import { readXml, tooManyParts } from "./xml-parts.ts";
import { readAttribute, type Vocabulary, type XmlHandler, XmlScanner } from "./xml-scanner.ts";
import type { ZipEntry } from "./zip-directory.ts";

export interface OdsSheet {
  name: string;
  isHidden: boolean;
  rows: SheetRow[];
  notes: SheetNotes;
}

/** Drawings are of other namespaces, so their texts are no cell's. Of the skipped elements some hold texts or tables that no sheet shows. */
export const OPEN_DOCUMENT: Vocabulary = {
  prefixes: {
    ...Object.fromEntries(
      ["office", "style", "table", "text", "manifest"].map((name) => [`urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`, name]),
    ),
    "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0": "calcext",
  },
  skips: new Set(["annotation", "ruby-text", "shapes", "tracked-changes", "dde-links"]),
};

const LONGEST_SPACES = 1_000; // that one element may stand for

/** Yields the rows of one sheet. Throws FileError. */
export async function* readOdsRows(file: Blob, content: ZipEntry, sheet: string, notes: SheetNotes): AsyncGenerator<SheetPiece> {
  let rows: SheetRow[] = [];
  let isOver = false;
  const reader = new OdsReader({
    openSheet: (name) => (name === sheet && !isOver ? { notes, add: (row) => rows.push(row) } : undefined),
    closeSheet: (name) => {
      isOver ||= name === sheet;
    },
  });
  const scanner = new XmlScanner(reader, OPEN_DOCUMENT);
  for await (const { text, packedRead, unpacked } of readXml(file, content)) {
    scanner.push(text);
    refuseBomb(reader.size, file.size);
    reader.beginPiece();
    yield { rows, bytesRead: Math.floor((file.size * packedRead) / content.packedSize), unpacked };
    rows = [];
  }
  scanner.end();
  yield { rows, bytesRead: file.size, unpacked: content.size };
}

/** Lists all sheets with their first rows. Throws FileError. */
export async function listOdsSheets(file: Blob, content: ZipEntry, firstRows: number): Promise<OdsSheet[]> {
  const sheets: OdsSheet[] = [];
  const reader = new OdsReader({
    openSheet(name, isHidden) {
      if (sheets.length === MOST_SHEETS) throw tooManyParts();
      const sheet: OdsSheet = { name, isHidden, rows: [], notes: new SheetNotes() };
      sheets.push(sheet);
      const add = (row: SheetRow) => {
        if (sheet.rows.length < firstRows) sheet.rows.push(row);
      };
      return { notes: sheet.notes, add, isFull: () => sheet.rows.length >= firstRows };
    },
    closeSheet() {},
  });
  const scanner = new XmlScanner(reader, OPEN_DOCUMENT);
  for await (const { text } of readXml(file, content)) {
    scanner.push(text);
    reader.beginPiece();
  }
  scanner.end();
  return sheets;
}

interface Target {
  notes: SheetNotes;
  add(row: SheetRow): void;
  /** Further rows are not wanted. */
  isFull?(): boolean;
}

interface Sheets {
  /** Undefined: the sheet is passed over. */
  openSheet(name: string, isHidden: boolean): Target | undefined;
  closeSheet(name: string): void;
}

class OdsReader implements XmlHandler {
  readonly #sheets: Sheets;
  /** UTF-16 units and cells of all rows so far. */
  size = 0;
  #inPiece = 0;
  readonly #hiddenStyles = new Set<string>();
  #style = "";
  #name = "";
  #target: Target | undefined;
  #line = 0;
  #column = 0;
  #cells: string[] = [];
  #rowRepeats = 1;
  #cell = "";
  #cellRepeats = 1;
  readonly #text = new CellText();
  #hasText = false;
  /** Counts the open paragraphs. */
  #inText = 0;

  constructor(sheets: Sheets) {
    this.#sheets = sheets;
  }

  /** Counts anew how many cells stand in what is read together. */
  beginPiece(): void {
    this.#inPiece = 0;
  }

  open(name: string, attributes: string): void {
    switch (name) {
      case "style":
        this.#style = readAttribute(attributes, "style:name") ?? "";
        return;
      case "table-properties":
        if (readAttribute(attributes, "table:display") === "false") this.#hiddenStyles.add(this.#style);
        return;
      case "table":
        this.#openSheet(attributes);
        return;
    }
    if (this.#target) this.#openInSheet(name, attributes, this.#target);
  }

  close(name: string): void {
    if (name === "table") {
      this.#target = undefined;
      this.#sheets.closeSheet(this.#name);
    }
    const target = this.#target;
    if (!target) return;
    if (name === "table-row") this.#closeRow(target);
    else if (name === "table-cell" || name === "covered-table-cell") this.#closeCell(target);
    else if (name === "p") this.#inText--;
  }

  text(text: string): void {
    if (this.#inText > 0) this.#text.add(text.replace(/[\t\r\n ]+/g, " "));
  }

  #openSheet(attributes: string): void {
    this.#name = readAttribute(attributes, "table:name") ?? "";
    this.#target = this.#sheets.openSheet(this.#name, this.#hiddenStyles.has(readAttribute(attributes, "table:style-name") ?? ""));
    this.#line = 0;
    this.#column = 0;
  }

  #openInSheet(name: string, attributes: string, target: Target): void {
    switch (name) {
      case "table-column": {
        const repeats = countOf(attributes, "table:number-columns-repeated");
        if (isCollapsed(attributes)) target.notes.hiddenColumns(this.#column, this.#column + repeats - 1);
        this.#column += repeats;
        break;
      }
      case "table-row":
        this.#rowRepeats = countOf(attributes, "table:number-rows-repeated");
        if (isCollapsed(attributes) && this.#rowRepeats < 1000)
          for (let i = 1; i <= this.#rowRepeats; i++) target.notes.hiddenRow(this.#line + i);
        this.#cells = [];
        this.#column = 0;
        break;
      case "table-cell":
      case "covered-table-cell":
        this.#cell = attributes;
        this.#cellRepeats = countOf(attributes, "table:number-columns-repeated");
        this.#text.begin();
        this.#hasText = false;
        break;
      case "p":
        if (this.#hasText) this.#text.add("\n");
        this.#hasText = true;
        this.#inText++;
        break;
      case "s":
        if (this.#inText > 0) this.#text.add(" ".repeat(Math.min(LONGEST_SPACES, countOf(attributes, "text:c"))));
        break;
      case "tab":
        if (this.#inText > 0) this.#text.add("\t");
        break;
      case "line-break":
        if (this.#inText > 0) this.#text.add("\n");
    }
  }

  #closeCell(target: Target): void {
    const text = this.#cellText(target);
    const from = this.#column;
    this.#column += this.#cellRepeats;
    this.#noteMerged(from, target);
    if (text === "") return;
    if (this.#column > MOST_COLUMNS) throw sheetTooLarge();
    if (text.length > MOST_CELL_TEXT) throw cellTooLong(this.#name, `${columnName(from)}${this.#line + 1}`);
    this.size += text.length * this.#cellRepeats;
    while (this.#cells.length < from) this.#cells.push("");
    for (let i = 0; i < this.#cellRepeats; i++) this.#cells.push(text);
  }

  #noteMerged(from: number, target: Target): void {
    if (!this.#cell.includes("spanned")) return;
    const columns = countOf(this.#cell, "table:number-columns-spanned");
    const rows = countOf(this.#cell, "table:number-rows-spanned");
    const line = this.#line + 1;
    if (columns > 1 || rows > 1)
      target.notes.add("merged", `${columnName(from)}${line}:${columnName(from + columns - 1)}${line + rows - 1}`);
  }

  #closeRow(target: Target): void {
    const cells = trimEnd(this.#cells);
    const repeats = this.#rowRepeats;
    if (cells.length > 0) {
      this.#inPiece += repeats * cells.length;
      if (this.#line + repeats > MOST_ROWS || this.#inPiece > MOST_IN_PIECE) throw sheetTooLarge();
      this.size += repeats * cells.length + (repeats - 1) * cells.reduce((sum, text) => sum + text.length, 0);
      for (let i = 1; i <= repeats && !target.isFull?.(); i++) target.add({ line: this.#line + i, cells: [...cells] });
    }
    this.#line += repeats;
  }

  #cellText({ notes }: Target): string {
    const attributes = this.#cell;
    const cell = () => `${columnName(this.#column)}${this.#line + 1}`;
    if (this.#text.isTooLong) throw cellTooLong(this.#name, cell());
    const { text } = this.#text;
    if (attributes === "") return text;
    switch (readAttribute(attributes, "office:value-type")) {
      case "float":
      case "currency":
      case "percentage": {
        const value = Number(readAttribute(attributes, "office:value"));
        return withZeros(text, value) ?? valueText(value, undefined, false, (fact) => notes.add(fact, cell()));
      }
      case "date":
        return isoText(readAttribute(attributes, "office:date-value") ?? "");
      case "time":
        return durationText(readAttribute(attributes, "office:time-value") ?? "");
      case "boolean":
        return isTrue(readAttribute(attributes, "office:boolean-value")) ? "TRUE" : "FALSE";
      case "string":
        if (!isError(attributes)) return readAttribute(attributes, "office:string-value") ?? text;
    }
    if (/^Err:\d+$/.test(text)) return "#VALUE!"; // LibreOffice numbers some of its errors
    // For a formula whose result is an empty text, LibreOffice writes an empty paragraph and no type.
    if (this.#hasText || readAttribute(attributes, "table:formula") === undefined) return text;
    notes.add("noResult", cell());
    return NO_RESULT;
  }
}

/** Beside the type in the standard, LibreOffice writes its own. */
function isError(attributes: string): boolean {
  return readAttribute(attributes, "calcext:value-type") === "error";
}

function isCollapsed(attributes: string): boolean {
  return attributes.includes("visibility") && readAttribute(attributes, "table:visibility") !== "visible";
}

function countOf(attributes: string, name: string): number {
  const n = attributes.includes(name) ? Number(readAttribute(attributes, name)) : 1;
  return n >= 1 ? Math.floor(n) : 1;
}

/** Returns the shown text of a whole number whose format gives it leading zeros. */
function withZeros(shown: string, value: number): string | undefined {
  const digits = shown.replace(/\D/g, "");
  return Number.isInteger(value) && /^0\d/.test(digits) && Number(digits) === Math.abs(value) && !/[.,%]/.test(shown) ? shown : undefined;
}

/** "PT14H30M00S" is "14:30:00". */
function durationText(text: string): string {
  if (text.length > LONGEST_TIME) return text;
  const parts = /^(-?)P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(\.\d+)?S)?$/.exec(text);
  if (!parts) return text;
  const [, sign = "", days = "0", hours = "0", minutes = "0", seconds = "0", fraction = ""] = parts;
  const rest = fraction.replace(/0+$/, "").replace(/^\.$/, "");
  const two = (n: number | string) => String(n).padStart(2, "0");
  return `${sign}${two(24 * Number(days) + Number(hours))}:${two(minutes)}:${two(seconds)}${rest}`;
}
