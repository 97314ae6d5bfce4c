// Quotation marks that are text though they look like a cell's: which rows they tear or swallow, and how to read on. Refuses: a heading or a row that they never let end.

import { say, sayNumber, toSay } from "../../core/i18n/translate.ts";
import type { Delimiter } from "../model/dialect.ts";
import type { Remedy } from "../model/file-error.ts";
import { FileRefused } from "../model/file-error.ts";

/** Rows so far whose quotation marks look wrong: the lines of the first, and how many there are. */
export interface Stray {
  line: number;
  through: number;
  rows: number;
}

export const STRAY_AS_TEXT: Remedy = { label: toSay("Treat stray quotes as text"), choices: { quote: "lines" } };

export function addStray(stray: Stray | undefined, line: number, inside: number): Stray {
  return stray ? { ...stray, rows: stray.rows + 1 } : { line, through: line + inside, rows: 1 };
}

/**
 * Whether a row that stands on several lines has probably swallowed others: it has not the heading's number of cells, or a
 * line within one of its cells would be a row by itself. Letters and addresses of several lines have neither.
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
 * The cells of one line. A cell is quoted when it begins with a mark and another stands right before the next delimiter
 * or the line's end, doubled marks between them; otherwise its marks are text.
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

export function tornSentence(line: number, inside: number): string {
  const told = say("A quotation mark in this row is not closed, or not doubled within quoted text.");
  const lines = { from: sayNumber(line), to: sayNumber(line + inside) };
  return inside > 0 ? `${told} ${say("It makes lines {from} to {to} one row.", lines)}` : told;
}

export function tornHeading(line: number): FileRefused {
  return new FileRefused(
    say("The heading has a quotation mark that is not closed."),
    say("Look at line {line} of the file: close the quotation mark or take it out.", { line: sayNumber(line) }),
    STRAY_AS_TEXT,
  );
}

export function endlessRow(line: number, chars: number): FileRefused {
  return new FileRefused(
    say("A row of this file does not end."),
    `${say("The row that begins on line {line} goes on for more than {n} characters.", { line: sayNumber(line), n: sayNumber(chars) })} ` +
      say("A quotation mark in it is probably not closed: close it or take it out."),
    STRAY_AS_TEXT,
  );
}
