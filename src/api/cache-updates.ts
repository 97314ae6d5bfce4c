// What a write or an upload does to the cached records. Separate from records.ts, because a list does not need it.

import type { QueryClient } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { idOf, keys, recordQuery } from "./records.ts";

/**
 * The record as the service has it from now on. What was asked for before is given up: it may have been answered before
 * whatever the caller wants to know of.
 */
export async function refetchRecord(queries: QueryClient, client: Client, collection: Collection, id: number): Promise<WireRecord | null> {
  await queries.cancelQueries({ queryKey: keys.record(collection, id) });
  return queries.fetchQuery({ ...recordQuery(client, collection, id), staleTime: 0 });
}

/** After an upload: every list and record may have changed. */
export function invalidateCollection(queries: QueryClient, collection: Collection): Promise<void> {
  return queries.invalidateQueries({ queryKey: keys.all(collection) });
}

/** The record as the service has just given it, which an answer still on its way must not undo; every list may have changed with it. */
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
