// Detects encoding, delimiter, quote and heading from the beginning of a file.

import { t, tNumber } from "../../core/i18n/translate.ts";
import type { Choices, Delimiter, Dialect, Quote } from "../model/dialect.ts";
import { FileError, loadFailed } from "../model/file-error.ts";
import { parseSample, type SampleRow } from "../reading/csv-rows.ts";
import { countControls, detectEncoding, type EncodingFound, FEW_CONTROLS, findWrongByte, hasMark } from "../reading/encoding.ts";
import { findKeys, isJsonLines } from "../reading/json-lines.ts";
import { readSlice, readText } from "../reading/text-blocks.ts";
import { type CountNames, guessHeading, usualWidth } from "./detect-header.ts";
import type { PlausibleEncoding } from "./legacy-encodings.ts";

export interface Detected {
  dialect: Dialect;
  /** Says how the encoding is known. Continues "Read as UTF-8, because …". */
  why: string;
  /** The encodings in which the file reads as well, the one of the dialect first; a person must choose. Empty where it is sure. */
  plausible: PlausibleEncoding[];
  /** The first lines that are not blank, for choosing the heading. */
  firstLines: { line: number; text: string }[];
}

const HEAD_BYTES = 64 * 1024;
const LARGE_HEAD_BYTES = 1024 * 1024; // when the first 64 KiB have fewer than three lines
const SAMPLE_ROWS = 200;
const SHOWN_LINES = 10;
// They are tried in this order when two fit equally well: a comma is more often part of a name than a tab is.
const DELIMITERS: readonly Delimiter[] = ["\t", "|", ";", ","];
// They are tried when none of those fits. They stand in texts, too, so every row must agree.
const RARE_DELIMITERS: readonly Delimiter[] = ["||", ";;", "::", "\u001f", "^", "~", "#", ":", " "];

