// Splits a copybook into lines of code and comments, in fixed or free source format.

export interface SourceLine {
  /** Is counted from 1. */
  number: number;
  code: string;
  comment: string;
  /** Holds, in the fixed format, text behind column 72 that is no number or mark of the line, so that a compiler would not see it. */
  isCut?: string;
}

const TAB = 8;
const WIDEST = 80; // columns of a punched card
const [INDICATOR, LAST] = [6, 72]; // columns of the fixed format, counted from 0: the indicator, and where the code ends

/** Returns the lines in order. A literal that goes on in the next line is joined. */
export function readSourceLines(text: string): SourceLine[] {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map(expandTabs);
  const isFixed = looksFixed(lines);
  const read: SourceLine[] = [];
  for (const [i, line] of lines.entries()) {
    const indicator = isFixed ? (line[INDICATOR] ?? " ") : " ";
    const given = isFixed ? line.slice(INDICATOR + 1, LAST) : line;
    if (/[*/Dd$]/.test(indicator) || /^\s*(\*|>>)/.test(given)) {
      const isDebugging = /[Dd$]/.test(indicator);
      read.push({ number: i + 1, code: "", comment: isDebugging ? "" : given.replace(/^\s*(\*>?|>>.*)/, "").trim() });
      continue;
    }
    const { code, comment } = splitComment(given);
    const before = read.at(-1);
    if (indicator === "-" && before) before.code = joinLiteral(before.code, code);
    else read.push({ number: i + 1, code, comment });
    const behind = isFixed ? line.slice(LAST).trim() : "";
    const last = read.at(-1);
    if (
      last &&
      (line.length > WIDEST || /[.,]$|\b(PIC(TURE)?|VALUES?|OCCURS|REDEFINES|COMP|USAGE)\b/i.test(behind)) &&
      comment === "" &&
      behind !== ""
    )
      last.isCut = behind;
  }
  return read;
}

/** In the fixed format the first six columns are blank or a number of the line, and the seventh says what the line is. */
function looksFixed(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== "" && !/^\s*\*>/.test(line));
  return written.every((line) => /^( {6}|[^ ]{6}|[0-9 ]{6})[ *\-/Dd$]/.test(line.padEnd(INDICATOR + 1)) && !/^ {1,5}\d/.test(line));
}

function expandTabs(line: string): string {
  let expanded = "";
  for (const character of line) expanded += character === "\t" ? " ".repeat(TAB - (expanded.length % TAB)) : character;
  return expanded.trimEnd();
}

/** `*>` begins a comment, unless it stands in a literal. */
function splitComment(line: string): { code: string; comment: string } {
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const character = line[i] as string;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (line.startsWith("*>", i)) return { code: line.slice(0, i).trimEnd(), comment: line.slice(i + 2).trim() };
  }
  return { code: line.trimEnd(), comment: "" };
}

function joinLiteral(before: string, code: string): string {
  const rest = code.trimStart();
  return before + (/^["']/.test(rest) ? rest.slice(1) : rest);
}
