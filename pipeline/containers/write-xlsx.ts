// Writes a workbook of Excel piece by piece. Cells are text, so that zeros stay and no formula runs, or plain numbers.

import { strToU8, Zip, ZipDeflate } from "fflate";
import { t, tNumber } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";
import { columnName } from "./sheet-notes.ts";
import { MOST_CELL_TEXT, MOST_ROWS } from "./sheet-rows.ts";

export interface XlsxTable {
  /** Names the sheet; signs that Excel does not allow are replaced. */
  name: string;
  header: readonly string[];
  /** Indexes of the columns whose plain numbers are written as numbers. */
  numbers?: ReadonlySet<number>;
}

const LEVEL = 4; // of deflate: half the time of 6, a twentieth more bytes

/**
 * Rows in pieces become bytes in pieces. A table of more rows than a sheet has goes on in a second one, with its heading. Throws FileError for
 * a text that no cell can hold.
 */
export async function* writeXlsx(table: XlsxTable, pieces: AsyncIterable<readonly (readonly string[])[]>): AsyncGenerator<Uint8Array> {
  const zipped: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    zipped.push(bytes);
  });
  const writer = new SheetWriter(zip, table);
  for await (const rows of pieces) {
    for (const cells of rows) writer.add(cells);
    writer.flush();
    yield* zipped.splice(0);
  }
  const sheets = writer.end();
  for (const [path, xml] of Object.entries(workbookParts(sheetNames(table.name, sheets))))
    addFile(zip, path).push(strToU8(HEAD + xml), true);
  zip.end();
  yield* zipped.splice(0);
}

export const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

function addFile(zip: Zip, path: string): ZipDeflate {
  const file = new ZipDeflate(path, { level: LEVEL });
  zip.add(file);
  return file;
}

class SheetWriter {
  readonly #zip: Zip;
  readonly #table: XlsxTable;
  #sheets = 0;
  #file: ZipDeflate | undefined;
  #rows = 0;
  #xml = "";
  readonly #columns: string[] = [];

  constructor(zip: Zip, table: XlsxTable) {
    this.#zip = zip;
    this.#table = table;
    this.#open();
  }

  add(cells: readonly string[]): void {
    if (this.#rows === MOST_ROWS) {
      this.#close();
      this.#open();
    }
    this.#write(cells, this.#table.numbers);
  }

  flush(): void {
    this.#file?.push(strToU8(this.#xml));
    this.#xml = "";
  }

  /** Returns how many sheets there are. */
  end(): number {
    this.#close();
    return this.#sheets;
  }

  #open(): void {
    this.#sheets++;
    this.#rows = 0;
    this.#file = addFile(this.#zip, `xl/worksheets/sheet${this.#sheets}.xml`);
    this.#xml = `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`;
    this.#write(this.#table.header, undefined);
  }

  #close(): void {
    this.#file?.push(strToU8(`${this.#xml}</sheetData></worksheet>`), true);
    this.#xml = "";
  }

  #column(at: number): string {
    this.#columns[at] ??= columnName(at);
    return this.#columns[at];
  }

  #write(cells: readonly string[], numbers: ReadonlySet<number> | undefined): void {
    let xml = `<row r="${++this.#rows}">`;
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at] as string;
      if (cell === "") continue;
      if (cell.length > MOST_CELL_TEXT) throw tooLong(`${this.#column(at)}${this.#rows}`, cell.length);
      const place = `${this.#column(at)}${this.#rows}`; // Excel could do without; some readers cannot
      xml += numbers?.has(at) && isPlainNumber(cell) ? `<c r="${place}"><v>${cell}</v></c>` : cellText(place, cell);
    }
    this.#xml += `${xml}</row>`;
  }
}

function tooLong(place: string, length: number): FileError {
  const [characters, most] = [tNumber(length), tNumber(MOST_CELL_TEXT)];
  return new FileError(
    t("Excel cannot hold this table."),
    t("Cell {place} would have {characters} characters, and {most} fit into a cell. Save the table as CSV.", { place, characters, most }),
  );
}

/** Is true of one that a spreadsheet keeps to its last digit. */
function isPlainNumber(text: string): boolean {
  return text.length <= 16 && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.replace(/\D/g, "").length <= 15;
}

// Signs that XML cannot hold, halves of pairs, and what Excel would take for such a sign.
const NO_XML = /(?![\t\n])[\p{Cc}\p{Cs}\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/gu;
const MARKUP: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

export function escapeText(text: string): string {
  return text
    .replace(NO_XML, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`)
    .replace(/[&<>]/g, (sign) => MARKUP[sign] as string);
}

/** Writes a cell of text, at a place such as B7. */
export function cellText(place: string, text: string): string {
  return `<c r="${place}" s="1" t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;
}

/** Returns the name without signs that Excel does not allow, and short enough for a number behind it. */
export function sheetName(name: string): string {
  return name.replace(/[\\/*?:[\]]/g, " ").slice(0, 25) || "1";
}

function sheetNames(name: string, sheets: number): string[] {
  return Array.from({ length: sheets }, (_, i) => `${sheetName(name)}${i === 0 ? "" : ` ${i + 1}`}`);
}

/** Writes all parts but the sheets. Style 1 is Excel's format “Text”. */
export function workbookParts(names: readonly string[]): Record<string, string> {
  const sheets = names.length;
  const each = (write: (n: number) => string) => names.map((_, i) => write(i + 1)).join("");
  const titles = names.map((name) => escapeText(name).replaceAll('"', "&quot;"));
  const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  return {
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each((n) => `<sheet name="${titles[n - 1]}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships">${each((n) => relation(`rId${n}`, "worksheet", `worksheets/sheet${n}.xml`))}${relation(`rId${sheets + 1}`, "styles", "styles.xml")}</Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf numFmtId="49" applyNumberFormat="1" xfId="0"/></cellXfs></styleSheet>`,
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships">${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`)}</Types>`,
  };
}
