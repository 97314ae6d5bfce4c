// "Did you mean …?": searches that find something and are near one that was typed.

import type { Collection } from "../../core/dictionary/collections.ts";
import { fold } from "../../core/text/fold.ts";
import { neighboursOf, spellingsOf } from "../../core/text/near-words.ts";
import { isDate, labelsOf, searchedFields, searchWord, valuesIn } from "./search-words.ts";

/** ms. What was meant is a help, for which nobody shall wait long, nor the service work long. */
export const NEAR_BUDGET = 1_000;

const MOST_WORDS = 4; // of a search; more are a text that was pasted
const MOST_NEAR = 3;
const SAMPLE = 200; // records, in which the near words are counted
const SHORTEST_BEGIN = 4; // letters; fewer begin too many words

export interface NearQuery {
  /** Holds the words as they were typed; folded, they are letters and digits. */
  words: readonly string[];
  /** The search itself found something: only other spellings of umlauts are wanted. */
  isFound: boolean;
}

/** A folded word, or the beginning of one. */
export interface NearTerm {
  word: string;
  isBegin: boolean;
}

/** Ways to meet one part of a search. Each is met by all of its terms together. */
export type NearGroup = readonly (readonly NearTerm[])[];

type AnyRecord = Readonly<Record<string, unknown>>;

/** Finds up to `most` records that meet every group, whichever come first. */
export type FindNear = (groups: readonly NearGroup[], most: number) => Promise<readonly AnyRecord[]>;

/** A part of a search: a typed word, or what may stand in its place. */
interface Part {
  typed: string;
  group: NearGroup;
  isNear: boolean;
}

/** Lists the likeliest first. Asks the index as many questions as there are words, and at most as many again and three. */
export async function nearSearches(collection: Collection, query: NearQuery, find: FindNear): Promise<string[]> {
  const typed = query.words;
  if (typed.length === 0 || typed.length > MOST_WORDS || searchedFields(collection).length === 0) return [];
  for await (const parts of query.isFound ? respelled(typed) : attempts(typed, find)) {
    const records = await find(
      parts.map(({ group }) => group),
      SAMPLE,
    );
    const searches = likeliest(collection, parts, records, query.isFound);
    if (searches.length > 0) return searches;
  }
  return [];
}

function asTyped(typed: string): Part {
  return { typed, group: [[{ word: searchWord(fold(typed)), isBegin: true }]], isNear: false };
}

function near(typed: string, anyOf: readonly (readonly string[])[]): Part {
  return { typed, group: anyOf.map(termsOf), isNear: true };
}

/** Only the last of several words may be a beginning: in "o brien" the o is whole. */
function termsOf(words: readonly string[]): NearTerm[] {
  return words.map((word, at) => ({ word, isBegin: at === words.length - 1 && word.length >= SHORTEST_BEGIN }));
}

/** Drops the words that begin with another one: what meets "smith" meets "smit*", too. */
export function withoutCovered(group: NearGroup): NearGroup {
  const begins = new Set(group.flatMap(([term, ...more]) => (term?.isBegin && more.length === 0 ? [term.word] : [])));
  const isCovered = (word: string) =>
    Array.from({ length: Math.max(0, word.length - SHORTEST_BEGIN) }, (_, i) => word.slice(0, SHORTEST_BEGIN + i)).some((begin) =>
      begins.has(begin),
    );
  return group.filter(([term, ...more]) => more.length > 0 || !term || !isCovered(term.word));
}

function* respelled(typed: readonly string[]): Generator<Part[]> {
  for (const [at, word] of typed.entries()) {
    const others = spellingsOf(word);
    if (others.length > 0)
      yield typed.map((one, i) =>
        i === at
          ? near(
              one,
              others.map((other) => [other]),
            )
          : asTyped(one),
      );
  }
}

