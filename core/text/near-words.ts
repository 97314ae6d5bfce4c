// Finds what people may have meant by a word that no record has: one letter wrong, ue for ü, or a space forgotten.

import { fold } from "./fold.ts";

const SHORTEST = 3; // letters; almost every shorter word is one letter from another
const LONGEST = 24; // letters; a longer word has too many neighbours

/**
 * Lists whatever one slip makes of a folded word, also of one with ue for ü: a letter too many, too few, another, or two swapped; a space
 * forgotten ("obrien"). Each is one word, or several that all have to occur.
 */
export function neighboursOf(word: string): string[][] {
  const letters = [...word];
  if (letters.length < SHORTEST || letters.length > LONGEST || !/\p{L}/u.test(word)) return [];
  const spellings = spellingsOf(word);
  const found = new Set(spellings);
  for (const one of [word, ...spellings]) addSlips(one, found);
  found.delete(word);
  const parts = letters.slice(1).map((_, i) => [letters.slice(0, i + 1).join(""), letters.slice(i + 1).join("")]);
  return [...[...found].map((other) => [other]), ...parts];
}

function addSlips(word: string, found: Set<string>): void {
  const letters = [...word];
  const alphabet = alphabetOf(word);
  const put = (at: number, count: number, text: string) =>
    found.add([...letters.slice(0, at), text, ...letters.slice(at + count)].join(""));
  for (let at = 0; at <= letters.length; at++) {
    for (const letter of alphabet) put(at, 0, letter);
    if (at === letters.length) break;
    put(at, 1, "");
    for (const letter of alphabet) put(at, 1, letter);
    if (at > 0) put(at - 1, 2, `${letters[at]}${letters[at - 1]}`);
  }
}

const WITHOUT_SIGN: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };

/** Returns the other ways in which the umlauts of a typed word are written, folded: `Müller` gives mueller, and `Mueller` gives muller, as Müller is folded. */
export function spellingsOf(typed: string): string[] {
  const lower = typed.normalize("NFC").toLowerCase();
  const folded = fold(lower);
  const spelled = fold(lower.replace(/[äöüøå]/g, (letter) => WITHOUT_SIGN[letter] ?? letter));
  const all = folded.replace(/([aou])e|aa/g, (pair, letter) => letter ?? pair.slice(1));
  const likely = folded.replace(/oe|(?<![aeioq])ue|(?<!a)ae/g, (pair) => pair.slice(0, 1)); // not in Bauer, Queen
  return [...new Set([spelled, all, likely])].filter((other) => other !== folded);
}

/** Each word is of one script as a rule. Scripts of syllables or ideographs have too many signs to try. */
const ALPHABETS: readonly { script: RegExp; letters: string }[] = [
  { script: /[0-9]/, letters: "0123456789" },
  { script: /[a-z]/, letters: "abcdefghijklmnopqrstuvwxyz" },
  { script: /\p{Script=Greek}/u, letters: range(0x3b1, 0x3c9) },
  { script: /\p{Script=Cyrillic}/u, letters: range(0x430, 0x44f) },
  { script: /\p{Script=Hebrew}/u, letters: range(0x5d0, 0x5ea) },
  { script: /\p{Script=Arabic}/u, letters: range(0x627, 0x64a) },
];

function alphabetOf(word: string): string {
  return ALPHABETS.map(({ script, letters }) => (script.test(word) ? letters : "")).join("");
}

/** Returns the letters between two code points, both included. */
function range(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join("");
}
