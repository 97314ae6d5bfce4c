// Splits text blocks into rows of cells, with row and line numbers. The only file that uses PapaParse.

import Papa from "papaparse";
import { t, tCount } from "../../core/i18n/translate.ts";
import type { Delimiter, Quote, RowDialect } from "../model/dialect.ts";
import type { Malformed, RowMode, Unreadable } from "../model/plan.ts";
import { countLineEnds, WRONG_BYTES } from "./encoding.ts";
import { countBreaks, countInside, putBack, rawLength, skipLines } from "./lines.ts";
import { QuoteWatch } from "./quote-watch.ts";
import { isEmptyRow } from "./row-shape.ts";
import { hasSpacedQuote, type Split, splitRows } from "./split-rows.ts";
import {
  cellsOfLine,
  endlessRow,
  findCut,
  hasInnerQuote,
  malformedHeadingError,
  malformedRowMessage,
  type StrayQuotes,
  unclearLineMessage,
} from "./stray-quotes.ts";
import type { TextBlock } from "./text-blocks.ts";
import { damaged, NULS } from "./wrong-files.ts";

export const MAX_ROW_CHARS = 1_000_000; // UTF-16 units; a longer "row" has a quotation mark that is not closed

/** DOS's end of a text, with which CP/M also filled up its last block. */
const CTRL_Z = "\x1a";

export interface RowBlock {
  /** The cells of the heading, the same array in every block. Without a heading “Column 1”, “Column 2” and so on. */
  header: readonly string[];
  /** Cells exactly as in the file, without enclosing quotation marks. May be empty. */
  rows: string[][];
  /** The number of `rows[0]`. Rows count from 1 after the heading; blank lines do not count, nor rows that the dialect leaves out. */
  first: number;
  /** The physical line on which each row begins. The file's first line is 1. */
  lines: number[];
  /** Rows with wrong quotation marks, and rows that look like no data: index in `rows` → what is wrong. */
  malformed: ReadonlyMap<number, Malformed>;
  /** Says what to do with each row, instead of the plan's mode. Only for files that say it. */
  modes?: readonly (RowMode | undefined)[];
  /** Tells of all rows so far. */
  strayQuotes: StrayQuotes | undefined;
  /** Sentences about all rows so far. */
  notes?: readonly string[];
  bytesRead: number;
  /** Bytes that were unpacked so far; without it the file is not packed. */
  unpacked?: number;
}

/**
 * Lines end with LF, CRLF or CR, in any mixture; a quoted line break stays as it is. Rows of any width pass. Uses Papa.Parser
 * with an own buffer, because Papa's file readers split characters at the edge of a slice.
 */
export async function* parseRows(blocks: AsyncIterable<TextBlock>, given: RowDialect): AsyncGenerator<RowBlock> {
  const dialect: RowDialect = given.quote === "wrapped" ? { ...given, quote: '"' } : given; // the blocks come without outer marks
  const places: Places = { header: undefined, row: 1, line: 1, spaced: 0, quotes: new QuoteWatch(dialect), dialect };
  const { delimiter, quote, headingLine } = dialect;
  let raw = ""; // what comes after the last complete row
  let enough = 0;
  for await (const { text, bytesRead, last } of blocks) {
    if (text.includes(NULS)) throw damaged(places.line + countLineEnds(raw + text.slice(0, text.indexOf(NULS))));
    raw += text;
    if (last) while (raw.endsWith(CTRL_Z)) raw = raw.slice(0, -1);
    if (places.line < headingLine) {
      const { rest, skipped } = skipLines(raw, headingLine - places.line, last);
      raw = rest;
      places.line += skipped;
      if (places.line < headingLine) continue; // a file that ends above its heading has no rows
    }
    // A row that is longer than a block is parsed again only when it has doubled, so that its cost stays linear.
    if (!last && raw.length < enough) continue;
    const cutCr = !last && raw.endsWith("\r") ? 1 : 0; // perhaps the first half of CRLF
    const whole = cutCr ? raw.slice(0, -1) : raw;
    const plain = whole.includes("\r") ? whole.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : whole;
    const { data, errors, meta, spaced = 0 } = parse(plain, delimiter, quote, !last);
    places.spaced += spaced;
    const used = last ? plain.length : meta.cursor;
    enough = data.length === 0 ? 2 * raw.length : 0;
    const lineBreaks = countBreaks(plain, used);
    const block = placeRows(data, {
      places,
      text: plain,
      wrong: new Set(errors.map(({ row }) => row)),
      spread: lineBreaks + Number(last) !== data.length,
      breaks: whole === plain ? undefined : () => whole.match(/\r\n?|\n/g) ?? [],
    });
    raw = raw.slice(whole === plain ? used : rawLength(whole, plain.length - used));
    if (raw.length > MAX_ROW_CHARS && !last) throw endlessRow(places.line, MAX_ROW_CHARS);
    if (places.header) yield { ...block, header: places.header, strayQuotes: places.quotes.found, notes: notesOn(places), bytesRead };
  }
}

