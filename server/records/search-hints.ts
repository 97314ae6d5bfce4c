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
export async function searchHints(
  store: Store,
  collection: Collection,
  searched: Searched,
  { signal, ...owner }: ReadOptions,
): Promise<Hints> {
  const { q, filters = [], found } = searched;
  const late = AbortSignal.timeout(NEAR_BUDGET);
  const options = { ...owner, signal: AbortSignal.any(signal ? [signal, late] : [late]) };
  const unlessLate = <T>(hints: Promise<T[]>): Promise<T[]> =>
    hints.catch((error) => {
      if (error instanceof StoreTooCostly || error instanceof StoreUnavailable || (late.aborted && !signal?.aborted)) return [];
      throw error;
    });
  const exact = await unlessLate(exactHits(store, collection, q.trim(), filters, options));
  const isFound = found.length > 0 || exact.length > 0;
  // With filters the words may be right, and it is a filter that hides the records.
  const words = filters.length > 0 ? [] : typedWords(collection, q);
  const spelled = words.length > 0 ? await unlessLate(store.near(collection, { words, isFound }, options)) : [];
  const near = isFound || spelled.length > 0 ? spelled : await unlessLate(containingWords(store, collection, words, options));
  return { ...(exact.length > 0 && { exact }), ...(near.length > 0 && { didYouMean: near }) };
}

/** Records whose key is `q`, then those of which another text is exactly `q`. Only what has a digit is taken for a key or a number. */
async function exactHits(
  store: Store,
  collection: Collection,
  q: string,
  filters: readonly Filter[],
  options: ReadOptions,
): Promise<WireRecord[]> {
  if (!/\d/.test(q) || fold(q).length > MAX_SORT_KEY) return [];
  const id = /^[1-9]\d*$/.test(q) && Number.isSafeInteger(Number(q)) ? [Number(q)] : [];
  const conditions = [
    ...id.map((value) => ({ field: collection.key, own: [{ name: collection.key.name, operator: "eq" as const, values: [value] }] })),
    ...foldedFields(collection).map((field) => ({ field, own: sameText(field, q) })),
  ];
  const hits = await Promise.all(conditions.map(({ field, own }) => listExact(store, collection, field, [...own, ...filters], options)));
  const byKey = new Map(hits.flat().map((record) => [record[collection.key.name], record]));
  return [...byKey.values()];
}

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

/** The words as they were typed, if they are the words that are searched; else folded. `ŉ` is one letter and folds to 'n. */
function typedWords(collection: Collection, q: string): readonly string[] {
  const words = wordsOfSearch(collection, q);
  const typed = q.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return typed.length === words.length && typed.every((word, at) => fold(word) === words[at]) ? typed : words;
}
