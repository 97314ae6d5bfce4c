// How a file is written: encoding, delimiter, text quote, heading. The words for what is detected and may be chosen; decides nothing.

/** Names of the Encoding Standard (https://encoding.spec.whatwg.org); TextDecoder reads them in any case. */
export const ENCODINGS = [
  "UTF-8",
  "UTF-16LE",
  "UTF-16BE",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "ISO-8859-2",
  "ISO-8859-15",
  "macintosh",
  "KOI8-R",
  "Shift_JIS",
  "GB18030",
  "Big5",
  "EUC-KR",
] as const;
export type Encoding = (typeof ENCODINGS)[number];

export type Delimiter = "," | ";" | "\t" | "|";

/**
 * What holds a cell together. `lines`: double quotation marks, but every line is a row, and a mark that has no partner
 * on its line is text. `none`: every mark is text.
 */
export type Quote = '"' | "'" | "lines" | "none";

export interface Dialect {
  encoding: Encoding;
  bom: boolean;
  delimiter: Delimiter;
  quote: Quote;
  /** The physical line on which the heading begins, from 1; what stands above it is left out. 0: the file has no heading. */
  headingLine: number;
}

/** What the user has chosen about a file; the rest is detected. */
export type Choices = Partial<Omit<Dialect, "bom">>;

/** What the rows are cut by, once the bytes are text. */
export type RowDialect = Pick<Dialect, "delimiter" | "quote" | "headingLine">;
