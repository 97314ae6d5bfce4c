// What was changed in a record, and bringing an earlier version back.

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import type { HistoryPage } from "../../core/contract/history.ts";
import { historyPath, restorePath } from "../../core/contract/paths.ts";
import { etagOf, type WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { cacheSavedRecord } from "./cache-updates.ts";
import { keys } from "./records.ts";

export interface HistoryPlace {
  id: number;
  /** Of the record as it is shown, so that a change makes it read anew; 0: it is deleted. */
  version: number;
  /** Only versions below this one. */
  before?: number | undefined;
}

/** A page of a record's history, newest first; null where there is none. */
export function historyQuery(client: Client, collection: Collection, { id, version, before }: HistoryPlace) {
  return queryOptions({
    queryKey: [...keys.record(collection, id), "history", version, before ?? null],
    retry: false,
    queryFn: async ({ signal }): Promise<HistoryPage | null> => {
      const query = { limit: "20", before: before?.toString() };
      try {
        return (await client.request("GET", historyPath(collection.name, id), { query, signal })).json as HistoryPage;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** Writes the values of an earlier version as a new one. `seen`: the version that is shown; without it the record is deleted. */
export function useRestoreVersion(client: Client, collection: Collection, id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ version, seen }: { version: number; seen: number | undefined }) => {
      const headers: Record<string, string> = seen === undefined ? {} : { "If-Match": etagOf(id, seen) };
      return (await client.request("POST", restorePath(collection.name, id), { body: { version }, headers })).json as WireRecord;
    },
    onSuccess: (record) => cacheSavedRecord(queries, collection, record),
  });
}
