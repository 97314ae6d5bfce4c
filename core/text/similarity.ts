// Measures how alike two names are, to ask "did you mean …?" and to match a file's headings. Decides nothing by itself.

import { fold } from "./fold.ts";

/** Returns a name without what people write in different ways: case, accents, spaces, hyphens, dots, underscores. */
export function bareName(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Returns the candidate that `name` most likely meant, or undefined: at most one slip in four letters, at most two in all. */
export function closest(name: string, candidates: readonly string[]): string | undefined {
  return closestOf(name, candidates)[0];
}

/**
 * Returns what the closest candidate means: candidate → meaning; where none is close, one that is the same word in another language.
 * Undefined when one with another meaning is just as close: then nobody knows which one was meant.
 */
export function closestAlone(name: string, meanings: ReadonlyMap<string, string>): string | undefined {
  const candidates = [...meanings.keys()];
  const close = closestOf(name, candidates);
  const found = close.length > 0 ? close : sameWords(name, candidates);
  const [meant, ...others] = new Set(found.map((candidate) => meanings.get(candidate)));
  return others.length === 0 ? meant : undefined;
}

/** Returns the candidates that are the same word from Latin or Greek, as another language of Europe writes it: Inaktiv and Inactive. */
function sameWords(name: string, candidates: readonly string[]): string[] {
  const { skeleton } = spellings(name.slice(0, 200));
  return WORD.test(skeleton) ? candidates.filter((candidate) => spellingsOfCandidate(candidate).skeleton === skeleton) : [];
}

const WORD = /^\p{L}{4,}$/u; // a code with digits is another one with each of them

/** Returns all that are as close as the closest one, in their order. */
function closestOf(name: string, candidates: readonly string[]): string[] {
  const given = spellings(name.slice(0, 200)); // names come from outside; the distance below costs length × length
  let best: string[] = [];
  let least = Math.min(2, Math.floor(given.bare.length / 4));
  for (const candidate of candidates) {
    const meant = spellingsOfCandidate(candidate);
    const distance = Math.min(slips(given.bare, meant.bare, least), slips(given.spelled, meant.spelled, least));
    if (distance > least) continue;
    if (distance < least) best = [];
    best.push(candidate);
    least = distance;
  }
  return best;
}

/** A name without its umlauts, and with the letters that stand for them where there are none: Jager and Jaeger are both Jäger. */
interface Spellings {
  bare: string;
  spelled: string;
  /** Is alike for words that differ only in how languages write the same sound: c and k, ph and f, one letter or two. */
  skeleton: string;
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

function spellings(name: string): Spellings {
  const spelled = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[äöüåø]/g, (letter) => UMLAUTS[letter] as string);
  const bare = bareName(name);
  return { bare, spelled: bareName(spelled), skeleton: skeletonOf(bare) };
}

function skeletonOf(bare: string): string {
  return bare.replaceAll("ph", "f").replace(/[kq]/g, "c").replaceAll("y", "i").replace(/(.)\1/gu, "$1").replace(/e$/, "");
}

const candidateSpellings = new Map<string, Spellings>();

/** Candidates are a dictionary's names, so they are few and asked for again with every name that is not among them. */
function spellingsOfCandidate(name: string): Spellings {
  const known = candidateSpellings.get(name);
  if (known !== undefined) return known;
  const made = spellings(name);
  candidateSpellings.set(name, made);
  return made;
}

/** Letters added, dropped, changed or swapped with their neighbour (optimal string alignment distance); some number above `most` if there are more. */
export function slips(a: string, b: string, most = 2): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const begin = sameBegin(a, b);
  const end = sameEnd(a, b, begin);
  const [one, other] = [a.slice(begin, a.length - end), b.slice(begin, b.length - end)];
  if (one === "" || other === "") return one.length + other.length;
  const isSwap = one.length === 2 && other.length === 2 && one[0] === other[1] && one[1] === other[0];
  // Both begin and end with another letter: one slip makes up for that only where nothing is between.
  if (most <= 1) return one.length + other.length === 2 || isSwap ? 1 : 2;
  return slipsOf(one, other, most);
}

function sameBegin(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** Counts the letters at the end that are the same, without those of the beginning. */
function sameEnd(a: string, b: string, begin: number): number {
  const most = Math.min(a.length, b.length) - begin;
  let count = 0;
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++;
  return count;
}

function slipsOf(a: string, b: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let nearest = i;
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(row, j - 1) + 1, at(last, j) + 1, at(last, j - 1) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, at(before, j - 2) + 1);
      row.push(least);
      nearest = Math.min(nearest, least);
    }
    if (nearest > most + 1) return most + 1; // a swap reaches back over one row
    before = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
