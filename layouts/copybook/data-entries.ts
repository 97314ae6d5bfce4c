// Reads the data description entries of a copybook: level, name and clauses.

import { readSourceLines } from "./source-lines.ts";

export const COBOL_USAGES = [
  "display",
  "packed",
  "packed-unsigned",
  "binary",
  "native",
  "exact-binary",
  "char",
  "short",
  "long",
  "double-long",
  "float",
  "double",
  "national",
  "dbcs",
  "pointer",
] as const;
export type CobolUsage = (typeof COBOL_USAGES)[number];

/** The text of a literal, a figurative constant such as SPACES, or the two ends of a THRU. */
export interface Condition {
  from: string;
  through?: string;
}

export interface DataEntry {
  line: number;
  level: number;
  /** "FILLER" when it has none. */
  name: string;
  picture?: string;
  usage?: CobolUsage;
  /** Only BINARY-CHAR and the like have it. */
  isUnsigned?: boolean;
  redefines?: string;
  /** `dependingOn`: the name of the item that says how often. */
  occurs?: { times: number; isVariable: boolean; dependingOn?: string };
  sign?: { isLeading: boolean; isSeparate: boolean };
  values: Condition[];
  isJustified?: boolean;
  isSynchronized?: boolean;
  /** Joins the comments above it and beside it. */
  comment: string;
}

export interface ReadEntries {
  entries: DataEntry[];
  /** Comments above the first entry. */
  title: string;
  /** Holds what stands in it besides entries: the line, its first word, and how many entries stand above it. */
  ignored: { line: number; word: string; after: number }[];
}

/** The text is no copybook that a compiler accepts: an entry would swallow the next one, for example. */
export class WrongCopybook extends Error {
  override name = "WrongCopybook";
}

interface Token {
  text: string;
  line: number;
  isLiteral: boolean;
  /** A period after it ends the entry. */
  isLast: boolean;
}

/** Throws WrongCopybook. */
export function readEntries(text: string): ReadEntries {
  const read: ReadEntries = { entries: [], title: "", ignored: [] };
  const above: { line: number; text: string }[] = [];
  let statement: Token[] = [];
  let comments: string[] = [];
  for (const { number, code, comment, isCut } of readSourceLines(text)) {
    if (isCut)
      throw new WrongCopybook(
        `Line ${number} goes on behind column 72, where the fixed format ends: “${isCut}” would be lost. Break the line.`,
      );
    const [, directive] = statement.length === 0 ? (DIRECTIVE.exec(code) ?? []) : [];
    if (directive) {
      read.ignored.push({ line: number, word: directive.toUpperCase(), after: read.entries.length });
      continue;
    }
    if (code.trim() === "") {
      if (/[A-Za-z0-9]/.test(comment)) above.push({ line: number, text: comment });
      continue;
    }
    if (statement.length === 0) comments = takeAbove(above, read);
    for (const token of tokensOf(code, number)) {
      statement.push(token);
      if (!token.isLast) continue;
      addStatement(statement, comments, read);
      [statement, comments] = [[], []];
    }
    const last = read.entries.at(-1);
    if (/[A-Za-z0-9]/.test(comment) && last && statement.length === 0) last.comment = joined([last.comment, comment]);
    else if (comment !== "") comments.push(comment);
    if (read.ignored.some(({ word }) => word === "PROCEDURE")) break;
  }
  if (statement.length > 0) addStatement(statement, comments, read);
  return read;
}

/** Lines for a listing, and inclusions that have no period. */
const DIRECTIVE = /^\s*(SKIP[123]|EJECT|\+\+INCLUDE|-INC)\b/i;

/** The comments above the first entry are about the whole record. */
function takeAbove(above: { text: string }[], read: ReadEntries): string[] {
  const texts = above.splice(0).map(({ text }) => text);
  if (read.entries.length > 0) return texts;
  read.title = joined([read.title, ...texts]);
  return [];
}

