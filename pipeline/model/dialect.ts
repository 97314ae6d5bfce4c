// Says how a file is written: encoding, delimiter, quote, heading.

/** Labels of the Encoding Standard (https://encoding.spec.whatwg.org), and two code pages of DOS. */
export const ENCODINGS = [
  "UTF-8",
  "UTF-16LE",
  "UTF-16BE",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-874",
  "ISO-8859-2",
  "ISO-8859-15",
  "macintosh",
  "KOI8-R",
  "Shift_JIS",
  "GB18030",
  "Big5",
  "EUC-KR",
  "IBM850",
  "IBM852",
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The usual delimiters. Others are found when nothing else fits, or typed by hand. */
export const USUAL_DELIMITERS = [",", ";", "\t", "|"] as const;
export type UsualDelimiter = (typeof USUAL_DELIMITERS)[number];

/** One to eight characters without a quotation mark or a line break. */
export type Delimiter = string;

export function isDelimiter(text: unknown): text is Delimiter {
  return typeof text === "string" && text.length > 0 && text.length <= 8 && !/["'\r\n\ufeff]/.test(text);
}

/**
 * Holds what encloses a cell. `lines`: double quotation marks, but every line is a row, and a mark without a partner on its line is
 * text. `wrapped`: every line stands in quotation marks as a whole; without them it is read as with `"`. `none`: every mark is
 * text. `backslash`: double quotation marks; one within a cell has a backslash before it.
 */
export const QUOTES = ['"', "'", "lines", "backslash", "wrapped", "none"] as const;
export type Quote = (typeof QUOTES)[number];

export interface Dialect {
  encoding: Encoding;
  bom: boolean;
  delimiter: Delimiter;
  quote: Quote;
  /** The physical line of the heading, from 1; the lines above it are not read. 0: the file has no heading. */
  headingLine: number;
  /** Says how many empty cells beyond the heading most rows have; no other row may have any. Undefined: every row may have any number. */
  padding?: number;
  /** Rows that look like no data, such as totals, are refused. Undefined in plans of earlier versions, which send what they sent. */
  hasSuspects?: true;
  /** Rows of nothing but empty cells are left out, as blank lines are. Undefined in plans of earlier versions, which count them. */
  skipsEmpty?: true;
  /** The sheet with the rows. Only for workbooks: then a line is a row of the sheet, and the rest is for the errors file. */
  sheet?: string;
  /** The workbook counts days from 1904, as Excel for Mac did. */
  is1904?: true;
  /** The packed file with the rows; "" in a gzip file without a name. Only for archives. */
  entry?: string;
  /** The columns, by the keys of the records. Only for JSON Lines: the rest is for the errors file. */
  keys?: readonly string[];
  /** Cells mean what they say: a point is a decimal sign, and an apostrophe before a formula is part of the text. */
  isExact?: true;
}

/** Holds what the user chose about a file. The rest is detected. */
export type Choices = Partial<Omit<Dialect, "bom" | "padding" | "hasSuspects" | "skipsEmpty" | "is1904" | "keys" | "isExact">>;

/** Holds what splits text into rows and cells. */
export type RowDialect = Pick<Dialect, "delimiter" | "quote" | "headingLine" | "skipsEmpty">;
