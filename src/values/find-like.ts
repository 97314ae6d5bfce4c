// Matches names with what was typed: by the beginnings of words, however umlauts are written.

import { nameWords } from "../../core/text/fold.ts";
import { slips } from "../../core/text/similarity.ts";

const LEAST_WITH_TYPO = 5; // letters: in shorter words one other letter is another word

/**
 * Returns those of `all` that have a word for each that was typed. Only where there are none, one typo in each longer word is forgiven. Nothing
 * goes by a text without words.
 */
export function findLike<T>(typed: string, all: readonly T[], textOf: (one: T) => string): T[] {
  const words = nameWords(typed);
  if (words.length === 0) return typed === "" ? [...all] : [];
  const known = all.map((one) => ({ one, has: nameWords(textOf(one)) }));
  const found = (isLike: (word: string, known: string) => boolean) =>
    known.filter(({ has }) => words.every((word) => has.some((one) => isLike(word, one)))).map(({ one }) => one);
  const exact = found((word, one) => one.startsWith(word));
  return exact.length > 0 ? exact : found(isNear);
}

/** Says whether a word begins with what was typed, but for one slip. */
function isNear(typed: string, word: string): boolean {
  if (word.startsWith(typed)) return true;
  return typed.length >= LEAST_WITH_TYPO && [-1, 0, 1].some((more) => slips(typed, word.slice(0, typed.length + more), 1) <= 1);
}
