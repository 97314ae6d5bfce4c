// A search over all collections that the caller may read.

import { MAX_SEARCH } from "../../core/contract/limits.ts";
import { API_ROOT, SEARCH_PATH } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import { allows } from "../../core/contract/scopes.ts";
import { type FoundIn, MOST_FOUND, type SearchAnswer } from "../../core/contract/search.ts";
import { type Parent, parentsOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { wordsOfSearch } from "../engine/search-words.ts";
import { type Filter, type ReadOptions, type Store, StoreTooCostly } from "../engine/store.ts";
import { listOf, named, object } from "../http/json-schemas.ts";
import { clampedCount, readParameters, someCollections, text } from "../http/query-parameters.ts";
import { jsonAnswer, NO_STORE, showing } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { Shown } from "../people/auth/read-audit.ts";
import { expandRecords, parentsIn } from "./expand.ts";
import { findRecords } from "./find-records.ts";
import { exactHits, meantSearches } from "./search-hints.ts";

const DEFAULT_FOUND = 5; // records of a collection
const AT_ONCE = 4; // collections that one search looks through

interface Asked {
  q: string;
  limit: number;
  collection: string[];
}

interface Searching {
  store: Store;
  q: string;
  limit: number;
  hidden: Session["hidden"];
  options: ReadOptions;
}

/** `collections`: as the caller knows them. */
export function searchRoute(collections: readonly Collection[], store: Store): Route {
  const parameters = {
    q: text(MAX_SEARCH),
    limit: clampedCount(MOST_FOUND),
    collection: someCollections(collections),
  };
  return {
    url: API_ROOT + SEARCH_PATH,
    GET: {
      scope: "signed-in",
      compresses: true,
      doc: {
        id: "search",
        summary: "The first records with these words, of each collection that the caller may read",
        parameters,
        responses: { 200: object({ results: listOf(named("IntakeFoundIn")) }) },
      },
      async handle(request, { scope, limitedAs: owner, hidden }, { signal }) {
        const { q = "", limit = DEFAULT_FOUND, collection } = readParameters<Asked>(request.query, parameters);
        const readable = collections.filter(({ name }) => allows(scope, `${name}:read`));
        const asked = readable.filter(({ name }) => !collection || collection.includes(name));
        const searching = { store, q, limit, hidden, options: { owner, signal } };
        const found = q.trim() === "" ? [] : await search(asked, readable, searching);
        const results = await inTurns(found, (one) => withNames(one, readable, searching));
        const answer: SearchAnswer = { results };
        return showing(jsonAnswer(200, { ...answer }, NO_STORE), () => results.flatMap((one) => shownIn(readable, one)));
      },
    },
  };
}

function shownIn(readable: readonly Collection[], { collection: name, records }: FoundIn): Shown[] {
  const collection = readable.find((one) => one.name === name) as Collection;
  const ids = records.map((record) => record[collection.key.name] as number);
  return [{ collection: name, ids }, ...parentsIn(records, namingParents(collection, readable))];
}

/** Returns the parents that stand in the names of the records. */
function namingParents(collection: Collection, readable: readonly Collection[]): Parent[] {
  return parentsOf(collection, readable).filter(({ field }) => collection.label.includes(field));
}

/** Adds the parents without which nobody knows what the records are called. */
async function withNames(found: FoundIn, readable: readonly Collection[], { store, options }: Searching): Promise<FoundIn> {
  const collection = readable.find(({ name }) => name === found.collection) as Collection;
  const parents = namingParents(collection, readable);
  if (parents.length === 0) return found;
  return { ...found, records: (await expandRecords(store, found.records, parents, options)) as WireRecord[] };
}

/** Another spelling is looked for only where nothing is found anywhere, and children by their parents only among these. */
async function search(asked: readonly Collection[], readable: readonly Collection[], searching: Searching): Promise<FoundIn[]> {
  const late = new Set<string>();
  /** One collection in which looking takes too long does not hide what the others have. */
  const inTime = async ({ name }: Collection, find: () => Promise<FoundIn[]>): Promise<FoundIn[]> => {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof StoreTooCostly)) throw error;
      late.add(name);
      return [];
    }
  };
  const found = (await inTurns(asked, (one) => inTime(one, async () => [await searchIn(one, readable, searching)]))).flat();
  if (asked.length > 0 && late.size === asked.length) throw new StoreTooCostly(); // nothing is known of any
  const own = found.filter(({ records }) => records.length > 0);
  if (own.length === 0) {
    const others = asked.filter(({ name }) => !late.has(name));
    const meant = await inTurns(others, (one) => inTime(one, () => searchMeant(one, readable, searching)));
    return [...meant.flat(), ...[...late].map(notKnown)];
  }
  const below = asked.flatMap((collection) => parentsOf(collection, readable).map((parent) => ({ collection, parent })));
  const children = await inTurns(below, (one) => inTime(one.collection, () => searchChildren(one, own, searching)));
  return [...own, ...children.flat(), ...[...late].map(notKnown)];
}

function notKnown(collection: string): FoundIn {
  return { collection, records: [], more: true, tookTooLong: true };
}

async function inTurns<One, Result>(all: readonly One[], run: (one: One) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let i = 0; i < all.length; i += AT_ONCE) results.push(...(await Promise.all(all.slice(i, i + AT_ONCE).map(run))));
  return results;
}

async function searchIn(collection: Collection, readable: readonly Collection[], searching: Searching): Promise<FoundIn> {
  const { store, q, limit, hidden, options } = searching;
  const words = wordsOfSearch(collection, q);
  const parts = { collection, parents: parentsOf(collection, readable), store, hidden };
  const exact = await exactHits(store, collection, q, options);
  const found =
    words.length === 0 ? { records: [], more: false } : await findRecords(parts, { ...pageOf(collection, limit), words }, options);
  const keyOf = (record: WireRecord) => record[collection.key.name];
  const all = [...exact, ...found.records.filter((record) => exact.every((one) => keyOf(one) !== keyOf(record)))];
  return { collection: collection.name, records: all.slice(0, limit), more: found.more || all.length > limit };
}

async function searchMeant(collection: Collection, readable: readonly Collection[], searching: Searching): Promise<FoundIn[]> {
  const [meant] = await meantSearches(searching.store, collection, searching.q, searching.options);
  if (meant === undefined) return [];
  const found = await searchIn(collection, readable, { ...searching, q: meant });
  return found.records.length > 0 ? [{ ...found, meant }] : [];
}

/** Finds the records of the parents that were found by their own words. */
async function searchChildren(
  { collection, parent: { field, parent } }: { collection: Collection; parent: Parent },
  found: readonly FoundIn[],
  { store, limit, options }: Searching,
): Promise<FoundIn[]> {
  const ids = found.find((one) => one.collection === parent.name)?.records.map((record) => record[parent.key.name] as number) ?? [];
  if (ids.length === 0) return [];
  const known = found.find((one) => one.collection === collection.name)?.records ?? [];
  const filters: Filter[] = [{ name: field.name, operator: "in", values: ids }];
  const page = { ...pageOf(collection, limit + known.length), words: [], filters };
  const { records, more } = await store.list(collection, page, options);
  const keyOf = (record: WireRecord) => record[collection.key.name];
  const others = records.filter((record) => known.every((one) => keyOf(one) !== keyOf(record)));
  const shown = others.slice(0, limit);
  const { name } = collection;
  return shown.length > 0 ? [{ collection: name, records: shown, more: more || others.length > limit, parent: field.reference.as }] : [];
}

function pageOf({ key }: Collection, limit: number) {
  return { limit, sort: [{ name: key.name, descending: false }] };
}