function joined(texts: readonly string[]): string {
  return texts
    .map((text) => text.replace(/^[-*=#\s]+|[-*=#\s]+$/g, ""))
    .filter((text) => text !== "")
    .join(" ");
}

const TOKEN = /==.*?==|(?:NX|[XNZG])?(?:"(?:[^"]|"")*"?|'(?:[^']|'')*'?)|[^\s"']+/gi;

function tokensOf(code: string, line: number): Token[] {
  const tokens: Token[] = [];
  for (const [given] of code.matchAll(TOKEN)) {
    const isLiteral = /["']/.test(given);
    if (isLiteral) {
      tokens.push({ text: given, line, isLiteral, isLast: false });
      continue;
    }
    const isLast = given.endsWith(".");
    const text = given.replace(/[.,;]$/, "");
    const before = tokens.at(-1);
    if (text !== "") tokens.push({ text, line, isLiteral: false, isLast });
    else if (isLast && before) before.isLast = true;
    else if (isLast) tokens.push({ text: "", line, isLiteral: false, isLast });
  }
  return tokens;
}

function addStatement(tokens: Token[], comments: readonly string[], read: ReadEntries): void {
  const words = tokens.filter(({ text }) => text !== "");
  const [first] = words;
  if (!first) return;
  if (/^(\d{1,2})$/.test(first.text) && !first.isLiteral) read.entries.push(readEntry(words, joined(comments)));
  else {
    const word = first.text.toUpperCase();
    const next = INCLUDES.test(word) ? words.findIndex((_, i) => i > 0 && beginsEntry(words, i)) : -1;
    if (next > 0) throw lacksPeriod(words, next);
    read.ignored.push({ line: first.line, word, after: read.entries.length });
  }
}

/** Statements that bring in text from elsewhere. */
export const INCLUDES = /^(COPY|EXEC|REPLACE|\+\+INCLUDE|-INC)$/;

/** Is true of a level number at the beginning of a line, with a name behind it. */
function beginsEntry(words: readonly Token[], at: number): boolean {
  const [before, token, name] = [words[at - 1], words[at], words[at + 1]];
  const isNamed = name !== undefined && !name.isLiteral && /[A-Z]/i.test(name.text) && !/^THR(U|OUGH)$/i.test(name.text);
  return !token?.isLiteral && LEVEL.test(token?.text ?? "") && before?.line !== token?.line && isNamed;
}

const LEVEL = /^(0?[1-9]|[1-4]\d|66|77|78|88)$/;

/** `at`: a word that has no business there. Where a level number begins a line, the entry above it is not ended. */
function lacksPeriod(words: readonly Token[], at: number): WrongCopybook {
  const next = words.findIndex((_, i) => i > 0 && i <= at && beginsEntry(words, i));
  const last = words[next - 1];
  if (next > 0 && last)
    return new WrongCopybook(`Line ${last.line} lacks its period: the entry in line ${words[next]?.line} would be swallowed.`);
  const word = words[at];
  return new WrongCopybook(
    `Line ${word?.line}: ${word?.text} is not understood here. Look for a period that is missing or a word that is wrong.`,
  );
}

const USAGES: Record<string, CobolUsage> = {
  DISPLAY: "display",
  COMP: "binary",
  "COMP-1": "float",
  "COMP-2": "double",
  "COMP-3": "packed",
  "COMP-4": "binary",
  "COMP-5": "native",
  "COMP-6": "packed-unsigned",
  "COMP-X": "exact-binary",
  BINARY: "binary",
  "PACKED-DECIMAL": "packed",
  "BINARY-CHAR": "char",
  "BINARY-SHORT": "short",
  "BINARY-LONG": "long",
  "BINARY-DOUBLE": "double-long",
  "FLOAT-SHORT": "float",
  "FLOAT-LONG": "double",
  NATIONAL: "national",
  "DISPLAY-1": "dbcs",
  INDEX: "pointer",
  POINTER: "pointer",
};

const CLAUSES =
  /^(PIC|PICTURE|REDEFINES|OCCURS|USAGE|VALUES?|SIGN|LEADING|TRAILING|JUST|JUSTIFIED|SYNC|SYNCHRONIZED|BLANK|IS|GLOBAL|EXTERNAL|RENAMES)$/;

function usageOf(word: string): CobolUsage | undefined {
  const name = word.replace(/^COMPUTATIONAL/, "COMP");
  return Object.hasOwn(USAGES, name) ? USAGES[name] : undefined;
}

function readEntry(words: readonly Token[], comment: string): DataEntry {
  const [level, second] = words as [Token, Token?];
  const entry: DataEntry = { line: level.line, level: Number(level.text), name: "FILLER", values: [], comment };
  const isNamed = second && !second.isLiteral && !CLAUSES.test(second.text.toUpperCase()) && !usageOf(second.text.toUpperCase());
  if (isNamed) entry.name = second.text.toUpperCase();
  if (isNamed && !/[A-Z]/.test(entry.name)) throw lacksPeriod(words, 1);
  if (entry.level === 66 || entry.level === 78) return entry;
  for (let i = isNamed ? 2 : 1; i < words.length; ) i = readClause(words, i, entry);
  return entry;
}

/** Returns where the next clause begins. */
function readClause(words: readonly Token[], at: number, entry: DataEntry): number {
  const word = wordAt(words, at);
  const next = (from: number) => (wordAt(words, from) === "IS" || wordAt(words, from) === "ARE" ? from + 1 : from);
  switch (word) {
    case "PIC":
    case "PICTURE":
      if (entry.picture !== undefined || entry.level === 88) throw lacksPeriod(words, at);
      entry.picture = wordAt(words, next(at + 1));
      return next(at + 1) + 1;
    case "REDEFINES":
      if (entry.redefines !== undefined) throw lacksPeriod(words, at);
      entry.redefines = wordAt(words, at + 1);
      return at + 2;
    case "OCCURS":
      if (entry.occurs) throw lacksPeriod(words, at);
      return readOccurs(words, at + 1, entry);
    case "VALUE":
    case "VALUES":
      if (entry.values.length > 0) throw lacksPeriod(words, at);
      return readValues(words, next(at + 1), entry);
    case "LEADING":
    case "TRAILING":
      entry.sign = { isLeading: word === "LEADING", isSeparate: wordAt(words, at + 1) === "SEPARATE" };
      return at + 1;
    case "JUST":
    case "JUSTIFIED":
      entry.isJustified = true;
      return at + 1;
    case "SYNC":
    case "SYNCHRONIZED":
      entry.isSynchronized = true;
      return at + 1;
    case "UNSIGNED":
      entry.isUnsigned = true;
      return at + 1;
    default: {
      const usage = usageOf(word);
      if (usage ? entry.usage !== undefined && entry.usage !== usage : !NOISE.test(word)) throw lacksPeriod(words, at);
      if (usage) entry.usage = usage;
      return at + 1;
    }
  }
}

/** Words of clauses that say nothing about bytes, or belong to a clause that is read. */
const NOISE =
  /^(IS|ARE|USAGE|SIGN|SEPARATE|CHARACTER|RIGHT|LEFT|BLANK|WHEN|ZEROE?S?|GLOBAL|EXTERNAL|SIGNED|VOLATILE|GROUP-USAGE|BYTE-LENGTH)$/;

/** Reads OCCURS 5 TIMES, OCCURS 0 TO 5 TIMES DEPENDING ON N. Keys and indexes are passed over. */
function readOccurs(words: readonly Token[], at: number, entry: DataEntry): number {
  const isRange = wordAt(words, at + 1) === "TO";
  const times = Number(wordAt(words, isRange ? at + 2 : at)) || 0;
  let end = isRange ? at + 3 : at + 1;
  const skip = (word: RegExp) => {
    if (!word.test(wordAt(words, end))) return false;
    end++;
    return true;
  };
  const skipNames = () => {
    while (
      isName(wordAt(words, end)) &&
      !CLAUSES.test(wordAt(words, end)) &&
      !usageOf(wordAt(words, end)) &&
      !/^(ASCENDING|DESCENDING|INDEXED)$/.test(wordAt(words, end))
    )
      end++;
  };
  skip(/^TIMES$/);
  let dependingOn: string | undefined;
  if (skip(/^DEPENDING$/)) {
    skip(/^ON$/);
    dependingOn = wordAt(words, end++);
    while (skip(/^(OF|IN)$/)) end++;
  }
  for (;;) {
    if (skip(/^(ASCENDING|DESCENDING)$/)) skip(/^KEY$/);
    else if (!skip(/^INDEXED$/)) break;
    skip(/^(IS|BY)$/);
    skipNames();
  }
  entry.occurs = { times, isVariable: isRange || dependingOn !== undefined, ...(dependingOn !== undefined && { dependingOn }) };
  return end;
}

function isName(word: string): boolean {
  return /[A-Z]/.test(word) && /^[A-Z0-9:_#@$()-]+$/.test(word);
}

/** An 88 level may have several. */
function readValues(words: readonly Token[], at: number, entry: DataEntry): number {
  let i = at;
  for (; i < words.length; i++) {
    const token = words[i] as Token;
    const word = wordAt(words, i);
    const last = entry.values.at(-1);
    if ((word === "THRU" || word === "THROUGH") && last) {
      last.through = literalOf(words[++i]);
      continue;
    }
    if (word === "ALL") continue;
    if (entry.level === 88 && (word === "WHEN" || word === "FALSE")) return words.length; // what SET … TO FALSE stores
    if (!token.isLiteral && !/^[+-]?[\d.,]+$/.test(word) && !FIGURATIVE.test(word)) break;
    if (beginsEntry(words, i) && last) break;
    if (last && entry.level !== 88) break;
    entry.values.push({ from: literalOf(token) });
  }
  return i;
}

const FIGURATIVE = /^(SPACES?|ZERO(E?S)?|LOW-VALUES?|HIGH-VALUES?|QUOTES?|NULLS?)$/;

function literalOf(token: Token | undefined): string {
  if (!token) return "";
  if (!token.isLiteral) return token.text.toUpperCase();
  const [, quote = "", inner = ""] = /^(?:NX|[XNZG])?(["'])(.*?)\1?$/is.exec(token.text) ?? [];
  return inner.replaceAll(quote + quote, quote);
}

function wordAt(words: readonly Token[], at: number): string {
  const token = words[at];
  return token && !token.isLiteral ? token.text.toUpperCase() : "";
}
