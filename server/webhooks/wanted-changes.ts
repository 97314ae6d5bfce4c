// Tells a webhook with conditions what it wants of the feed, and what stands with it.

import type { Change } from "../../core/contract/history.ts";
import { type Access, narrowDictionary } from "../access/access.ts";
import { retiredIn } from "../access/retired.ts";
import { whereFor } from "../access/row-conditions.ts";
import { limitRows } from "../access/row-store.ts";
import { showStore } from "../access/shown-store.ts";
import type { Store } from "../engine/store.ts";
import { changesOfAll, newOnes } from "../history/new-records.ts";
import { type FeedEntry, toChange } from "../history/store/feed.ts";
import { readByKeys } from "../records/expand.ts";
import { type KnownConditions, knownConditions } from "./conditions.ts";
import { ConditionLost, type FindWanted, type WantedFeed } from "./sending/wanted-feed.ts";

/** The dictionary that is served now, and the store as it has it. */
export interface ServedNow extends Access {
  store: Store;
}

/** Makes the parts of a sender that know the dictionary. `served`: the one of now. */
export function wantedFeeds(served: () => ServedNow): { collections(): ServedNow["collections"]; findWanted: FindWanted } {
  return { collections: () => served().collections, findWanted: (filter) => wantedFeedOf(filter, served()) };
}

type Filter = Parameters<FindWanted>[0];

function wantedFeedOf(filter: Filter, served: ServedNow): WantedFeed {
  const isOperation = ({ operation }: FeedEntry) => filter.operations.length === 0 || filter.operations.includes(operation);
  if (filter.conditions === "")
    return {
      feed: served.store.feed,
      choose: async (entries) => entries.filter(isOperation),
      toChanges: async (entries) => entries.map(toChange),
    };
  const known = knownConditions(filter, served);
  if (!known) throw new ConditionLost("the fields of a webhook's condition are not there any more");
  const { store, collections } = shownTo(known, filter, served);
  const changesOf = createChangesOf(store, collections);
  const { fields, include } = known;
  return {
    feed: store.feed,
    async choose(entries) {
      const chosen = entries.filter(isOperation);
      if (!fields) return chosen;
      const changes = await changesOf(chosen);
      return chosen.filter((entry) => isUntold(entry) || Object.keys(changes.get(entry) ?? {}).some((name) => fields.has(name)));
    },
    async toChanges(entries) {
      const changes = include.includes("changes") ? await changesOf(entries) : undefined;
      const records = include.includes("record") ? await recordsOf(store, collections, entries) : undefined;
      return entries.map((entry) => ({
        ...toChange(entry),
        ...(changes && { changes: changes.get(entry) ?? {} }),
        ...(records && { record: records.get(placeOf(entry)) ?? null }),
      }));
    },
  };
}

/** Nobody can tell which fields it was about. */
function isUntold({ operation, isForgotten }: FeedEntry): boolean {
  return operation === "erased" || isForgotten === true;
}

const narrowed = new WeakMap<object, Access>(); // by the data package

/** A filter is the sight of a caller who sees these records alone: one that comes to meet it is new, and one that does no more is gone. */
function shownTo({ where }: KnownConditions, { collections: [name = ""] }: Filter, served: ServedNow): ServedNow {
  const { dataPackage, collections, store } = served;
  const filters = where && (whereFor(where, { ids: [], attributes: {} }) ?? []);
  const limited = filters ? limitRows(store, collections, new Map([[name, { read: filters, why: {} }]])) : store;
  const hidden = retiredIn(dataPackage);
  if (!hidden) return { ...served, store: limited };
  const access = narrowed.get(dataPackage as object) ?? narrowDictionary(dataPackage, { hidden, readOnly: new Map() });
  narrowed.set(dataPackage as object, access);
  return { ...access, store: showStore(limited, collections, hidden) };
}

/** Returns the old and new values of each entry, also of a record that was new. */
function createChangesOf(store: Store, collections: Access["collections"]) {
  return async (entries: readonly FeedEntry[]) => {
    const all = new Map<object, NonNullable<Change["changes"]>>();
    for (const collection of collections) {
      const own = entries.filter((entry) => entry.collection === collection.name);
      if (own.length === 0) continue;
      const ids = [...new Set(newOnes(own).map(({ id }) => id))];
      const current = ids.length > 0 ? await readByKeys(store, collection, ids, {}) : new Map();
      for (const [entry, changes] of await changesOfAll(collection, store, { entries: own, current }, {})) all.set(entry, changes);
    }
    return all;
  };
}

async function recordsOf(store: Store, collections: Access["collections"], entries: readonly FeedEntry[]) {
  const records = new Map<string, Change["record"]>();
  for (const collection of collections) {
    const ids = [...new Set(entries.filter((entry) => entry.collection === collection.name).map(({ id }) => id))];
    if (ids.length === 0) continue;
    for (const [id, record] of await readByKeys(store, collection, ids, {}))
      records.set(placeOf({ collection: collection.name, id }), record);
  }
  return records;
}

function placeOf({ collection, id }: Pick<FeedEntry, "collection" | "id">): string {
  return `${collection} ${id}`;
}
