// Finds the values of a column that are most likely one value in several spellings, as OpenRefine clusters them.

import { fold } from "../../core/text/fold.ts";
import { slips } from "../../core/text/similarity.ts";

/** Values that are one, the commonest first. */
export interface Spellings {
  texts: {
    text: string;
    rows: number;
    /** It differs in case, accents, spaces or punctuation alone. Another has its words in another order, an umlaut as two letters, or one slip. */
    isSure: boolean;
  }[];
}

export const MOST_SPELLINGS = 100; // groups of a column that are shown at once
const SHORTEST = 5; // letters of a value in which one slip is believed
const LONGEST = 60; // letters of a value that is held beside others

/**
 * Groups the values of a column, those with the most rows to change first. Values without a letter are in none, because 1.5 is not 15, and
 * values that differ in their digits are never one.
 *
 * @example findSpellings(new Map([["Bonn", 9], ["bonn.", 1], ["Bon", 1]])) // [{ texts: [Bonn, bonn.] }]: three letters are too few for a slip
 */
export function findSpellings(values: ReadonlyMap<string, number>): Spellings[] {
  const groups = [...groupBy(values).values()].sort((one, other) => other.rows - one.rows);
  const near = createNeighbours(groups);
  const taken = new Set<Group>();
  const found: Spellings[] = [];
  for (const group of groups) {
    if (taken.has(group)) continue;
    taken.add(group);
    const others = near(group)
      .filter((one) => !taken.has(one))
      .sort((one, other) => other.rows - one.rows);
    for (const other of others) taken.add(other);
    const texts = [...sorted(group, true), ...others.flatMap((other) => sorted(other, false))];
    if (texts.length > 1) found.push({ texts });
  }
  const rowsToChange = ({ texts }: Spellings) => texts.slice(1).reduce((sum, { rows }) => sum + rows, 0);
  return found.sort((one, other) => rowsToChange(other) - rowsToChange(one)).slice(0, MOST_SPELLINGS);
}

/** Holds the values with one key. */
interface Group {
  key: string;
  /** Has the words of the first value in order, where Müller and Mueller are one. */
  words: string;
  digits: string;
  texts: [text: string, rows: number][];
  rows: number;
}

function groupBy(values: ReadonlyMap<string, number>): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const [text, rows] of values) {
    const key = keyOf(text);
    if (!/\p{L}/u.test(key)) continue;
    const group = groups.get(key) ?? { key, words: wordsIn(text), digits: key.replace(/[^\p{N}|]+/gu, " "), texts: [], rows: 0 };
    groups.set(key, group);
    group.texts.push([text, rows]);
    group.rows += rows;
  }
  return groups;
}

function sorted({ texts }: Group, isSure: boolean): Spellings["texts"] {
  return texts.sort(([, one], [, other]) => other - one).map(([text, rows]) => ({ text, rows, isSure }));
}

const BETWEEN_DIGITS = /(\p{N})[^\p{L}\p{N}]+(?=\p{N})/gu;
/** Other signs have a meaning: C is not C++. */
const PUNCTUATION = /[\s\p{Pd}.,;:'’`´"“”„«»()[\]_/]+/gu;

/** Keeps one sign for what stands between digits, because it parts numbers. */
function keyOf(text: string): string {
  return fold(text).replace(BETWEEN_DIGITS, "$1|").replace(PUNCTUATION, "");
}

function wordsIn(text: string): string {
  const words = fold(text).replace(BETWEEN_DIGITS, "$1|").split(PUNCTUATION).filter(Boolean);
  return words
    .map((word) => word.replace(/([aou])e/g, "$1"))
    .sort()
    .join(" ");
}

/** Finds groups whose words are those of another in another order, or whose keys are one slip apart: those share what is left without one letter. */
function createNeighbours(groups: readonly Group[]): (group: Group) => Group[] {
  const byTrace = new Map<string, Group[]>();
  const traces = new Map(groups.map((group) => [group, tracesOf(group)]));
  for (const [group, own] of traces)
    for (const trace of own) {
      const sharing = byTrace.get(trace);
      if (sharing) sharing.push(group);
      else byTrace.set(trace, [group]);
    }
  return (group) => {
    const sharing = new Set([...(traces.get(group) ?? [])].flatMap((trace) => byTrace.get(trace) ?? []));
    return [...sharing].filter((other) => other !== group && isNear(group, other));
  };
}

function tracesOf({ key, words }: Group): Set<string> {
  const traces = new Set([` ${words}`]); // no trace of letters begins with a space
  if (key.length < SHORTEST || key.length > LONGEST) return traces;
  traces.add(key);
  for (let i = 0; i < key.length; i++) traces.add(key.slice(0, i) + key.slice(i + 1));
  return traces;
}

function isNear(one: Group, other: Group): boolean {
  if (one.digits !== other.digits) return false;
  return one.words === other.words || (one.key.length >= SHORTEST && other.key.length >= SHORTEST && slips(one.key, other.key, 1) <= 1);
}
