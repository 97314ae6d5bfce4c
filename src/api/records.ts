// Reads and writes of records by React Query: one factory per kind of read, one hook per kind of write. Query keys live only here.

import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Fields } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import { collectionPath, etagOf, recordPath, type WireRecord } from "../../dictionary/wire.ts";
import { ApiError, type Client } from "./client.ts";

export interface ListParameters {
  q?: string | undefined;
  sort?: string | undefined;
  cursor?: string | undefined;
}

export interface Page {
  records: WireRecord[];
  /** Cursor of the next page. */
  next: string | undefined;
}

const PAGE_ROWS = 50;

const keys = {
  all: (collection: Collection) => [collection.name] as const,
  lists: (collection: Collection) => [collection.name, "list"] as const,
  record: (collection: Collection, id: number) => [collection.name, "record", id] as const,
};

export function listQuery(client: Client, collection: Collection, { q, sort, cursor }: ListParameters) {
  return queryOptions({
    queryKey: [...keys.lists(collection), { q, sort, cursor }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Page> => {
      const query = { q, sort, cursor, limit: String(PAGE_ROWS) };
      const { json } = await client.request("GET", collectionPath(collection.name), { query, signal });
      const reply = json as { next?: string } & Record<string, unknown>;
      return { records: reply[collection.name] as WireRecord[], next: reply.next };
    },
  });
}

/** One record, or null when there is none. */
export function recordQuery(client: Client, collection: Collection, id: number) {
  return queryOptions({
    queryKey: keys.record(collection, id),
    queryFn: async ({ signal }): Promise<WireRecord | null> => {
      try {
        return (await client.request("GET", recordPath(collection.name, id), { signal })).json as WireRecord;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** `sendKey` makes a repeated send of the same form harmless (Idempotency-Key). */
export function useCreateRecord(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ fields, sendKey }: { fields: Fields; sendKey: string }) => {
      const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
      const headers = { "Idempotency-Key": sendKey };
      return (await client.request("POST", collectionPath(collection.name), { body: given, headers })).json as WireRecord;
    },
    onSuccess: (record) => changed(queries, collection, record),
  });
}

/** Sends the changed fields of the version that the user saw. A version that moved on is refused with 412. */
export function useUpdateRecord(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ base, fields }: { base: WireRecord; fields: Fields }) => {
      const id = idOf(collection, base);
      const headers = { "If-Match": etagOf(id, base.version), "Content-Type": "application/merge-patch+json" };
      return (await client.request("PATCH", recordPath(collection.name, id), { body: JSON.stringify(fields), headers })).json as WireRecord;
    },
    onSuccess: (record) => changed(queries, collection, record),
  });
}

export function useDeleteRecord(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (record: WireRecord) => {
      const id = idOf(collection, record);
      await client.request("DELETE", recordPath(collection.name, id), { headers: { "If-Match": etagOf(id, record.version) } });
      return record;
    },
    onSuccess: (record) => {
      queries.removeQueries({ queryKey: keys.record(collection, idOf(collection, record)) });
      return queries.invalidateQueries({ queryKey: keys.lists(collection) });
    },
  });
}

/** Puts a deleted record back under its own id, unless someone has made that id anew since. */
export function useRestoreRecord(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (record: WireRecord) => {
      const path = recordPath(collection.name, idOf(collection, record));
      return (await client.request("PUT", path, { body: record, headers: { "If-None-Match": "*" } })).json as WireRecord;
    },
    onSuccess: (record) => changed(queries, collection, record),
  });
}

/** After an upload: every list and record may have changed. */
export function forgetCollection(queries: QueryClient, collection: Collection): Promise<void> {
  return queries.invalidateQueries({ queryKey: keys.all(collection) });
}

export function idOf(collection: Collection, record: WireRecord): number {
  return record[collection.key.name] as number;
}

function changed(queries: QueryClient, collection: Collection, record: WireRecord): Promise<void> {
  queries.setQueryData(keys.record(collection, idOf(collection, record)), record);
  return queries.invalidateQueries({ queryKey: keys.lists(collection) });
}

const MOST_ALIKE = 5; // records; more would be a list

/** Records whose words begin like these: perhaps the one that is being typed is there already. */
export function alikeQuery(client: Client, collection: Collection, q: string) {
  return queryOptions({
    queryKey: [...keys.lists(collection), "alike", q],
    retry: false,
    queryFn: ({ signal }) => readSome(client, collection, { q, limit: String(MOST_ALIKE) }, signal),
  });
}

/** By the key's order: the record before this one and the one after. */
export function besideQuery(client: Client, collection: Collection, id: number) {
  const key = collection.key.name;
  return queryOptions({
    queryKey: [...keys.lists(collection), "beside", id],
    retry: false,
    queryFn: async ({ signal }): Promise<Beside> => {
      const after = { sort: key, [`${key}[gte]`]: String(id + 1), limit: "1" };
      const before = { sort: `-${key}`, [`${key}[lte]`]: String(id - 1), limit: "1" };
      const read = (query: Record<string, string>) => readSome(client, collection, query, signal);
      const [[next], [previous]] = await Promise.all([read(after), read(before)]);
      return { next: next && idOf(collection, next), previous: previous && idOf(collection, previous) };
    },
  });
}

export interface Beside {
  previous: number | undefined;
  next: number | undefined;
}

type Asked = Parameters<typeof listQuery>[2];

/** The page of a list that shows this record and was read last, with what was asked to get it. */
export function pageWith(queries: QueryClient, collection: Collection, id: number): { asked: Asked; page: Page } | undefined {
  return pagesRead(queries, collection).find(({ page }) => page.records.some((record) => idOf(collection, record) === id));
}

/** The page that leads to this one, when it was read. */
export function pageBefore(queries: QueryClient, collection: Collection, asked: Asked): Page | undefined {
  const { cursor, ...rest } = asked;
  const isSame = (other: Asked) => JSON.stringify({ ...other, cursor: undefined }) === JSON.stringify({ ...rest, cursor: undefined });
  return pagesRead(queries, collection).find((read) => cursor && read.page.next === cursor && isSame(read.asked))?.page;
}

function pagesRead(queries: QueryClient, collection: Collection): { asked: Asked; page: Page }[] {
  const found = queries.getQueryCache().findAll({ queryKey: keys.lists(collection) });
  return found
    .filter(({ queryKey, state }) => typeof queryKey[2] === "object" && state.data !== undefined)
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .map(({ queryKey, state }) => ({ asked: queryKey[2] as Asked, page: state.data as Page }));
}

async function readSome(client: Client, collection: Collection, query: Record<string, string>, signal: AbortSignal): Promise<WireRecord[]> {
  const { json } = await client.request("GET", collectionPath(collection.name), { query, signal });
  return (json as Record<string, WireRecord[]>)[collection.name] ?? [];
}
