// Measures how alike two names are, to ask "did you mean …?" and to match a file's headings. Decides nothing by itself.

import { fold } from "./fold.ts";

/** A name without what people write in different ways: case, accents, spaces, hyphens, dots, underscores. */
export function bareName(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The candidate that `name` most likely meant, or undefined: at most one slip in four letters, at most two in all. */
export function closest(name: string, candidates: readonly string[]): string | undefined {
  return closestOf(name, candidates)[0];
}

/**
 * Returns what the closest candidate means: candidate → meaning. Undefined when one with another meaning is just as close: then nobody knows
 * which one was meant.
 */
export function closestAlone(name: string, meanings: ReadonlyMap<string, string>): string | undefined {
  const [meant, ...others] = new Set(closestOf(name, [...meanings.keys()]).map((candidate) => meanings.get(candidate)));
  return others.length === 0 ? meant : undefined;
}

/** All that are as close as the closest one, in their order. */
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
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

function spellings(name: string): Spellings {
  const spelled = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[äöüåø]/g, (letter) => UMLAUTS[letter] as string);
  return { bare: bareName(name), spelled: bareName(spelled) };
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
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(row, j - 1) + 1, at(last, j) + 1, at(last, j - 1) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, at(before, j - 2) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