async function* attempts(typed: readonly string[], find: FindNear): AsyncGenerator<Part[]> {
  for (let at = 1; at < typed.length; at++) {
    const joined = near(`${typed[at - 1]}${typed[at]}`, [[searchWord(fold(`${typed[at - 1]}${typed[at]}`))]]);
    yield [...typed.slice(0, at - 1).map(asTyped), joined, ...typed.slice(at + 1).map(asTyped)];
  }
  const isKnown: boolean[] = [];
  for (const word of typed) isKnown.push((await find([asTyped(word).group], 1)).length > 0);
  const neighbours = typed.map((word) => near(word, neighboursOf(searchWord(fold(word)))));
  const isHopeless = neighbours.some(({ group }, at) => !isKnown[at] && group.length === 0);
  if (isKnown.includes(false) && !isHopeless) {
    yield typed.map((word, at) => (isKnown[at] ? asTyped(word) : (neighbours[at] as Part)));
  }
  if (isKnown.includes(false)) return;
  // Each word is somewhere, but no record has them all. The longest is most often the wrong one.
  const byLength = [...neighbours.entries()].sort(([, a], [, b]) => b.typed.length - a.typed.length);
  for (const [at, part] of byLength) if (part.group.length > 0) yield typed.map((word, i) => (i === at ? part : asTyped(word)));
}

/** Lists the searches that these records would answer, those of more records first. Words that are near as a whole count more. */
function likeliest(collection: Collection, parts: readonly Part[], records: readonly AnyRecord[], isRespelled: boolean): string[] {
  const found = new Map<string, { text: string; weight: number }>();
  const matchers = parts.map(({ typed, group, isNear }) => (isNear ? matcherOf(typed, group, isRespelled) : undefined));
  for (const record of records) {
    const own = wordsOf(collection, record);
    const matches = matchers.map((match, at) => (match ? match(own) : { text: parts[at]?.typed ?? "", weight: 1 }));
    if (matches.includes(undefined)) continue;
    const text = matches.map((match) => match?.text).join(" ");
    const weight = Math.min(...matches.map((match) => match?.weight ?? 0));
    const known = found.get(fold(text));
    found.set(fold(text), { text: known?.text ?? text, weight: (known?.weight ?? 0) + weight });
  }
  const sorted = [...found.values()].sort((a, b) => b.weight - a.weight || (a.text < b.text ? -1 : 1));
  return sorted.slice(0, MOST_NEAR).map(({ text }) => text);
}

interface OwnWord {
  text: string;
  folded: string;
}

const WHOLE = 4; // a word that is near as a whole weighs as much as four that only begin so

type Matcher = (own: readonly OwnWord[]) => { text: string; weight: number } | undefined;

function matcherOf(typed: string, group: NearGroup, isRespelled: boolean): Matcher {
  const single = new Set(group.flatMap((terms) => (terms.length === 1 && terms[0] ? [terms[0].word] : [])));
  const lengths = [...new Set([...single].map((word) => word.length))].filter((length) => length >= SHORTEST_BEGIN);
  const several = group.filter((terms) => terms.length > 1);
  // Where a search has found something, Muller is no other spelling of Mueller, but Müller is.
  const isMeant = ({ text, folded }: OwnWord) => !isRespelled || folded === fold(typed) || isSpelling(text, typed);
  const pick = (words: readonly OwnWord[], { word, isBegin }: NearTerm) =>
    words.find(({ folded }) => (isBegin ? folded.startsWith(word) : folded === word));
  return (own) => {
    for (const terms of several) {
      const words = terms.map((term) => pick(own, term));
      if (!words.includes(undefined)) return { text: words.map((word) => word?.text).join(" "), weight: WHOLE };
    }
    const whole = own.find((word) => single.has(word.folded) && isMeant(word));
    if (whole) return { text: whole.text, weight: WHOLE };
    const begun = own.find((word) => lengths.some((length) => single.has(word.folded.slice(0, length))) && isMeant(word));
    if (begun) return { text: begun.text, weight: 1 };
    return undefined;
  };
}

/** Is true where one is the other with its umlauts written in another way. */
function isSpelling(word: string, typed: string): boolean {
  const [own, asked] = [fold(word), fold(typed)];
  return spelledOut(word).some((other) => other.startsWith(asked)) || spelledOut(typed).some((other) => own.startsWith(other));
}

function spelledOut(word: string): string[] {
  return /[äöüøå]/i.test(word.normalize("NFC")) ? spellingsOf(word).filter((other) => other.length > fold(word).length) : [];
}

function wordsOf(collection: Collection, record: AnyRecord): OwnWord[] {
  const values = searchedFields(collection).flatMap((field) => (isDate(field) ? [] : valuesIn(field, record)));
  return values.flatMap(([field, value]) => {
    const texts = [...(typeof value === "string" ? [value] : []), ...labelsOf(field, value)];
    const words = texts.flatMap((text) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
    return words.map((text) => ({ text, folded: fold(text) }));
  });
}
