// Changes what a store answers of the past on its way out, in every place where an entry leaves it.

import type { Store } from "../engine/store.ts";
import type { ActivityLines } from "../history/store/activity.ts";
import type { StoredEntry } from "../history/store/reads.ts";

export interface EntryMaps {
  entry<Entry extends StoredEntry>(entry: Entry): Entry;
  /** Maps the changes of a record of a collection that are JSON. */
  changes(collection: string, json: string): string;
}

export function mapHistory({ history, feed }: Pick<Store, "history" | "feed">, maps: EntryMaps): Pick<Store, "history" | "feed"> {
  const entries = <Entry extends StoredEntry>(all: readonly Entry[]) => all.map((entry) => maps.entry(entry));
  const lines = (found: ActivityLines): ActivityLines => ({ ...found, lines: entries(found.lines) });
  return {
    history: {
      ...history,
      listEntries: async (...given) => entries(await history.listEntries(...given)),
      listDeletions: async (...given) => {
        const found = await history.listDeletions(...given);
        return { ...found, entries: entries(found.entries) };
      },
      listRunEntries: async (...given) => {
        const found = await history.listRunEntries(...given);
        return { ...found, entries: entries(found.entries) };
      },
      listActivity: async (...given) => lines(await history.listActivity(...given)),
      listChanges: async (...given) => lines(await history.listChanges(...given)),
    },
    feed: {
      ...feed,
      read: async (...given) => {
        const page = await feed.read(...given);
        return { ...page, entries: entries(page.entries) };
      },
      readAgain: async (...given) => entries(await feed.readAgain(...given)),
      readLater: async (query, options) => {
        const changes = await feed.readLater(query, options);
        return changes.map((one) => (one.changes ? { ...one, changes: maps.changes(query.collection, one.changes) } : one));
      },
    },
  };
}
