// How a file is written: encoding, delimiter, quote, heading.

/** Labels of the Encoding Standard (https://encoding.spec.whatwg.org). */
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
 * What encloses a cell. `lines`: double quotation marks, but every line is a row, and a mark without a partner on its line is
 * text. `none`: every mark is text.
 */
export type Quote = '"' | "'" | "lines" | "none";

export interface Dialect {
  encoding: Encoding;
  bom: boolean;
  delimiter: Delimiter;
  quote: Quote;
  /** The physical line of the heading, from 1; the lines above it are not read. 0: the file has no heading. */
  headingLine: number;
  /** The sheet with the rows. Only for workbooks: then a line is a row of the sheet, and the rest is for the errors file. */
  sheet?: string;
  /** The packed file with the rows; "" in a gzip file without a name. Only for archives. */
  entry?: string;
}

/** What the user chose about a file. The rest is detected. */
export type Choices = Partial<Omit<Dialect, "bom">>;

/** What splits text into rows and cells. */
export type RowDialect = Pick<Dialect, "delimiter" | "quote" | "headingLine">;
