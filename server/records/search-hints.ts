// Adds to a search's first page, on request, records whose key was typed, and other searches that find something.

import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { fold } from "../../core/text/fold.ts";
import { foldedFields, isFolded, MAX_SORT_KEY } from "../engine/columns.ts";
import { NEAR_BUDGET } from "../engine/near-search.ts";
import { wordsOfSearch } from "../engine/search-words.ts";
import { type Filter, type ReadOptions, type Store, StoreTooCostly, StoreUnavailable } from "../engine/store.ts";

const MOST_OF_A_FIELD = 5; // exact hits

export interface Hints {
  exact?: readonly WireRecord[];
  didYouMean?: readonly string[];
}

interface Searched {
  q: string;
  filters: readonly Filter[] | undefined;
  /** The first page. */
  found: readonly WireRecord[];
}

/** Nothing is added when nothing is to be said. The search is answered without what is not found within NEAR_BUDGET. */
export async function searchHints(store: Store, collection: Collection, searched: Searched, options: ReadOptions): Promise<Hints> {
  const { q, filters = [], found } = searched;
  const late = lateAfter(NEAR_BUDGET, options);
  const exact = await late(exactHitsOf(store, collection, q.trim(), filters));
  const isFound = found.length > 0 || exact.length > 0;
  // With filters the words may be right, and it is a filter that hides the records.
  const near = filters.length > 0 ? [] : await nearSearches(store, collection, q, isFound, late);
  return { ...(exact.length > 0 && { exact }), ...(near.length > 0 && { didYouMean: near }) };
}

/** Records whose key is `q`, then those of which another text is exactly `q`: none where it is not known in time. */
export function exactHits(store: Store, collection: Collection, q: string, options: ReadOptions): Promise<WireRecord[]> {
  return lateAfter(NEAR_BUDGET, options)(exactHitsOf(store, collection, q.trim(), []));
}

/** Lists other searches that find something where `q` finds nothing. */
export function meantSearches(store: Store, collection: Collection, q: string, options: ReadOptions): Promise<string[]> {
  return nearSearches(store, collection, q, false, lateAfter(NEAR_BUDGET, options));
}

/** Runs what may be left out of an answer: nothing is found where it takes too long, also together with what ran before. */
type Late = <T>(find: (options: ReadOptions) => Promise<T[]>) => Promise<T[]>;

function lateAfter(ms: number, { signal, ...owner }: ReadOptions): Late {
  const late = AbortSignal.timeout(ms);
  const options = { ...owner, signal: AbortSignal.any(signal ? [signal, late] : [late]) };
  return (find) =>
    find(options).catch((error) => {
      if (error instanceof StoreTooCostly || error instanceof StoreUnavailable || (late.aborted && !signal?.aborted)) return [];
      throw error;
    });
}

async function nearSearches(store: Store, collection: Collection, q: string, isFound: boolean, late: Late): Promise<string[]> {
  const words = typedWords(collection, q);
  if (words.length === 0) return [];
  const spelled = await late((options) => store.near(collection, { words, isFound }, options));
  return isFound || spelled.length > 0 ? spelled : late((options) => containingWords(store, collection, words, options));
}

/** Only what has a digit is taken for a key or a number. */
const exactHitsOf = (store: Store, collection: Collection, q: string, filters: readonly Filter[]) => async (options: ReadOptions) => {
  if (!/\d/.test(q) || fold(q).length > MAX_SORT_KEY) return [];
  const id = /^[1-9]\d*$/.test(q) && Number.isSafeInteger(Number(q)) ? [Number(q)] : [];
  const conditions = [
    ...id.map((value) => ({ field: collection.key, own: [{ name: collection.key.name, operator: "eq" as const, values: [value] }] })),
    ...foldedFields(collection).map((field) => ({ field, own: sameText(field, q) })),
  ];
  const hits = await Promise.all(conditions.map(({ field, own }) => listExact(store, collection, field, [...own, ...filters], options)));
  const byKey = new Map(hits.flat().map((record) => [record[collection.key.name], record]));
  return [...byKey.values()];
};

/** Case and accents do not count. The field's own order answers it from the index. */
function sameText({ name }: Field, q: string): Filter[] {
  return [
    { name, operator: "gte", values: [q] },
    { name, operator: "lte", values: [q] },
  ];
}

async function listExact(
  store: Store,
  collection: Collection,
  field: Field,
  filters: readonly Filter[],
  options: ReadOptions,
): Promise<readonly WireRecord[]> {
  const key = { name: collection.key.name, descending: false };
  const sort = field === collection.key ? [key] : [{ name: field.name, descending: false }, key];
  return (await store.list(collection, { limit: MOST_OF_A_FIELD, sort, words: [], filters }, options)).records;
}

const SHORTEST_MIDDLE = 4; // letters; fewer stand in too many names
const MOST_CONTAINING = 3;
const SAMPLE = 20; // records

/** Words of names in which the typed one stands elsewhere than at the beginning: Holstein for "stein". No index knows them. */
async function containingWords(store: Store, collection: Collection, words: readonly string[], options: ReadOptions): Promise<string[]> {
  const [middle = "", ...more] = words.map(fold);
  if (more.length > 0 || middle.length < SHORTEST_MIDDLE) return [];
  const key = { name: collection.key.name, descending: false };
  for (const { name } of collection.label.filter(isFolded)) {
    const filters: Filter[] = [{ name, operator: "contains", values: [middle] }];
    const { records } = await store.list(collection, { limit: SAMPLE, sort: [key], words: [], filters }, options);
    const texts = records.flatMap((record) => String(record[name] ?? "").match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
    const found = new Map(texts.filter((text) => fold(text).includes(middle)).map((text) => [fold(text), text]));
    if (found.size > 0) return [...found.values()].slice(0, MOST_CONTAINING);
  }
  return [];
}

/** Returns the words as they were typed, if they are the words that are searched; else folded. `ŉ` is one letter and folds to 'n. */
function typedWords(collection: Collection, q: string): readonly string[] {
  const words = wordsOfSearch(collection, q);
  const typed = q.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return typed.length === words.length && typed.every((word, at) => fold(word) === words[at]) ? typed : words;
}
