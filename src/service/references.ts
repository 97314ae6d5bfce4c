// Reads of the records to which others refer: those that a picker offers, and the names of those that are chosen.

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { isIdText } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { idOf, keys, parentsBy, requestList, withExact } from "./records.ts";
import { readFirstPage } from "./related-records.ts";

const MOST_OPTIONS = 10; // records
const MOST_IDS = 100; // in one address

/**
 * Records that a search finds, at first the one whose key was typed; without words those that were changed last. `held`: filters, by the
 * fields in which they must agree with the record that is to refer to them.
 */
export function optionsQuery(client: Client, parent: Collection, q: string, held: Readonly<Record<string, string>>) {
  return queryOptions({
    queryKey: [...keys.lists(parent), "options", q, held],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }): Promise<WireRecord[]> => {
      const query = { ...held, ...(q && { q }), ...(isIdText(q) && { hints: "true" }), sort: "-updatedAt", limit: String(MOST_OPTIONS) };
      return withExact(parent, await requestList(client, parent, query, signal));
    },
  });
}

/**
 * The record with its key and the fields of its name; null when there is none. Records bring it along (`keepParents`), but not the names
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
