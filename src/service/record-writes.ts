// React Query mutations for one record. Separate from records.ts, because a list does not need them.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { acknowledgement, createRecord, deleteRecord, updateRecord } from "../../client/write-records.ts";
import { recordPath } from "../../core/contract/paths.ts";
import type { Problem } from "../../core/contract/problems.ts";
import type { Acknowledged, WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { isSame } from "../../core/dictionary/kinds.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { cacheSavedRecord, dropDeletedRecord } from "./cache-updates.ts";
import { restoreDeleted } from "./history.ts";
import { idOf } from "./records.ts";

interface Acknowledging {
  acknowledge?: Acknowledged;
}

/** Sent again with the same `sendKey` (Idempotency-Key), the record is created once. */
export function useCreateRecord(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ fields, sendKey, acknowledge }: Acknowledging & { fields: Fields; sendKey: string }) => {
      // Nothing is a value where something would be filled in.
      const isGiven = ([name, value]: [string, unknown]) => value !== null || collection.byName.get(name)?.default !== undefined;
      const given = Object.fromEntries(Object.entries(fields).filter(isGiven));
      return createRecord(client, collection.name, given, sendKey, acknowledge);
    },
    onSuccess: (record) => cacheSavedRecord(queries, collection, record),
  });
}

/** Sends the changed fields against the version that the user saw. Rejects with 412 when there is a newer one. */
export function useUpdateRecord(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ base, fields, acknowledge }: Acknowledging & { base: WireRecord; fields: Fields }) =>
      updateRecord(client, collection.name, { id: idOf(collection, base), version: base.version }, fields, acknowledge),
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

type CreatedAgain = { saved: WireRecord } | { conflict: WireRecord };

/**
 * Creates a deleted record again under its id, with these values. What nobody changed may break a rule of today: then it comes back as it
 * was, and is changed. Where that change is refused, for a value that somebody else took meanwhile, it resolves with the record that is
 * back as `conflict`. Rejects when a changed value is refused before, and with 412 when someone else made one under its id since.
 */
export function useCreateAgain(client: Client, collection: Collection) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ base, fields, acknowledge }: Acknowledging & { base: WireRecord; fields: Fields }): Promise<CreatedAgain> => {
      const id = idOf(collection, base);
      const put = { query: acknowledgement(acknowledge), body: { ...base, ...fields }, headers: { "If-None-Match": "*" } };
      try {
        return { saved: (await client.request("PUT", recordPath(collection.name, id), put)).json as WireRecord };
      } catch (error) {
        const isOld = ({ field }: Problem) => isSame(fields[field] ?? null, base[field] ?? null);
        if (!(error instanceof ApiError) || error.problems.length === 0 || !error.problems.every(isOld)) throw error;
      }
      const back = await restoreDeleted(client, collection, id, base.version);
      cacheSavedRecord(queries, collection, back);
      try {
        return { saved: await updateRecord(client, collection.name, { id, version: back.version }, fields, acknowledge) };
      } catch (error) {
        if (error instanceof ApiError && error.problems.length > 0) return { conflict: back };
        throw error;
      }
    },
    onSuccess: (result) => "saved" in result && cacheSavedRecord(queries, collection, result.saved),
  });
}