export interface SampleRow {
  cells: string[];
  /** The physical line on which it begins. */
  line: number;
}

/** Reads the first rows of a text without blank lines, to compare dialects. `whole`: the text ends after its last row. */
export function parseSample(text: string, delimiter: Delimiter, quote: Quote, whole: boolean): { rows: SampleRow[]; malformed: number } {
  const { data, errors } = parse(text.replace(/\r\n?/g, "\n"), delimiter, quote, !whole);
  const rows: SampleRow[] = [];
  let line = 1;
  for (const cells of data) {
    if (!isBlank(cells)) rows.push({ cells, line });
    line += 1 + countInside(cells);
  }
  return { rows, malformed: errors.filter(({ row }) => row < data.length).length };
}

function parse(text: string, delimiter: Delimiter, quote: Quote, ignoreLastRow: boolean): Split {
  if (quote === "wrapped") return parse(text, delimiter, '"', ignoreLastRow);
  if (quote === "lines") return parseLines(text, delimiter, ignoreLastRow);
  if (quote === "backslash") {
    return splitRows(text, { delimiter, mark: '"', hasBackslash: true, allowsSpace: !delimiter.startsWith(" ") }, ignoreLastRow);
  }
  if (quote !== "none" && hasSpacedQuote(text, delimiter, quote)) {
    return splitRows(text, { delimiter, mark: quote, hasBackslash: false, allowsSpace: true }, ignoreLastRow);
  }
  // Each block has a parser: with a given newline it does not guess one and keeps nothing between calls.
  const settings = quote === "none" ? { fastMode: true } : { quoteChar: quote };
  const split: Split = new Papa.Parser({ delimiter, newline: "\n", ...settings }).parse(text, 0, ignoreLastRow);
  if (quote !== "'" || split.errors.length === 0 || !text.includes("\\'")) return split;
  const escaped = splitRows(text, { delimiter, mark: quote, hasBackslash: true, allowsSpace: false }, ignoreLastRow);
  return escaped.errors.length === 0 ? escaped : split;
}

function parseLines(text: string, delimiter: Delimiter, ignoreLastRow: boolean): Split {
  const lines = text.split("\n");
  const ignored = ignoreLastRow ? (lines.pop() ?? "").length : 0;
  const errors: Split["errors"] = [];
  const data = lines.map((line, row) => {
    if (!line.includes('"')) return line.split(delimiter);
    const { cells, isUnclear } = cellsOfLine(line, delimiter);
    if (isUnclear) errors.push({ row });
    return cells;
  });
  return { data, errors, meta: { cursor: text.length - ignored } };
}

interface Places {
  header: string[] | undefined;
  /** The numbers of the next row. */
  row: number;
  line: number;
  /** Rows with a space before an opening quotation mark. */
  spaced: number;
  quotes: QuoteWatch;
  dialect: RowDialect;
}

function notesOn({ spaced }: Places): string[] {
  if (spaced === 0) return [];
  return [
    tCount(
      spaced,
      "In {n} row a space stands before a quotation mark. What the marks enclose was read as one cell, without them.",
      "In {n} rows a space stands before a quotation mark. What the marks enclose was read as one cell, without them.",
    ),
  ];
}

