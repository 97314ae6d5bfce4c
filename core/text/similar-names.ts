// Compares names of people and firms: whatever the order, accents, titles and a letter or two.

import { nameWords } from "./fold.ts";
import { slips } from "./similarity.ts";

/** Says how two names are alike. `letters`: how many are wrong, added, left out or swapped. */
export type NameLikeness =
  | { found: "same" | "swapped" | "longer" | "initials" | "part" | "different" }
  | { found: "letters"; letters: number };

/** A name that is ready to be compared: its words, all of them in one order, as they stand, and without spaces. */
export interface ComparedName {
  words: readonly string[];
  sorted: string;
  spaced: string;
  joined: string;
}

const TITLES = new Set(["dr", "prof", "mr", "mrs", "ms", "herr", "frau", "mme", "sr", "sra", "jr"]);
const WITH_TYPO = 4; // letters: in shorter words one other letter is another word
const WITH_TWO = 7;

/** Returns undefined for a name without words. Titles are left out where more is there. */
export function toComparedName(texts: readonly string[]): ComparedName | undefined {
  const all = texts.flatMap(wordsOf);
  const bare = all.filter((word) => !TITLES.has(word));
  const words = bare.length > 0 ? bare : all;
  if (words.length === 0) return undefined;
  return { words, sorted: [...words].sort().join(" "), spaced: words.join(" "), joined: words.join("") };
}

const MOST_KNOWN = 20_000; // texts
const LONGEST_KNOWN = 12; // UTF-16 units; a part of a file that is longer keeps the whole block of text in memory

const known = new Map<string, readonly string[]>();

/** Takes a name apart once: many people have the same ones, and a scan reads each several times. */
function wordsOf(text: string): readonly string[] {
  const found = known.get(text);
  if (found) return found;
  const words = nameWords(text.replace(/['’ʼ]/g, ""));
  if (text.length > LONGEST_KNOWN) return words;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, words);
  return words;
}

export function compareToName(one: ComparedName, other: ComparedName): NameLikeness {
  if (one.sorted === other.sorted) return { found: one.spaced === other.spaced ? "same" : "swapped" };
  if (one.joined === other.joined) return { found: "same" };
  const [few, many] = one.words.length <= other.words.length ? [one.words, other.words] : [other.words, one.words];
  const { exact, letters, initials, missing } = pairWords(few, many);
  if (missing === 0 && letters <= 2) {
    if (initials > 0) return exact > 0 ? { found: "initials" } : { found: "different" };
    if (few.length === many.length) return { found: "letters", letters };
    if (few.length > 1) return { found: "longer" };
  }
  return exact > 0 ? { found: "part" } : { found: "different" };
}

/** Finds for each of the fewer words its nearest among the others, each of which is taken once; the same word first. */
function pairWords(few: readonly string[], many: readonly string[]) {
  const left = [...many];
  const take = (isMeant: (word: string) => boolean): string | undefined => {
    const at = left.findIndex(isMeant);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const others = few.filter((word) => take((other) => other === word) === undefined);
  const counts = { exact: few.length - others.length, letters: 0, initials: 0, missing: 0 };
  if (few.every((word) => word.length < 2)) counts.exact = 0;
  for (const word of others) {
    const most = (other: string) => allowed(Math.min(word.length, other.length));
    const near = take((other) => slips(word, other, most(other)) <= most(other));
    if (near !== undefined) counts.letters += slips(word, near, 2);
    else if (take((other) => isInitial(word, other) || isInitial(other, word)) !== undefined) counts.initials++;
    else counts.missing++;
  }
  return counts;
}

function allowed(length: number): number {
  return length >= WITH_TWO ? 2 : length >= WITH_TYPO ? 1 : 0;
}

function isInitial(short: string, long: string): boolean {
  return short.length === 1 && long.length > 1 && long.startsWith(short);
}
