// Makes the keys by which records that may be the same are found without comparing each with each.

import type { Comparer } from "../contract/duplicates.ts";
import type { ComparedName } from "../text/similar-names.ts";
import { type ComparedRecord, NameLater } from "./compare-records.ts";
import type { Match } from "./match.ts";

/** A key that more records have finds nobody: it is a common name, or the account of a shop. */
export const MOST_SHARING = 40;

/** So many keys there may be: they are whole numbers below it, and lie everywhere. */
export const NUMBER_OF_KEYS = 2 ** 52;

const MOST_WORDS = 3; // of a name, from which keys are made
const LAST_DIGITS = 7;
const LEAST_SHARE = 3; // a comparison that gives less than this part of `maybe` finds nobody by itself

type KeysOf = (value: string, name: ComparedName | undefined) => string[];

const KEYS: Record<Exclude<Comparer, "name">, KeysOf> = {
  exact: (value) => [value],
  phone: (digits) => [digits.slice(-LAST_DIGITS)],
  email: (address) => [address, address.slice(0, Math.max(0, address.lastIndexOf("@")))],
  letters: (text) => [text],
  // Many are born on one day, few of whom are called alike.
  date: (day, name) => (name ? [...new Set(name.words.slice(0, MOST_WORDS).map((word) => `${day} ${word[0]}`))] : [day]),
};

/** Returns the keys of a record, whole numbers that each mean a value. Records that are alike have one in common, as a rule. */
export function keysOf(match: Match, record: ComparedRecord): number[] {
  const names = match.comparisons.findIndex(({ as }) => as === "name");
  const named = record[names];
  const name = named instanceof NameLater ? named.name : undefined;
  const keys = new Set<number>();
  for (const [i, { fields, as, weight }] of match.comparisons.entries()) {
    const given = record[i];
    const value = given instanceof NameLater ? given.name : given;
    if (value === undefined || weight * LEAST_SHARE < match.maybe) continue;
    const texts = as === "name" ? keysOfName(value as ComparedName) : KEYS[as](value as string, name);
    for (const text of texts) if (text !== "") keys.add(numberOf(`${as} ${fields.join()} ${text}`));
  }
  return [...keys];
}

/**
 * Returns keys of the whole name, whatever its order, and each of its words with the first letter of another: so a slip in the other one is
 * forgiven.
 */
function keysOfName({ words, sorted }: ComparedName): string[] {
  const some = words.length <= MOST_WORDS ? words : [...words.slice(0, MOST_WORDS - 1), words.at(-1) as string];
  const pairs = some.flatMap((word, i) => some.flatMap((other, k) => (i === k || word.length < 2 ? [] : `${word}+${other[0]}`)));
  return [sorted, ...pairs];
}

/** Makes two hashes (FNV-1a, and the same from the other end) of 26 bits each: 52 bits, which every engine keeps exactly. */
function numberOf(text: string): number {
  let [one, other] = [0x811c9dc5, 0x811c9dc5];
  for (let i = 0; i < text.length; i++) {
    one = Math.imul(one ^ text.charCodeAt(i), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(text.length - 1 - i), 0x01000193);
  }
  return ((one ^ (one >>> 15)) & 0x3ffffff) * 0x4000000 + ((other ^ (other >>> 13)) & 0x3ffffff);
}
