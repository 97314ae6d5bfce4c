// React Query mutations for one record. Separate from records.ts, because a list does not need them.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import { createRecord, deleteRecord, updateRecord } from "../../client/write-records.ts";
import { recordPath } from "../../core/contract/paths.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { cacheSavedRecord, dropDeletedRecord } from "./cache-updates.ts";
import { restoreDeleted } from "./history.ts";
import { idOf } from "./records.ts";

/** Sent again with the same `sendKey` (Idempotency-Key), the record is created once. */
export function useCreateRecord(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ fields, sendKey }: { fields: Fields; sendKey: string }) => {
      const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
      return createRecord(client, collection.name, given, sendKey);
    },
    onSuccess: (record) => cacheSavedRecord(queries, collection, record),
  });
}

/** Sends the changed fields against the version that the user saw. Rejects with 412 when there is a newer one. */
export function useUpdateRecord(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ base, fields }: { base: WireRecord; fields: Fields }) =>
      updateRecord(client, collection.name, { id: idOf(collection, base), version: base.version }, fields),
    onSuccess: (record) => cacheSavedRecord(queries, collection, record),
  });
}

export function useDeleteRecord(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (record: WireRecord) => {
      await deleteRecord(client, collection.name, { id: idOf(collection, record), version: record.version });
      return record;
    },
    onSuccess: (record) => dropDeletedRecord(queries, collection, record),
  });
}

/** Brings a deleted record back. Rejects with 412 when someone else made one under its key since. */
export function useRestoreRecord(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (record: WireRecord) => restoreDeleted(client, collection, idOf(collection, record), record.version),
    onSuccess: (record) => cacheSavedRecord(queries, collection, record),
  });
}

/** Creates a deleted record again under its id, with these values. Rejects with 412 when someone else made one under it since. */
export function useCreateAgain(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (record: WireRecord) => {
      const path = recordPath(collection.name, idOf(collection, record));
      return (await client.request("PUT", path, { body: record, headers: { "If-None-Match": "*" } })).json as WireRecord;
    },
    onSuccess: (record) => cacheSavedRecord(queries, collection, record),
  });
}
