// Splits text into rows where PapaParse cannot: backslashes before marks, spaces before an opening one.

export interface Split {
  data: string[][];
  /** Rows with a quotation mark that is not closed, or not doubled within quoted text. */
  errors: { row: number }[];
  meta: { cursor: number };
  /** Counts the rows that have a space before an opening mark. */
  spaced?: number;
}

export interface SplitOptions {
  delimiter: string;
  mark: '"' | "'";
  /** A backslash before a mark, a backslash, a delimiter or a line break makes it text. */
  hasBackslash: boolean;
  /** Spaces before an opening mark are left out. Such a mark must be closed before the next delimiter, else it is text. */
  allowsSpace: boolean;
}

const NEWLINE = 10;
const NULL = "\\N"; // no value, as databases write it that have backslashes before marks
const MOST_SPACED = 20_000; // UTF-16 units of a quoted cell behind a space; a longer one is text

interface Cell {
  text: string;
  /** The place of the delimiter, of the line break or of the end of the text. */
  end: number;
  isWrong?: boolean;
  isSpaced?: boolean;
}

/** Says whether `splitRows` must read the text because a space stands before what may be an opening mark. */
export function hasSpacedQuote(text: string, delimiter: string, mark: string): boolean {
  if (delimiter.startsWith(" ")) return false;
  const end = delimiter.charCodeAt(delimiter.length - 1);
  for (let at = text.indexOf(` ${mark}`); at !== -1; at = text.indexOf(` ${mark}`, at + 2)) {
    let before = at;
    while (text[before] === " ") before--;
    const code = text.charCodeAt(before);
    if (before < 0 || code === NEWLINE || (code === end && text.endsWith(delimiter, before + 1))) return true;
  }
  return false;
}

/**
 * Lines end with LF. Without the two options it splits as PapaParse does. `ignoreLastRow`: the text goes on, so the row that it
 * ends in is not read; `meta.cursor` is its beginning.
 */
export function splitRows(text: string, options: SplitOptions, ignoreLastRow: boolean): Split {
  const { delimiter } = options;
  const data: string[][] = [];
  const errors: { row: number }[] = [];
  let spaced = 0;
  let start = 0;
  while (start < text.length) {
    const cells: string[] = [];
    let isSpaced = false;
    let at = start;
    for (;;) {
      const cell = readCell(text, at, options, ignoreLastRow);
      if (!cell) return { data, errors, meta: { cursor: start }, spaced };
      cells.push(cell.text);
      if (cell.isWrong && errors.at(-1)?.row !== data.length) errors.push({ row: data.length });
      isSpaced ||= cell.isSpaced ?? false;
      at = cell.end;
      if (at >= text.length || text[at] === "\n") break;
      at += delimiter.length;
    }
    if (at >= text.length && ignoreLastRow) return { data, errors, meta: { cursor: start }, spaced };
    data.push(cells);
    if (isSpaced) spaced++;
    start = at + 1;
    if (start === text.length && !ignoreLastRow) data.push([""]); // as PapaParse: nothing after the last line break
  }
  return { data, errors, meta: { cursor: Math.min(start, text.length) }, spaced };
}

/** Returns undefined where the cell does not end in this text, which goes on. */
function readCell(text: string, at: number, options: SplitOptions, goesOn: boolean): Cell | undefined {
  if (text[at] === options.mark) return readQuoted(text, at, options, goesOn);
  if (options.allowsSpace && text[at] === " ") {
    let open = at + 1;
    while (text[open] === " ") open++;
    if (text[open] === options.mark) {
      const quoted = readQuoted(text, open, options, false, open + MOST_SPACED);
      if (!quoted.isWrong) return { ...quoted, isSpaced: true };
      if (goesOn && text.length < open + MOST_SPACED && quoted.end >= text.length) return undefined;
    }
  }
  return readPlain(text, at, options);
}

function readPlain(text: string, at: number, { delimiter, hasBackslash }: SplitOptions): Cell {
  let end = at;
  for (; end < text.length && text[end] !== "\n" && !text.startsWith(delimiter, end); end++) {
    if (hasBackslash && text[end] === "\\") end++;
  }
  end = Math.min(end, text.length);
  const raw = text.slice(at, end);
  return { text: raw === NULL && hasBackslash ? "" : hasBackslash ? unescaped(raw, delimiter) : raw, end };
}

/** `until`: a mark behind a space is an opening one only when it is rightly closed before this place. */
function readQuoted(text: string, open: number, options: SplitOptions, goesOn: false, until?: number): Cell;
function readQuoted(text: string, open: number, options: SplitOptions, goesOn: boolean, until?: number): Cell | undefined;
function readQuoted(text: string, open: number, options: SplitOptions, goesOn: boolean, until?: number): Cell | undefined {
  const { delimiter, mark, hasBackslash } = options;
  let isWrong = false;
  for (let at = open + 1; at < Math.min(text.length, until ?? text.length); at++) {
    if (hasBackslash && text[at] === "\\") at++;
    else if (text[at] !== mark) {
      if (hasBackslash) continue;
      const next = text.indexOf(mark, at);
      if (next === -1) break;
      at = next - 1;
    } else if (text[at + 1] === mark) at++;
    else {
      let end = at + 1;
      while (text[end] === " " && !text.startsWith(delimiter, end)) end++;
      if (end >= text.length || text[end] === "\n" || text.startsWith(delimiter, end)) {
        return { text: withoutMarks(text.slice(open + 1, at), options), end, isWrong };
      }
      isWrong = true;
      if (until !== undefined) return { text: "", end: at, isWrong };
    }
  }
  return goesOn ? undefined : { text: withoutMarks(text.slice(open + 1), options), end: text.length, isWrong: true };
}

function withoutMarks(raw: string, { delimiter, mark, hasBackslash }: SplitOptions): string {
  if (hasBackslash) return unescaped(raw, delimiter, mark);
  return raw.includes(mark + mark) ? raw.replaceAll(mark + mark, mark) : raw;
}

/** A backslash before any other character is a backslash: `C:\data`. In a quoted cell a doubled mark is one mark, too. */
function unescaped(text: string, delimiter: string, doubled?: string): string {
  if (!text.includes("\\") && !(doubled && text.includes(doubled + doubled))) return text;
  return text.replace(/\\([\s\S])|""|''/g, (whole, next?: string) => {
    if (next === undefined) return doubled && whole.startsWith(doubled) ? doubled : whole;
    return "\"'\\\n".includes(next) || delimiter.startsWith(next) ? next : whole;
  });
}
