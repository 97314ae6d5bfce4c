// Reads related to one record: possible duplicates, and the previous and next record.

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { idOf, keys, type ListQuery, type listQuery, type Page, parentsBy, requestList } from "./records.ts";

const MAX_DUPLICATES = 5; // records

/** Records that match the words of the one that is being typed. */
export function possibleDuplicatesQuery(client: Client, collection: Collection, q: string) {
  return queryOptions({
    queryKey: [...keys.lists(collection), "possibleDuplicates", q],
    retry: false,
    queryFn: ({ signal }) => readFirstPage(client, collection, { q, limit: String(MAX_DUPLICATES) }, signal),
  });
}

/** Reads the ids of the previous and the next record, by key. */
export function previousNextQuery(client: Client, collection: Collection, id: number) {
  const key = collection.key.name;
  return queryOptions({
    queryKey: [...keys.lists(collection), "previousNext", id],
    retry: false,
    queryFn: async ({ signal }): Promise<PreviousNext> => {
      const after = { sort: key, [`${key}[gte]`]: String(id + 1), limit: "1" };
      const before = { sort: `-${key}`, [`${key}[lte]`]: String(id - 1), limit: "1" };
      const read = (query: Record<string, string>) => readFirstPage(client, collection, query, signal);
      const [[next], [previous]] = await Promise.all([read(after), read(before)]);
      return { next: next && idOf(collection, next), previous: previous && idOf(collection, previous) };
    },
  });
}

export interface PreviousNext {
  previous: number | undefined;
  next: number | undefined;
}

type ListParams = Parameters<typeof listQuery>[2];

/** Returns the most recently read list page that contains this record, with its query parameters. */
export function cachedPageWith(queries: QueryClient, collection: Collection, id: number): { params: ListParams; page: Page } | undefined {
  return cachedPages(queries, collection).find(({ page }) => page.records.some((record) => idOf(collection, record) === id));
}

const searchKey = (collection: Collection, id: number) => ["search that found", collection.name, id];

/** Call it when a record is opened that was found elsewhere than in a list. */
export function noteSearch(queries: QueryClient, collection: Collection, id: number, q: string): void {
  queries.setQueryData(searchKey(collection, id), q);
}

/** Returns the search by which the record was found that is opened now; that of the list that the user came from, unless another was noted. */
export function takeSearch(queries: QueryClient, collection: Collection, id: number): string | undefined {
  const noted = queries.getQueryData<string>(searchKey(collection, id));
  queries.removeQueries({ queryKey: searchKey(collection, id) });
  return noted ?? cachedPageWith(queries, collection, id)?.params.q;
}

/**
 * Returns what a list has read of the record, for the query of the record to begin with. It is old from the start, so the record is read
 * all the same. A save names the version that was shown, so the service refuses one that is based on an older version.
 */
export function readInList(queries: QueryClient, collection: Collection, id: number) {
  return {
    initialData: (): WireRecord | null | undefined => {
      const record = cachedPageWith(queries, collection, id)?.page.records.find((one) => idOf(collection, one) === id);
      return record && withoutParents(collection, record);
    },
    initialDataUpdatedAt: FROM_LIST,
  };
}

/** A list has the parents with it by which its records are called. They are no fields, so they are not sent back. */
function withoutParents(collection: Collection, record: WireRecord): WireRecord {
  const parents = parentsBy(collection.label);
  if (parents.length === 0) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !parents.includes(name))) as WireRecord;
}

/** The time of a record of which no more is read than what the list shows. */
export const FROM_LIST = 0;

/** Returns the list pages that were read, the most recent first, with their query parameters. */
export function cachedPages(queries: QueryClient, collection: Collection): { params: ListParams; page: Page }[] {
  const found = queries.getQueryCache().findAll({ queryKey: keys.lists(collection) });
  return found
    .filter(({ queryKey, state }) => typeof queryKey[2] === "object" && state.data !== undefined)
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .map(({ queryKey, state }) => ({ params: queryKey[2] as ListParams, page: state.data as Page }));
}

export async function readFirstPage(client: Client, collection: Collection, query: ListQuery, signal?: AbortSignal): Promise<WireRecord[]> {
  const answer = await requestList(client, collection, query, signal);
  return (answer as Record<string, WireRecord[]>)[collection.name] ?? [];
}
