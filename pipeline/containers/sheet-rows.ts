// Turns the rows of a sheet into blocks of rows like those of a CSV file.

import { t, tNumber } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";
import type { RowBlock } from "../reading/csv-rows.ts";
import { isEmptyRow } from "../reading/row-shape.ts";

/** Excel's own limits, which are this reader's, too. */
export const MOST_ROWS = 1_048_576;
export const MOST_COLUMNS = 16_384;

/** Sheets of a workbook, also those of other kinds: as many as files in a ZIP. */
export const MOST_SHEETS = 10_000;
/** UTF-16 units of a cell. Excel calls a workbook with a longer one damaged. Other programs allow more, and no record has room for it. */
export const MOST_CELL_TEXT = 32_767;
/** Cells that a piece of a sheet may stand for, repeated and empty ones too. */
export const MOST_IN_PIECE = 4_000_000;

/** A row of a sheet. `line` is its number there, from 1; `cells` end with the last one that is not empty. */
export interface SheetRow {
  line: number;
  cells: string[];
}

/** Rows that were read together. `bytesRead`: of the file; `unpacked`: what they became. */
export interface SheetPiece {
  rows: SheetRow[];
  bytesRead: number;
  unpacked: number;
}

/**
 * Blank rows are left out and do not count. Short rows are filled up with empty cells; those that are longer than the heading stay
 * so, and the check refuses them. `notes` are about what was read so far.
 */
export async function* sheetBlocks(
  pieces: AsyncIterable<SheetPiece>,
  headingLine: number,
  notes: () => readonly string[],
): AsyncGenerator<RowBlock> {
  let header: string[] | undefined;
  let first = 1;
  for await (const { rows: read, bytesRead, unpacked } of pieces) {
    const rows: string[][] = [];
    const lines: number[] = [];
    for (const { line, cells } of read) {
      if (line < headingLine || isEmptyRow(cells)) continue;
      if (!header) {
        header = headingLine > 0 ? cells : cells.map((_, at) => t("Column {n}", { n: at + 1 }));
        if (headingLine > 0) continue;
      }
      while (cells.length < header.length) cells.push("");
      rows.push(cells);
      lines.push(line);
    }
    if (!header) continue;
    yield { header, rows, first, lines, malformed: NONE_MALFORMED, strayQuotes: undefined, bytesRead, unpacked, notes: notes() };
    first += rows.length;
  }
}

const NONE_MALFORMED: ReadonlyMap<number, string> = new Map();

/** Cells up to the last one that holds something. */
export function trimEnd(cells: string[]): string[] {
  let length = cells.length;
  while (length > 0 && cells[length - 1] === "") length--;
  cells.length = length;
  return cells;
}

/**
 * The text of a cell as it is put together, or undefined once it is longer than a cell may be: what is refused anyway is not held.
 * `factor`: how many units may be written for one that is read.
 */
export class CellText {
  readonly #most: number;
  #text = "";
  isTooLong = false;

  constructor(factor = 1) {
    this.#most = factor * MOST_CELL_TEXT;
  }

  begin(): void {
    this.#text = "";
    this.isTooLong = false;
  }

  add(text: string): void {
    if (this.#text.length + text.length > this.#most) this.isTooLong = true;
    else this.#text = this.#text === "" ? text : this.#text + text;
  }

  get text(): string {
    return this.#text;
  }
}

/** `cell`: its column and row, such as B7. */
export function cellTooLong(sheet: string, cell: string): FileError {
  const n = tNumber(MOST_CELL_TEXT);
  return new FileError(
    t("Cell {cell} of the sheet “{sheet}” has too much text.", { cell, sheet }),
    t("A cell may have {n} characters, as in Excel. Shorten it, save the workbook, then choose it again.", { n }),
  );
}

/** Reports a cell that names a text or a style which the workbook does not have: nobody knows what it held. */
export function cellDamaged(sheet: string, cell: string): FileError {
  return new FileError(
    t("Cell {cell} of the sheet “{sheet}” is damaged: what it refers to is not in the workbook.", { cell, sheet }),
    t("Save it again in its program, then choose it."),
  );
}

export function sheetTooLarge(): FileError {
  const limits = { rows: tNumber(MOST_ROWS), columns: tNumber(MOST_COLUMNS) };
  return new FileError(
    t("This sheet is too large."),
    t(
      "A sheet may have {rows} rows and {columns} columns, as in Excel. Save it as CSV, which has no limit, then choose that file.",
      limits,
    ),
  );
}
