// Reads what was changed, by whom and when: of a record, of a run, of everything; and brings back what was.

import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import type { ActivityPage, DayCounts, Erasure, ExportPage, HistoryPage, RecordCopy, RunSummary } from "../../core/contract/history.ts";
import {
  ACTIVITY_DAYS_PATH,
  ACTIVITY_EXPORTS_PATH,
  ACTIVITY_PATH,
  collectionPath,
  copyPath,
  erasurePath,
  historyPath,
  REWRITE_PATH,
  restorePath,
  runPath,
} from "../../core/contract/paths.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { etagOf, type WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { readByIds } from "./bulk.ts";
import { cacheSavedRecord } from "./cache-updates.ts";
import { idOf, keys } from "./records.ts";

export interface HistoryPlace {
  id: number;
  /** Is the version of the record as it is shown, so that a change makes it read anew; 0: it is deleted. */
  version: number;
  /** Bounds the versions: only those below this one are read. */
  before?: number | undefined;
}

/** Begins the keys of all that is read of a record's history. */
export const historyKey = (collection: Collection, id: number) => [...keys.record(collection, id), "history"] as const;

/** Reads a page of a record's history, newest first; null where there is none. */
export function historyQuery(client: Client, collection: Collection, { id, version, before }: HistoryPlace) {
  return queryOptions({
    queryKey: [...historyKey(collection, id), version, before ?? null],
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

/** A deleted record as its list has it: with the values that it had, and the version of its deletion. */
export type DeletedRecord = WireRecord & { deletedAt: string; deletedBy: Principal | null };

/**
 * Reads a page of the deleted records, the latest deletion first. `q`: what they are searched by; the service looks at a few thousand at a
 * time, and is asked until it has found one.
 */
export function deletedQuery(client: Client, collection: Collection, q: string, from: string | undefined) {
  return queryOptions({
    queryKey: [...keys.lists(collection), "deleted", q, from ?? null],
    queryFn: async ({ signal }): Promise<{ records: DeletedRecord[]; next: string | undefined }> => {
      for (let cursor = from; ; ) {
        const query = { deleted: "true", limit: "50", q: q || undefined, cursor };
        const json = (await client.request("GET", collectionPath(collection.name), { query, signal })).json as Record<string, unknown>;
        const records = json[collection.name] as DeletedRecord[];
        cursor = json.next as string | undefined;
        if (records.length > 0 || cursor === undefined) return { records, next: cursor };
      }
    },
  });
}

/** Brings a deleted record back as it was at a version. Throws 412 when somebody did it before, or made a new one under its key. */
export async function restoreDeleted(client: Client, collection: Collection, id: number, version: number): Promise<WireRecord> {
  const headers = { "If-None-Match": "*" };
  return (await client.request("POST", restorePath(collection.name, id), { body: { version }, headers })).json as WireRecord;
}

/** Writes the values of an earlier version as a new one. Throws 412 when the record no longer has the version `seen`. */
export async function restoreVersion(
  client: Client,
  collection: Collection,
  id: number,
  version: number,
  seen: number,
): Promise<WireRecord> {
  const headers = { "If-Match": etagOf(id, seen) };
  return (await client.request("POST", restorePath(collection.name, id), { body: { version }, headers })).json as WireRecord;
}

/** Restores as `restoreVersion` does, for the page of the record. `seen`: the version that is shown; without it the record is deleted. */
export function useRestoreVersion(client: Client, collection: Collection, id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ version, seen }: { version: number; seen: number | undefined }) => {
      if (seen === undefined) return restoreDeleted(client, collection, id, version);
      return restoreVersion(client, collection, id, version, seen);
    },
    onSuccess: (record) => cacheSavedRecord(queries, collection, record),
    onError: () => queries.invalidateQueries({ queryKey: keys.record(collection, id) }), // somebody else may have been first
  });
}

const UNTIMED = 3_600_000; // ms; the service takes as long as its files are large

/** Erases the record with its history for good, in the service and in what this page remembers. */
export function useEraseRecord(client: Client, collection: Collection, id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => (await client.request("POST", erasurePath(collection.name, id), { patience: UNTIMED })).json as Erasure,
    async onSuccess() {
      queries.removeQueries({ queryKey: keys.record(collection, id) });
      await queries.invalidateQueries({ queryKey: keys.all(collection) });
    },
  });
}

/** Rewrites the store's files without what erased records have left in them. */
export async function rewriteFiles(client: Client): Promise<void> {
  await client.request("POST", REWRITE_PATH, { patience: UNTIMED });
}

/** Reads all that the service holds about the record. */
export async function readCopy(client: Client, collection: Collection, id: number): Promise<RecordCopy> {
  return (await client.request("GET", copyPath(collection.name, id))).json as RecordCopy;
}

/** The parameters of the request, but for the time zone. */
export type ActivityQuery = Readonly<Record<string, string | undefined>>;

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function activityQuery(client: Client, query: ActivityQuery) {
  return queryOptions({
    queryKey: ["activity", query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ActivityPage> => {
      const { json } = await client.request("GET", ACTIVITY_PATH, { query: { ...query, timeZone: timeZone() }, signal });
      return json as ActivityPage;
    },
  });
}

export function daysQuery(client: Client, query: ActivityQuery) {
  return queryOptions({
    queryKey: ["activity", "days", query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<DayCounts> => {
      const { json } = await client.request("GET", ACTIVITY_DAYS_PATH, { query: { ...query, timeZone: timeZone() }, signal });
      return json as DayCounts;
    },
  });
}

export function exportsQuery(client: Client, query: ActivityQuery) {
  return queryOptions({
    queryKey: ["activity", "exports", query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ExportPage> => {
      const { json } = await client.request("GET", ACTIVITY_EXPORTS_PATH, { query: { ...query, timeZone: timeZone() }, signal });
      return json as ExportPage;
    },
  });
}

export function runQuery(client: Client, run: string) {
  return queryOptions({
    queryKey: ["activity", "run", run],
    queryFn: async ({ signal }): Promise<RunSummary> => (await client.request("GET", runPath(run), { signal })).json as RunSummary,
  });
}

/** Reads the records with these keys, by key; without those that are deleted. */
export function recordsByIdQuery(client: Client, collection: Collection, ids: readonly number[]) {
  return queryOptions({
    queryKey: [collection.name, "named", ids],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<Map<number, WireRecord>> => {
      const records = await readByIds(client, collection, ids);
      return new Map(records.map((record) => [idOf(collection, record), record]));
    },
  });
}
