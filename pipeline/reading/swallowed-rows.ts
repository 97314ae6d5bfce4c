// Finds rows that a quotation mark has joined, and whether another reading of the marks makes them right.

import type { Delimiter, Quote } from "../model/dialect.ts";
import { splitRows } from "./split-rows.ts";
import { cellsOfLine } from "./stray-quotes.ts";

const LEARNED_ROWS = 50;
const VALUE = /^[+-]?\d[\d.,:/ T+Z-]*$|^[^\s@]+@[^\s@]+\.[^\s@]+$/; // a number, a date, an address

/** Keeps what the first rows of a file have in each column, to know a row from a line of a letter. */
export class RowProfile {
  #rows = 0;
  #isValue: boolean[] = [];
  #isSpaced = false;

  learn(cells: readonly string[]): void {
    if (this.#rows === LEARNED_ROWS) return;
    this.#rows++;
    for (const [i, cell] of cells.entries()) {
      if (cell.startsWith(" ")) this.#isSpaced = true;
      if (cell !== "") this.#isValue[i] = (this.#isValue[i] ?? true) && VALUE.test(cell.trim());
    }
  }

  /** Values stand where values are, and no cell begins with a space, as the words behind a comma do. */
  isLikeRow(cells: readonly string[]): boolean {
    return cells.every((cell, i) => {
      if (cell.startsWith(" ") && !this.#isSpaced) return false;
      return cell === "" || !this.#isValue[i] || VALUE.test(cell.trim());
    });
  }
}

/** Counts the rows that the lines of one row make when its marks are read in this way; undefined when that does not make them right. */
export function countFixed(
  lines: readonly string[],
  quote: Extract<Quote, "lines" | "backslash">,
  { delimiter, width }: { delimiter: Delimiter; width: number },
): number | undefined {
  const rows = quote === "lines" ? rowsOfLines(lines, delimiter) : rowsWithBackslashes(lines, delimiter);
  return rows && rows.length > 0 && rows.every((cells) => cells.length === width) ? rows.length : undefined;
}

/** Says whether every line would be a row by itself. Letters and addresses on several lines are none. */
export function areRows(lines: readonly string[], delimiter: Delimiter, width: number, profile: RowProfile): boolean {
  if (width < 2) return false;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const { cells } = cellsOfLine(line, delimiter);
    if (cells.length !== width || !profile.isLikeRow(cells)) return false;
  }
  return true;
}

function rowsOfLines(lines: readonly string[], delimiter: Delimiter): string[][] | undefined {
  const rows: string[][] = [];
  for (const line of lines) {
    if (line.trim() === "") continue;
    const { cells, isUnclear } = cellsOfLine(line, delimiter);
    if (isUnclear) return undefined;
    rows.push(cells);
  }
  return rows;
}

function rowsWithBackslashes(lines: readonly string[], delimiter: Delimiter): string[][] | undefined {
  if (!lines.some((line) => line.includes('\\"'))) return undefined;
  const { data, errors } = splitRows(lines.join("\n"), { delimiter, mark: '"', hasBackslash: true, allowsSpace: false }, false);
  return errors.length === 0 ? data.filter((cells) => cells.length > 1 || cells[0]?.trim() !== "") : undefined;
}
