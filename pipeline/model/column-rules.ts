// Says what is done with whole columns while rows are read, as plain data for the journal and for recipes.

import { isObject } from "../../core/dictionary/fields.ts";

/**
 * A column is its index: first the columns of the file, then those that rules add, in their order. -1: the file lacks the
 * column; it reads as empty, and what would be written there is dropped.
 */
export type ColumnRule =
  /** Every hit in the cell. `isPattern`: `find` is a regular expression of ECMAScript with the flag u, and `to` may have $1. */
  | { do: "replace"; column: number; find: string; to: string; isPattern: boolean; ignoresCase: boolean }
  | { do: "case"; column: number; to: LetterCase }
  | { do: "trim"; column: number }
  /** Keeps 0 to 9 alone. */
  | { do: "digits"; column: number }
  /** A cell that has one of the texts alone, spaces around it aside, becomes the one that is meant. */
  | { do: "unite"; column: number; spellings: readonly SpellingRule[] }
  /** An empty cell takes the text of another column. */
  | { do: "fill"; column: number; from: number }
  /** `at`: every separator (the last new column gets what remains), or only the first or the last one. */
  | { do: "split"; column: number; separator: string; at: SplitAt; into: readonly string[] }
  /** Empty cells are left out, so no two separators meet. */
  | { do: "join"; columns: readonly number[]; separator: string; into: string }
  | { do: "constant"; value: string; into: string };

export interface SpellingRule {
  from: readonly string[];
  to: string;
}

export type LetterCase = "upper" | "lower" | "title";
export type SplitAt = "every" | "first" | "last";

export const MOST_COLUMN_RULES = 100;
export const MOST_SPLIT_COLUMNS = 20;
export const MOST_SPELLED = 2_000; // texts that one rule unites
export const MAX_RULE_TEXT = 1_000; // characters of a text in a rule

/** Returns the headings of the columns that the rules add, in order. */
export function addedColumns(rules: readonly ColumnRule[] = []): string[] {
  return rules.flatMap((rule) => (rule.do === "split" ? rule.into : rule.do === "join" || rule.do === "constant" ? rule.into : []));
}

/** Returns the indexes of the columns that have one text in every row. `width`: of the table, with the columns that the rules add. */
export function constantColumns(width: number, rules: readonly ColumnRule[]): number[] {
  const first = width - addedColumns(rules).length;
  return rules.flatMap((rule, i) => (rule.do === "constant" ? first + addedColumns(rules.slice(0, i)).length : []));
}

/** Returns undefined for a pattern that is no regular expression. A text is found as it stands. */
export function compileFind({ find, isPattern, ignoresCase }: Extract<ColumnRule, { do: "replace" }>): RegExp | undefined {
  const source = isPattern ? find : find.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  try {
    return new RegExp(source, ignoresCase ? "giu" : "gu");
  } catch {
    return undefined;
  }
}

/** Returns the patterns that somebody typed. Their time is not bounded, so they are tried or proved before a file is read with them. */
export function patternsOf(rules: readonly ColumnRule[] = []): RegExp[] {
  return rules.flatMap((rule) => (rule.do === "replace" && rule.isPattern ? (compileFind(rule) ?? []) : []));
}

/** Returns the rule with other columns. */
export function withColumns(rule: ColumnRule, move: (column: number) => number): ColumnRule {
  switch (rule.do) {
    case "replace":
    case "case":
    case "trim":
    case "digits":
    case "unite":
    case "split":
      return { ...rule, column: move(rule.column) };
    case "fill":
      return { ...rule, column: move(rule.column), from: move(rule.from) };
    case "join":
      return { ...rule, columns: rule.columns.map(move) };
    case "constant":
      return rule;
  }
}

/** Returns the columns that the rule reads or writes, without those that it adds. */
export function columnsOfRule(rule: ColumnRule): number[] {
  const columns: number[] = [];
  withColumns(rule, (column) => columns.push(column));
  return columns;
}

/** Says whether this is a list of rules for a table of `width` columns. A rule may use only columns that are there when it comes. */
export function areColumnRules(given: unknown, width: number): given is ColumnRule[] {
  if (!Array.isArray(given) || given.length > MOST_COLUMN_RULES) return false;
  let known = width;
  for (const rule of given as ColumnRule[]) {
    if (!isColumnRule(rule)) return false;
    const columns = columnsOfRule(rule);
    if (!columns.every((column) => Number.isSafeInteger(column) && column >= -1 && column < known)) return false;
    known += addedColumns([rule]).length;
  }
  return true;
}

const isText = (given: unknown): given is string => typeof given === "string" && given.length <= MAX_RULE_TEXT;
const isName = (given: unknown): given is string => isText(given) && given.trim() !== "";
const isFlag = (given: unknown) => typeof given === "boolean";
const CASES: Record<LetterCase, true> = { upper: true, lower: true, title: true };
const SPLITS: Record<SplitAt, true> = { every: true, first: true, last: true };

function areSpellings(given: unknown): boolean {
  if (!Array.isArray(given) || given.length === 0) return false;
  const isSpelling = (one: unknown): one is SpellingRule =>
    isObject(one) && Object.keys(one).sort().join() === "from,to" && isName(one.to) && Array.isArray(one.from) && one.from.every(isName);
  return given.every(isSpelling) && given.reduce((sum, { from }) => sum + from.length, 0) <= MOST_SPELLED;
}

type Parts<Name extends ColumnRule["do"]> = Record<keyof Extract<ColumnRule, { do: Name }>, (given: unknown) => boolean>;

const isPlace = (given: unknown) => typeof given === "number";
const isDone = () => true;
/** Each part of each rule, and whether it is as it must be. */
const RULES: { [Name in ColumnRule["do"]]: Parts<Name> } = {
  replace: {
    ...{ do: isDone, column: isPlace, isPattern: isFlag, ignoresCase: isFlag },
    find: (given) => isText(given) && given !== "",
    to: isText,
  },
  case: { do: isDone, column: isPlace, to: (given) => Object.hasOwn(CASES, String(given)) },
  trim: { do: isDone, column: isPlace },
  digits: { do: isDone, column: isPlace },
  unite: { do: isDone, column: isPlace, spellings: areSpellings },
  fill: { do: isDone, column: isPlace, from: isPlace },
  split: {
    ...{ do: isDone, column: isPlace, separator: (given) => isText(given) && given !== "" },
    at: (given) => Object.hasOwn(SPLITS, String(given)),
    into: (given) => Array.isArray(given) && given.length > 1 && given.length <= MOST_SPLIT_COLUMNS && given.every(isName),
  },
  join: {
    ...{ do: isDone, separator: isText, into: isName },
    columns: (given) => Array.isArray(given) && given.length > 1 && given.length <= MOST_SPLIT_COLUMNS && given.every(isPlace),
  },
  constant: { do: isDone, value: isText, into: isName },
};

function isColumnRule(given: unknown): boolean {
  if (typeof given !== "object" || given === null || !("do" in given) || !Object.hasOwn(RULES, String(given.do))) return false;
  const parts: Record<string, (one: unknown) => boolean> = RULES[given.do as ColumnRule["do"]];
  const isKnown = Object.keys(given).every((name) => Object.hasOwn(parts, name));
  const isRight = isKnown && Object.entries(parts).every(([name, is]) => is((given as Record<string, unknown>)[name]));
  return isRight && (given.do !== "replace" || compileFind(given as Extract<ColumnRule, { do: "replace" }>) !== undefined);
}
