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
  /** Of BINARY-CHAR and the like. */
  isUnsigned?: boolean;
  redefines?: string;
  /** `dependingOn`: the name of the item that says how often. */
  occurs?: { times: number; isVariable: boolean; dependingOn?: string };
  sign?: { isLeading: boolean; isSeparate: boolean };
  values: Condition[];
  isJustified?: boolean;
  isSynchronized?: boolean;
  /** Of the lines above it and beside it. */
  comment: string;
}

export interface ReadEntries {
  entries: DataEntry[];
  /** Comments above the first entry. */
  title: string;
  /** What stands in it besides entries: the line, and its first word. */
  ignored: { line: number; word: string }[];
}

interface Token {
  text: string;
  line: number;
  isLiteral: boolean;
  /** A period after it ends the entry. */
  isLast: boolean;
}

export function readEntries(text: string): ReadEntries {
  const read: ReadEntries = { entries: [], title: "", ignored: [] };
  const above: { line: number; text: string }[] = [];
  let statement: Token[] = [];
  let comments: string[] = [];
  for (const { number, code, comment } of readSourceLines(text)) {
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

const TOKEN = /==.*?==|[XNZ]?(?:"(?:[^"]|"")*"?|'(?:[^']|'')*'?)|[^\s"']+/gi;

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
  else read.ignored.push({ line: first.line, word: first.text.toUpperCase() });
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
  "DISPLAY-1": "national",
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
  const rest = words.slice(isNamed ? 2 : 1);
  for (let i = 0; i < rest.length; ) i = readClause(rest, i, entry);
  return entry;
}

/** Returns where the next clause begins. */
function readClause(words: readonly Token[], at: number, entry: DataEntry): number {
  const word = wordAt(words, at);
  const next = (from: number) => (wordAt(words, from) === "IS" || wordAt(words, from) === "ARE" ? from + 1 : from);
  switch (word) {
    case "PIC":
    case "PICTURE":
      entry.picture = wordAt(words, next(at + 1));
      return next(at + 1) + 1;
    case "REDEFINES":
      entry.redefines = wordAt(words, at + 1);
      return at + 2;
    case "OCCURS":
      return readOccurs(words, at + 1, entry);
    case "VALUE":
    case "VALUES":
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
      if (usage) entry.usage = usage;
      return at + 1;
    }
  }
}

/** OCCURS 5 TIMES, OCCURS 0 TO 5 TIMES DEPENDING ON N. What comes after it (ASCENDING KEY, INDEXED BY) has no clause of ours. */
function readOccurs(words: readonly Token[], at: number, entry: DataEntry): number {
  const isRange = wordAt(words, at + 1) === "TO";
  const times = Number(wordAt(words, isRange ? at + 2 : at)) || 0;
  let end = isRange ? at + 3 : at + 1;
  const isVariable = isRange || words.slice(end, end + 3).some(({ text }) => text.toUpperCase() === "DEPENDING");
  const depending = words.findIndex(({ text }, i) => i >= end && text.toUpperCase() === "DEPENDING");
  const named = wordAt(words, depending + 1) === "ON" ? wordAt(words, depending + 2) : wordAt(words, depending + 1);
  entry.occurs = { times, isVariable, ...(depending >= 0 && isVariable && { dependingOn: named.replace(/\.$/, "") }) };
  while (end < words.length && !/^(PIC|PICTURE|USAGE|VALUE|COMP.*|BINARY.*|PACKED-DECIMAL|SIGN|DISPLAY)$/.test(wordAt(words, end))) end++;
  return end;
}

function readValues(words: readonly Token[], at: number, entry: DataEntry): number {
  let i = at;
  for (; i < words.length; i++) {
    const token = words[i] as Token;
    const word = token.text.toUpperCase();
    const last = entry.values.at(-1);
    if (!token.isLiteral && (word === "THRU" || word === "THROUGH") && last) {
      last.through = literalOf(words[++i]);
      continue;
    }
    if (word === "ALL" && !token.isLiteral) continue;
    if (!token.isLiteral && (CLAUSES.test(word) || usageOf(word))) break;
    entry.values.push({ from: literalOf(token) });
  }
  return i;
}

function literalOf(token: Token | undefined): string {
  if (!token) return "";
  if (!token.isLiteral) return token.text.toUpperCase();
  const [, quote = "", inner = ""] = /^[XNZ]?(["'])(.*?)\1?$/is.exec(token.text) ?? [];
  return inner.replaceAll(quote + quote, quote);
}

function wordAt(words: readonly Token[], at: number): string {
  const token = words[at];
  return token && !token.isLiteral ? token.text.toUpperCase() : "";
}