// These are beginnings of files that are no tables. Few files have one: the code that names them is loaded only then.
const ODD_BYTE = (byte: number) => byte < 9 || (byte > 13 && byte < 32) || byte > 126;
const ODD_TEXT = /^\s*(?:[%<[{]|begin:v)|progid=|schemas-microsoft-com/i;

/** Goes by the first bytes of a file and, once it is known, by its text. Throws FileError for one that is no table. */
async function rejectOthers(bytes: Uint8Array, text?: string): Promise<void> {
  const start = text?.slice(0, 1000) ?? String.fromCharCode(...bytes.subarray(0, 1));
  const hasOdd = text === undefined ? bytes.subarray(0, 24).some(ODD_BYTE) : countControls(text) > FEW_CONTROLS;
  const isOdd = hasOdd || ODD_TEXT.test(start);
  if (!isOdd) return;
  const { rejectOtherFiles, rejectOtherTexts } = await import("../reading/wrong-files.ts").catch(loadFailed);
  if (text === undefined) rejectOtherFiles(bytes);
  else rejectOtherTexts(text);
}

/** Detects only what the user has not chosen. Throws FileError for an empty file and for one that is not CSV. */
export async function detectDialect(file: Blob, choices: Choices = {}, countNames: CountNames = () => 0): Promise<Detected> {
  const bytes = await readSlice(file, 0, LARGE_HEAD_BYTES);
  await rejectOthers(bytes);
  const { plausible, ...found } = await findEncoding(bytes, bytes.length === file.size, choices);
  let text = await firstText(file, found, HEAD_BYTES);
  if (file.size > HEAD_BYTES && text.split(/[\r\n]+/, 4).length < 4) text = await firstText(file, found, LARGE_HEAD_BYTES);
  if (text.trim() === "") throw await emptyRefused(file, found);
  const { encoding, bom, why } = found;
  const isTable = (choices.delimiter ?? choices.quote ?? choices.headingLine) !== undefined;
  if (!isTable && isJsonLines(text)) {
    const keys = await findKeys(readText(file, found));
    const form = { delimiter: ",", quote: '"', headingLine: 1, keys, isExact: true } as const;
    return { dialect: { encoding, bom, ...form }, why, firstLines: [], plausible };
  }
  await rejectOthers(bytes, text);
  const whole = file.size <= HEAD_BYTES;
  const unwrapped = await unwrapIf(text, whole, choices.quote, countNames);
  text = unwrapped ?? text;
  const separator = readSeparatorLine(text);
  const given = choices.delimiter ?? separator;
  const delimiterFor = (each: Quote) => given ?? detectDelimiter(text, whole, { quote: each, countNames });
  const quote =
    unwrapped === undefined
      ? (choices.quote ?? detectQuote(text, (each) => countMisfits(parseSample(text, delimiterFor(each), each, whole))))
      : "wrapped";
  const delimiter = delimiterFor(quote);
  const rows = parseSample(text, delimiter, quote, whole).rows.slice(separator ? 1 : 0, SAMPLE_ROWS);
  const headingLine = choices.headingLine ?? guessHeading(rows, countNames);
  const padding = detectPadding(rows, headingLine);
  return {
    dialect: { encoding, bom, delimiter, quote, headingLine, padding, hasSuspects: true, skipsEmpty: true },
    why,
    firstLines: firstLinesOf(text),
    plausible,
  };
}

const WRAPPED_LINE = /^"[^"]*(?:""[^"]*)*"[ \t]*[\r\n]/;

/** Few files begin with a line that is one quoted cell, so the code for them is loaded only then. */
async function unwrapIf(text: string, whole: boolean, quote: Quote | undefined, countNames: CountNames): Promise<string | undefined> {
  if (quote ? quote !== "wrapped" : !WRAPPED_LINE.test(text)) return undefined;
  const { unwrapHead } = await import("./wrapped-head.ts").catch(loadFailed);
  return unwrapHead(text, whole, countNames, quote !== undefined);
}

/** UTF-8 is decided by the first 64 KiB when they have letters. An older encoding by the first MiB: the more letters, the surer. */
async function findEncoding(
  bytes: Uint8Array,
  isAll: boolean,
  { encoding }: Choices,
): Promise<EncodingFound & { plausible: PlausibleEncoding[] }> {
  if (encoding) return { encoding, bom: hasMark(bytes, encoding), why: t("you chose it"), plausible: [] };
  const found = detectEncoding(bytes, isAll);
  if (found) return { ...found, plausible: [] };
  const { rankEncodings } = await import("./legacy-encodings.ts").catch(loadFailed);
  const ranked = rankEncodings(bytes);
  const [best, ...others] = ranked;
  const { line = 1 } = findWrongByte(bytes, isAll) ?? {};
  const why =
    others.length > 0
      ? t("line {line} has bytes that are not UTF-8; other encodings are as likely", { line: tNumber(line) })
      : t("line {line} has bytes that are not UTF-8, and its words are right that way", { line: tNumber(line) });
  return { encoding: best?.encoding ?? "windows-1252", bom: false, why, plausible: others.length > 0 ? ranked : [] };
}

/** Decodes as if the file went on, so that an incomplete character at the end of the head is no mistake. */
async function firstText(file: Blob, found: Pick<EncodingFound, "encoding">, length: number): Promise<string> {
  for await (const { text } of readText(file, found, length)) return text;
  return "";
}

async function emptyRefused(file: Blob, found: Pick<EncodingFound, "encoding">): Promise<FileError> {
  if (file.size === 0) return new FileError(t("This file is empty."), t("It has no heading and no rows. Choose another file."));
  for await (const { text } of readText(file, found)) {
    if (text.trim() === "") continue;
    return new FileError(t("This file begins with thousands of blank lines."), t("Delete them, then choose the file again."));
  }
  return new FileError(t("This file is empty."), t("It has only blank lines. Choose another file."));
}

/** Reads Excel's own first line, which names the delimiter and is no row. */
function readSeparatorLine(text: string): Delimiter | undefined {
  const named = /^"?sep=(.)"?[\r\n]/i.exec(text)?.[1];
  return DELIMITERS.find((delimiter) => delimiter === named);
}

/**
 * Apostrophes are quotes only when most lines have a cell in apostrophes and no line has one in quotation marks. Marks and delimiters
 * within cells have backslashes when so every row is right, and otherwise not; or when each apostrophe has one, or a cell is `\N`, and
 * so no more rows are wrong. `countMisfits`: rows that are wrong when read so.
 */
function detectQuote(text: string, countMisfits: (quote: Quote) => number): Quote {
  const lines = text.split(/[\r\n]+/, SAMPLE_ROWS).filter((line) => line.trim() !== "");
  const wrapped = (mark: string) => lines.filter((line) => new RegExp(`(^|[,;\t|])${mark}[^${mark}]+${mark}([,;\t|]|$)`).test(line)).length;
  if (wrapped("'") > lines.length / 2 && wrapped('"') === 0) return "'";
  const isSure = NULL_CELL.test(text) || (text.includes("\\'") && !/(?<!\\)'/.test(text));
  if (!isSure && !/\\["',;\t|]/.test(text)) return '"';
  const [misfits, others] = [countMisfits("backslash"), countMisfits('"')];
  return (isSure && misfits <= others) || (misfits === 0 && others > 0) ? "backslash" : '"';
}

const NULL_CELL = /(?:^|[,;\t|])\\N(?=[,;\t|\r\n]|$)/m;

/** Counts malformed rows, and rows of another width than most. */
function countMisfits({ rows, malformed }: { rows: readonly SampleRow[]; malformed: number }): number {
  const width = usualWidth(rows);
  return malformed + rows.filter(({ cells }) => cells.length !== width && isFilled(cells)).length;
}

function isFilled(cells: readonly string[]): boolean {
  return cells.length > 1 && cells.every((cell) => cell.trim() !== "");
}

/** Counts the empty cells that most rows have beyond the heading. */
function detectPadding(rows: readonly SampleRow[], headingLine: number): number {
  const heading = headingLine > 0 ? rows.find(({ line }) => line === headingLine) : rows[0];
  const width = heading?.cells.length ?? 0;
  const below = rows.filter(({ line }) => line > headingLine);
  const usual = usualWidth(below);
  const isPadded =
    usual > width && below.every(({ cells }) => cells.length !== usual || cells.slice(width).every((cell) => cell.trim() === ""));
  return isPadded && 2 * below.filter(({ cells }) => cells.length === usual).length > below.length ? usual - width : 0;
}

/**
 * Returns the delimiter with which most rows are equally wide and the heading names fields. Without any, the file has one column.
 * `whole`: the text ends after its last row.
 */
export function detectDelimiter(
  text: string,
  whole: boolean,
  { quote = '"', countNames = () => 0 }: { quote?: Quote; countNames?: CountNames } = {},
): Delimiter {
  let best: Delimiter = ",";
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const sample = parseSample(text, delimiter, quote, whole);
    const rows = sample.rows.slice(0, SAMPLE_ROWS);
    const width = Math.max(2, usualWidth(rows));
    const similar = rows.filter(({ cells }) => cells.length === width).length;
    if (similar === 0) continue;
    const named = Math.max(...rows.slice(0, 30).map(({ cells }) => (cells.length > 1 ? countNames(cells) / cells.length : 0)));
    const share = (similar - sample.malformed - rows.filter(hasHalfQuote).length / 2) / rows.length + named;
    if (share > most) [best, most] = [delimiter, share];
  }
  const rare = RARE_DELIMITERS.filter((delimiter) => most === 0 || delimiter === best + best);
  return rare.find((delimiter) => isInEveryRow(parseSample(text, delimiter, quote, whole), delimiter, countNames)) ?? best;
}

/** Every row is as wide, and the heading names fields or there are at least three columns. */
function isInEveryRow({ rows, malformed }: ReturnType<typeof parseSample>, delimiter: Delimiter, countNames: CountNames): boolean {
  const [heading] = rows;
  const width = heading?.cells.length ?? 1;
  if (!heading || rows.length < 3 || malformed > 0 || rows.some(({ cells }) => cells.length !== width)) return false;
  const isDoubled = delimiter.length === 2;
  const isUsual = width >= 3 || countNames(heading.cells) === width || (isDoubled && width === 2);
  return width > 1 && isUsual && heading.cells.every((cell) => cell.trim() !== "");
}

/** Is true of a quoted text that a delimiter cuts in two. It is only a hint, because `5" pipe` looks the same. */
function hasHalfQuote({ cells }: SampleRow): boolean {
  return cells.some((cell) => cell.includes('"') && cell.split('"').length % 2 === 0);
}

function firstLinesOf(text: string): Detected["firstLines"] {
  const lines = text.split(/\r\n?|\n/, 200).map((line, i) => ({ line: i + 1, text: line.trim().slice(0, 80) }));
  return lines.filter((line) => line.text !== "").slice(0, SHOWN_LINES);
}
