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

export const keys = {
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