interface BlockFacts {
  places: Places;
  /** The text of the rows, with LF. */
  text: string;
  /** Indexes of rows that Papa reported. It only reports quotation marks. */
  wrong: ReadonlySet<number>;
  /** Some row spans several lines, or some line has no row. */
  spread: boolean;
  /** The line breaks as in the file; undefined when all are LF. */
  breaks: (() => string[]) | undefined;
}

/** Begins some files of Excel. Above a heading it is left out with all that stands there. */
const SEPARATOR_LINE = /^"?sep=(.)"?$/i;

/** Removes the heading and blank lines (in place) and numbers the rest. */
function placeRows(rows: string[][], facts: BlockFacts): Pick<RowBlock, "rows" | "first" | "lines" | "malformed"> {
  const { places, wrong, spread, text } = facts;
  const start = places.line;
  const first = places.row;
  const lines: number[] = [];
  const malformed = new Map<number, Malformed>();
  const { quote } = places.dialect;
  const mayBeCut = (quote === '"' || quote === "backslash") && hasInnerQuote(text, places.dialect.delimiter);
  const isDamaged = text.includes(WRONG_BYTES);
  let breaks: string[] | undefined;
  let textLines: string[] | undefined;
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const cells = rows[i] as string[];
    const line = places.line;
    const inside = spread ? countInside(cells) : 0;
    if (inside > 0 && facts.breaks) {
      breaks ??= facts.breaks();
      putBack(cells, breaks, line - start);
    }
    places.line += inside + 1;
    if (isBlank(cells) || (places.dialect.skipsEmpty && !wrong.has(i) && isEmptyRow(cells))) continue;
    if (!places.header) {
      const { headingLine, delimiter } = places.dialect;
      if (headingLine === 0 && line === 1 && SEPARATOR_LINE.test(cells.join(delimiter))) continue;
      if (wrong.has(i) && headingLine > 0) throw malformedHeadingError(line);
      places.header = headingLine > 0 ? [...cells] : cells.map((_, at) => t("Column {n}", { n: at + 1 }));
      places.quotes.width = places.header.length;
      if (headingLine > 0) continue;
    }
    const isWrong = wrong.has(i);
    const why = isWrong
      ? malformedRowMessage(line, inside, places.dialect.quote)
      : mayBeCut && isCut(cells, facts)
        ? unclearLineMessage()
        : undefined;
    if (why !== undefined) malformed.set(count, why);
    if (isDamaged && cells.some((cell) => cell.includes(WRONG_BYTES))) malformed.set(count, wrongBytes());
    if (isWrong || inside > 0) {
      textLines ??= text.split("\n");
      places.quotes.see(textLines.slice(line - start, line - start + inside + 1), line, isWrong);
    } else places.quotes.learn(cells);
    rows[count++] = cells;
    lines.push(line);
  }
  rows.length = count;
  places.row += count;
  return { rows, first, lines, malformed };
}

export function wrongBytes(): Unreadable {
  const message = t("This row has bytes that are not UTF-8; they are shown as {sign}. Type the right text, or choose another encoding.", {
    sign: WRONG_BYTES,
  });
  return { code: "BYTES", message };
}

/** Is true of two cells that were one quoted text. The text is asked, too, because a cell in marks may hold the same. */
function isCut(cells: readonly string[], { places, text }: BlockFacts): boolean {
  const cut = findCut(cells);
  if (!cut) return false;
  const { delimiter } = places.dialect;
  const together = cells.slice(cut[0], cut[1] + 1).join(delimiter);
  for (let at = text.indexOf(together); at !== -1; at = text.indexOf(together, at + 1)) {
    const end = at + together.length;
    if (end === text.length || text[end] === "\n" || text.startsWith(delimiter, end)) return true;
  }
  return false;
}

/** Is true of a line with nothing visible. A line of delimiters alone is a row of empty cells. */
function isBlank(cells: readonly string[]): boolean {
  return cells.length === 1 && (cells[0] as string).trim() === "";
}
