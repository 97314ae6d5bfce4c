// Quotation marks that are text although they look like the start of a quoted cell.

import { message, t, tNumber } from "../../core/i18n/translate.ts";
import type { Delimiter, Quote } from "../model/dialect.ts";
import type { ReadingFix } from "../model/file-error.ts";
import { FileError } from "../model/file-error.ts";

/** Rows so far whose quotation marks look wrong: the lines of the first one, and how many there are. */
export interface StrayQuotes {
  line: number;
  through: number;
  rows: number;
  /** Another way to read the marks that makes `rows` of them right: then they are `into` rows. */
  fix?: QuoteFix | undefined;
}

export interface QuoteFix {
  quote: "lines" | "backslash";
  rows: number;
  into: number;
}

export const READ_QUOTES_AS_TEXT: ReadingFix = { label: message("Treat stray quotes as text"), choices: { quote: "lines" } };
export const READ_BACKSLASHES: ReadingFix = { label: message('Read \\" as a quotation mark'), choices: { quote: "backslash" } };

export interface LineCells {
  cells: string[];
  /** Nobody can know where its cells end. */
  isUnclear: boolean;
}

/**
 * Returns the cells of one line. A cell is quoted when it begins with a mark and another stands right before the next delimiter or the
 * line's end. Between them marks are doubled, or they come in pairs and are text. Otherwise its marks are text.
 */
export function cellsOfLine(line: string, delimiter: Delimiter): LineCells {
  const cells: string[] = [];
  const plain: string[] = []; // the same with "" for each quoted cell
  let isUnclear = false;
  for (let at = 0; ; ) {
    const quoted = line[at] === '"' ? readQuoted(line, at, delimiter) : undefined;
    if (quoted === "unclear") isUnclear = true;
    const found = quoted === "unclear" ? undefined : quoted;
    const next = found ? found.end : line.indexOf(delimiter, at);
    const end = next === -1 ? line.length : next;
    cells.push(found ? found.text : line.slice(at, end));
    plain.push(found ? "" : line.slice(at, end));
    if (end >= line.length) return { cells, isUnclear: isUnclear || findCut(plain) !== undefined };
    at = end + delimiter.length;
  }
}

type Quoted = { text: string; end: number };

function readQuoted(line: string, open: number, delimiter: Delimiter): Quoted | "unclear" | undefined {
  return readDoubled(line, open, delimiter) ?? readPaired(line, open, delimiter);
}

/** Marks within the cell are doubled. */
function readDoubled(line: string, open: number, delimiter: Delimiter): Quoted | undefined {
  let close = line.indexOf('"', open + 1);
  while (close !== -1 && line[close + 1] === '"') close = line.indexOf('"', close + 2);
  const end = close === -1 ? undefined : endBehind(line, close, delimiter);
  return end === undefined ? undefined : { text: line.slice(open + 1, close).replaceAll('""', '"'), end };
}

/** Marks within the cell come in pairs, or there is one, and the cell can end at one place alone. */
function readPaired(line: string, open: number, delimiter: Delimiter): Quoted | "unclear" | undefined {
  let only: Quoted | undefined;
  for (let close = line.indexOf('"', open + 1); close !== -1; close = line.indexOf('"', close + 1)) {
    const end = endBehind(line, close, delimiter);
    if (end === undefined) continue;
    const text = line.slice(open + 1, close);
    if (text.includes(`${delimiter}"`)) break; // the next cell begins, so the first mark is text
    if (text.includes('\\"') || text.includes('""')) return "unclear";
    if (countMarks(text) % 2 === 0) return { text, end };
    if (only) return "unclear";
    only = { text, end };
  }
  return only;
}

/** Returns the place where the delimiter stands or the line ends, if that is right behind the mark. */
function endBehind(line: string, mark: number, delimiter: Delimiter): number | undefined {
  let end = mark + 1;
  while (line[end] === " " && !line.startsWith(delimiter, end)) end++;
  return end === line.length || line.startsWith(delimiter, end) ? end : undefined;
}

/**
 * Finds a quoted text that a delimiter cuts in two because a separator lacks before it: `Smith"Oak St 1` and ` Leeds"`. Gives the two
 * cells. Signs of inches behind numbers are none, but no text outside of marks has doubled ones.
 */
export function findCut(cells: readonly string[]): [from: number, to: number] | undefined {
  for (let from = 0; from < cells.length; from++) {
    const opening = cells[from] as string;
    if (!opening.includes('"') || countMarks(opening) % 2 === 0) continue;
    const to = cells.findIndex((cell, at) => at > from && cell.includes('"') && countMarks(cell) % 2 === 1);
    const closing = cells[to];
    if (closing === undefined) continue;
    if (closing.includes('""') || (OPENING.test(opening) && !(INCHES.test(opening) && INCHES.test(closing)))) return [from, to];
  }
  return undefined;
}

const OPENING = /(?:^|[^"])(?:"")*"[^\s"]/;

/** A mark behind a number that ends a measure: `5" pipe`, `5"x3`. In `9"Kids`, `$9"x` and `24"""` it begins or ends a quoted text. */
const INCHES = /(?<![$€£¥]\s?[\d.,]*)\d"(?=$|[\sx×*/.)-])/i;

function countMarks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count++;
  return count;
}

/** Says whether an odd number of marks stands within a cell, as in one that `findCut` finds: behind a character and before another. */
export function hasInnerQuote(text: string, delimiter: Delimiter): boolean {
  // It is not one expression for the whole text: that takes a third of the time in which such a file is read.
  const [before, after] = [delimiter.charCodeAt(delimiter.length - 1), delimiter.charCodeAt(0)];
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) {
    const from = at;
    while (text.charCodeAt(at + 1) === MARK) at++;
    if ((at - from) % 2 === 0 && isInner(text.charCodeAt(from - 1), before) && isInner(text.charCodeAt(at + 1), after)) return true;
  }
  return false;
}

const [MARK, NEWLINE] = [34, 10];

function isInner(code: number, delimiter: number): boolean {
  return code !== delimiter && code !== NEWLINE && !Number.isNaN(code);
}

export function unclearLineMessage(): string {
  return t(
    "The quotation marks of this row can be read in two ways, or a separator is missing beside one. Correct the row, or choose another text quote.",
  );
}

export function malformedRowMessage(line: number, inside: number, quote: Quote): string {
  if (quote === "lines") return unclearLineMessage();
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
