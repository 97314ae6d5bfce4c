// Text blocks to rows of cells with their row and line numbers; the only file that knows PapaParse. Refuses: a heading or a row whose quotation marks never close.

import Papa from "papaparse";
import { FileRefused, type TextBlock } from "./read.ts";

export type Delimiter = "," | ";" | "\t";

export const MAX_ROW_CHARS = 1_000_000; // UTF-16 units; a longer "row" is a quotation mark that nobody closed

export interface RowBlock {
  /** The cells of the heading, the same array in every block. */
  header: readonly string[];
  /** Cells exactly as they stand in the file, quotation marks taken off. May be empty. */
  rows: string[][];
  /** The number of `rows[0]`: rows count from 1 after the heading; blank lines are not rows. */
  first: number;
  /** The physical line on which each row begins, the file's first line being 1. */
  lines: number[];
  /** Rows whose quotation marks are wrong: index in `rows` → what is wrong, a sentence. */
  torn: ReadonlyMap<number, string>;
  bytesRead: number;
}

interface PapaResult {
  data: string[][];
  errors: { row: number }[];
  meta: { cursor: number };
}

/**
 * Lines end with LF, CRLF or CR, in any mixture; a quoted line break stays as it is. Rows of any width pass.
 * Papa.Parser is driven with a tail of our own: its readers cut characters in two at the edge of a slice.
 */
export async function* parseRows(blocks: AsyncIterable<TextBlock>, delimiter: Delimiter): AsyncGenerator<RowBlock> {
  const places: Places = { header: undefined, row: 1, line: 1 };
  let raw = ""; // what follows the last whole row
  let enough = 0;
  for await (const { text, bytesRead, last } of blocks) {
    raw += text;
    // A row longer than a block is looked at again only when it has doubled: its cost stays linear.
    if (!last && raw.length < enough) continue;
    const held = !last && raw.endsWith("\r") ? 1 : 0; // perhaps the first half of CRLF
    const given = held ? raw.slice(0, -1) : raw;
    const plain = given.includes("\r") ? given.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : given;
    const { data, errors, meta } = parse(plain, delimiter, !last);
    const used = last ? plain.length : meta.cursor;
    enough = data.length === 0 ? 2 * raw.length : 0;
    const lineBreaks = countBreaks(plain, used);
    const whole = last ? lineBreaks + 1 : lineBreaks;
    const block = placeRows(data, {
      places,
      wrong: new Set(errors.map(({ row }) => row)),
      spread: whole !== data.length,
      breaks: given === plain ? undefined : () => given.match(/\r\n?|\n/g) ?? [],
    });
    raw = raw.slice(given === plain ? used : rawLength(given, plain.length - used));
    if (raw.length > MAX_ROW_CHARS && !last) throw endless(places.line);
    if (places.header) yield { ...block, header: places.header, bytesRead };
  }
}

/** The first rows of a text, to compare delimiters by. `whole`: the text does not go on after its last row. */
export function parseSample(text: string, delimiter: Delimiter, whole: boolean): { rows: string[][]; torn: number } {
  const { data, errors } = parse(text.replace(/\r\n?/g, "\n"), delimiter, !whole);
  return { rows: data.filter((cells) => !isBlank(cells)), torn: errors.filter(({ row }) => row < data.length).length };
}

function parse(text: string, delimiter: Delimiter, ignoreLastRow: boolean): PapaResult {
  // A parser for each block: with a newline given it looks for none itself and keeps nothing between calls.
  return new Papa.Parser({ delimiter, newline: "\n", quoteChar: '"' }).parse(text, 0, ignoreLastRow);
}

interface Places {
  header: string[] | undefined;
  /** The numbers that the next row will have. */
  row: number;
  line: number;
}

interface BlockFacts {
  places: Places;
  /** Indexes of rows that Papa complained about; it only ever complains about quotation marks. */
  wrong: ReadonlySet<number>;
  /** Some row stands on several lines, or some line is none. */
  spread: boolean;
  /** The line breaks as they stand in the file; undefined when all are LF. */
  breaks: (() => string[]) | undefined;
}

/** Takes the heading and the blank lines out (in place) and numbers what stays. */
function placeRows(rows: string[][], facts: BlockFacts): Pick<RowBlock, "rows" | "first" | "lines" | "torn"> {
  const { places, wrong, spread } = facts;
  const start = places.line;
  const first = places.row;
  const lines: number[] = [];
  const torn = new Map<number, string>();
  let breaks: string[] | undefined;
  let kept = 0;
  for (let i = 0; i < rows.length; i++) {
    const cells = rows[i] as string[];
    const line = places.line;
    const inside = spread ? countInside(cells) : 0;
    if (inside > 0 && facts.breaks) {
      breaks ??= facts.breaks();
      putBack(cells, breaks, line - start);
    }
    places.line += inside + 1;
    if (isBlank(cells)) continue;
    if (!places.header) {
      if (wrong.has(i)) throw tornHeading(line);
      places.header = [...cells];
      continue;
    }
    if (wrong.has(i)) torn.set(kept, tornSentence(line, inside));
    rows[kept++] = cells;
    lines.push(line);
  }
  rows.length = kept;
  places.row += kept;
  return { rows, first, lines, torn };
}

/** A line without anything visible. A row of delimiters alone is a row: it is in the file, and its cells are empty. */
function isBlank(cells: readonly string[]): boolean {
  return cells.length === 1 && (cells[0] as string).trim() === "";
}

function countBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function countInside(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) if (cell.includes("\n")) count += countBreaks(cell, cell.length);
  return count;
}

/** Quoted line breaks as they stood in the file: `breaks[next]` is the first one of this row. */
function putBack(cells: string[], breaks: readonly string[], next: number): void {
  let at = next;
  for (const [i, cell] of cells.entries()) {
    if (cell.includes("\n")) cells[i] = cell.replace(/\n/g, () => breaks[at++] ?? "\n");
  }
}

/** Where the last `rest` characters of the plain text begin in the text as it stands, where CRLF counts two. */
function rawLength(given: string, rest: number): number {
  let at = given.length;
  for (let left = rest; left > 0; left--) {
    at--;
    if (given[at] === "\n" && given[at - 1] === "\r") at--;
  }
  return at;
}

function tornSentence(line: number, inside: number): string {
  const where = inside > 0 ? ` It makes lines ${number(line)} to ${number(line + inside)} one row.` : "";
  return `A quotation mark in this row is not closed, or not doubled within quoted text.${where}`;
}

function tornHeading(line: number): FileRefused {
  return new FileRefused(
    "The heading has a quotation mark that is not closed.",
    `Look at line ${number(line)} of the file: close the quotation mark or take it out.`,
  );
}

function endless(line: number): FileRefused {
  return new FileRefused(
    "A row of this file does not end.",
    `The row that begins on line ${number(line)} goes on for more than ${number(MAX_ROW_CHARS)} characters. ` +
      "A quotation mark in it is probably not closed: close it or take it out.",
  );
}

function number(n: number): string {
  return n.toLocaleString("en");
}
