// Reads of the records to which others refer: those that a picker offers, and the names of those that are chosen.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { ListQuery } from "../../client/read-records.ts";
import { isIdText } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { filterName } from "../../core/dictionary/filters.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { idOf, keys, parentsBy, requestList } from "./records.ts";
import { readFirstPage } from "./related-records.ts";

const MOST_OPTIONS = 10; // records
const MOST_IDS = 100; // in one address

/**
 * Records that a search finds: at first the one whose key was typed, then those whose names begin with the words, then the others, which
 * were changed last; those alone without words. `held`: filters, by the
 * fields in which they must agree with the record that is to refer to them.
 */
export function optionsQuery(client: Client, parent: Collection, q: string, held: Readonly<Record<string, string>>) {
  return queryOptions({
    queryKey: [...keys.lists(parent), "options", q, held],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }): Promise<WireRecord[]> => {
      const ask = (query: ListQuery) => requestList(client, parent, { ...held, limit: String(MOST_OPTIONS), ...query }, signal);
      const first = parent.label.find((one) => KIND_TRAITS[one.kind].isText && !one.masked && parent.list.includes(one)); // these have an index
      const [named, found] = await Promise.all([
        q && first ? ask({ [filterName(first.name, "prefix")]: q, sort: first.name }).catch(() => ({})) : {}, // without it the search alone answers
        ask({ ...(q && { q }), ...(isIdText(q) && { hints: "true" }), sort: "-updatedAt" }),
      ]);
      const { exact = [], [parent.name]: others = [] } = found as Record<string, WireRecord[]>;
      const all = [...exact, ...((named as Record<string, WireRecord[]>)[parent.name] ?? []), ...others];
      return [...new Map(all.map((record) => [idOf(parent, record), record])).values()].slice(0, MOST_OPTIONS);
    },
  });
}

/**
 * Reads the record with its key and the fields of its name; null when there is none. Records bring it along (`keepParents`), but not the names
 * of the parents by which it may be called itself.
 */
export function parentQuery(client: Client, parent: Collection, id: number) {
  return queryOptions({
    queryKey: [...keys.parent(parent.name, id), ...parentsBy(parent.label)],
    retry: false,
    queryFn: () => readInBatch(client, parent, id),
  });
}

interface Batch {
  ids: Set<number>;
  records: Promise<ReadonlyMap<number, WireRecord>>;
}

const waiting = new WeakMap<Client, Map<Collection, Batch>>();

/** Names that are wanted in the same moment, as by the rows of a list, are read by one request. */
async function readInBatch(client: Client, parent: Collection, id: number): Promise<WireRecord | null> {
  const batches = waiting.get(client) ?? new Map<Collection, Batch>();
  waiting.set(client, batches);
  let batch = batches.get(parent);
  if (!batch || batch.ids.size >= MOST_IDS) {
    batch = openBatch(client, parent, () => batches.delete(parent));
    batches.set(parent, batch);
  }
  batch.ids.add(id);
  return (await batch.records).get(id) ?? null;
}

function openBatch(client: Client, parent: Collection, onClosed: () => void): Batch {
  const ids = new Set<number>();
  const records = new Promise<void>((resolve) => setTimeout(resolve)).then(async () => {
    onClosed(); // what is wanted from now on is read by the next one
    const fields = [...new Set([parent.key, ...parent.label])].map(({ name }) => name).join();
    const query = { [`${parent.key.name}[in]`]: [...ids].join(), limit: String(ids.size), fields };
    const found = await readFirstPage(client, parent, query, new AbortController().signal);
    return new Map(found.map((record) => [idOf(parent, record), record]));
  });
  return { ids, records };
}
