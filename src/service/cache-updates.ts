// One record, and what writes do to cached records. Separate from records.ts, because a list does not need it.

import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { recordPath } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { expanding, idOf, keepParents, keys } from "./records.ts";

/** Reads one record, or null when there is none. */
export function recordQuery(client: Client, collection: Collection, id: number) {
  return queryOptions({
    queryKey: keys.record(collection, id),
    queryFn: ({ signal, client: queries }) => readRecord(queries, client, collection, id, signal),
  });
}

async function readRecord(
  queries: QueryClient,
  client: Client,
  collection: Collection,
  id: number,
  signal?: AbortSignal,
): Promise<WireRecord | null> {
  try {
    const { json } = await client.request("GET", recordPath(collection.name, id), { query: expanding(collection.references), signal });
    const record = json as WireRecord;
    keepParents(queries, collection, [record], []);
    return record;
  } catch (error) {
    // What is part of another record leads there, and browsers show a redirect to nobody: its history says where.
    if (error instanceof ApiError && [0, 308, 404].includes(error.status)) return null;
    throw error;
  }
}

/**
 * Reads the record again. Cancels reads that are under way: they may have been answered before the change in question. Past the cache,
 * in which a read that somebody else cancels answers with the old record.
 */
export async function refetchRecord(queries: QueryClient, client: Client, collection: Collection, id: number): Promise<WireRecord | null> {
  const queryKey = keys.record(collection, id);
  await queries.cancelQueries({ queryKey, exact: true }); // not its history
  const read = await readRecord(queries, client, collection, id);
  queries.setQueryData(queryKey, (known: WireRecord | null | undefined) => (known && read && known.version > read.version ? known : read));
  return read;
}

/** Call after an upload: every list and record may have changed. */
export function invalidateCollection(queries: QueryClient, collection: Collection): Promise<void> {
  return queries.invalidateQueries({ queryKey: keys.all(collection) });
}

/** Caches the record that a write returned. Cancels reads that started before it, so that they do not overwrite it. */
export async function cacheSavedRecord(queries: QueryClient, collection: Collection, record: WireRecord): Promise<void> {
  const queryKey = keys.record(collection, idOf(collection, record));
  await queries.cancelQueries({ queryKey });
  queries.setQueryData(queryKey, record);
  return queries.invalidateQueries({ queryKey: keys.lists(collection) });
}

export function dropDeletedRecord(queries: QueryClient, collection: Collection, record: WireRecord): Promise<void> {
  queries.removeQueries({ queryKey: keys.record(collection, idOf(collection, record)) });
  return queries.invalidateQueries({ queryKey: keys.lists(collection) });
}
