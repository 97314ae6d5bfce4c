// Quotation marks that are text although they look like the start of a quoted cell.

import { message, t, tNumber } from "../../core/i18n/translate.ts";
import type { Delimiter } from "../model/dialect.ts";
import type { ReadingFix } from "../model/file-error.ts";
import { FileError } from "../model/file-error.ts";

/** Rows so far whose quotation marks look wrong: the lines of the first one, and how many there are. */
export interface StrayQuotes {
  line: number;
  through: number;
  rows: number;
}

export const READ_QUOTES_AS_TEXT: ReadingFix = { label: message("Treat stray quotes as text"), choices: { quote: "lines" } };

export function addStrayQuotes(strayQuotes: StrayQuotes | undefined, line: number, inside: number): StrayQuotes {
  return strayQuotes ? { ...strayQuotes, rows: strayQuotes.rows + 1 } : { line, through: line + inside, rows: 1 };
}

/**
 * Whether a row on several lines has probably swallowed others: it has another number of cells than the heading, or a line
 * inside one of its cells would be a row by itself. Letters and addresses on several lines have neither.
 */
export function isSwallowing(cells: readonly string[], width: number, delimiter: Delimiter): boolean {
  if (cells.length !== width) return true;
  const isRow = (line: string) => line.split(delimiter).length === width;
  return (
    width > 2 &&
    cells.some((cell) =>
      cell
        .split(/\r\n?|\n/)
        .slice(1, -1)
        .some(isRow),
    )
  );
}

/**
 * The cells of one line. A cell is quoted when it begins with a mark and another stands right before the next delimiter or the
 * line's end, with doubled marks between them. Otherwise its marks are text.
 */
export function cellsOfLine(line: string, delimiter: Delimiter): string[] {
  const quoted = QUOTED[delimiter];
  const cells: string[] = [];
  for (let at = 0; at <= line.length; at++) {
    quoted.lastIndex = at;
    const found = line[at] === '"' ? quoted.exec(line) : null;
    const end = found ? at + found[0].length : line.indexOf(delimiter, at);
    const stop = end === -1 ? line.length : end;
    cells.push(found ? (found[1] ?? "").replaceAll('""', '"') : line.slice(at, stop));
    at = stop; // on the delimiter
  }
  return cells;
}

const QUOTED: Record<Delimiter, RegExp> = {
  ",": /"([^"]*(?:""[^"]*)*)" *(?=,|$)/y,
  ";": /"([^"]*(?:""[^"]*)*)" *(?=;|$)/y,
  "\t": /"([^"]*(?:""[^"]*)*)" *(?=\t|$)/y,
  "|": /"([^"]*(?:""[^"]*)*)" *(?=\||$)/y,
};

export function malformedRowMessage(line: number, inside: number): string {
  const sentence = t("A quotation mark in this row is not closed, or not doubled within quoted text.");
  const lines = { from: tNumber(line), to: tNumber(line + inside) };
  return inside > 0 ? `${sentence} ${t("Lines {from} to {to} were therefore read as one row.", lines)}` : sentence;
}

export function malformedHeadingError(line: number): FileError {
  return new FileError(
    t("The heading has a quotation mark that is not closed."),
    t("Check line {line} of the file: close the quotation mark or remove it.", { line: tNumber(line) }),
    READ_QUOTES_AS_TEXT,
  );
}

export function endlessRow(line: number, chars: number): FileError {
  return new FileError(
    t("A row of this file is too long."),
    `${t("The row that starts on line {line} has more than {n} characters.", { line: tNumber(line), n: tNumber(chars) })} ` +
      t("A quotation mark in it is probably not closed: close it or remove it."),
    READ_QUOTES_AS_TEXT,
  );
}
