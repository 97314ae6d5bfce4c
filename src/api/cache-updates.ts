// What a write or an upload does to the cached records. Separate from records.ts, because a list does not need it.

import type { QueryClient } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { idOf, keys, recordQuery } from "./records.ts";

/** Reads the record again. Cancels reads that are under way: they may have been answered before the change in question. */
export async function refetchRecord(queries: QueryClient, client: Client, collection: Collection, id: number): Promise<WireRecord | null> {
  await queries.cancelQueries({ queryKey: keys.record(collection, id) });
  return queries.fetchQuery({ ...recordQuery(client, collection, id), staleTime: 0 });
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
