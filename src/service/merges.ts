// Reads and writes about merges: several records become one, and a merge is taken apart.

import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { acknowledgement } from "../../client/write-records.ts";
import type { ApartReply, MergeList, MergeReply, MergeRequest } from "../../core/contract/merges.ts";
import { mergesPath } from "../../core/contract/paths.ts";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import type { Acknowledged, WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { keys } from "./records.ts";

/** Says what a merge would do. Without a record something is in its way. */
export interface MergePreview {
  record: WireRecord | null;
  moved: Record<string, number>;
  errors: ProblemDetail[];
}

/** Reads the merges into a record that can be taken apart. `version`: of the record as it is shown, so that a change makes it read anew. */
export function mergesQuery(client: Client, collection: Collection, id: number, version: number) {
  return queryOptions({
    queryKey: [...keys.record(collection, id), "merges", version],
    retry: false,
    queryFn: async ({ signal }) => {
      const query = { survivor: String(id) };
      return ((await client.request("GET", mergesPath(collection.name), { query, signal })).json as MergeList).merges;
    },
  });
}

export function mergePreviewQuery(client: Client, collection: Collection, body: MergeRequest) {
  return queryOptions({
    queryKey: [...keys.all(collection), "merge", body],
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => mergePreview(client, collection, body, signal),
  });
}

export async function mergePreview(client: Client, { name }: Collection, body: MergeRequest, signal: AbortSignal): Promise<MergePreview> {
  return (await client.request("POST", mergesPath(name), { query: { dryRun: "true" }, body, signal })).json as MergePreview;
}

export async function sendMerge(
  client: Client,
  collection: Collection,
  body: MergeRequest,
  { sendKey, acknowledge }: { sendKey: string; acknowledge?: Acknowledged },
): Promise<MergeReply> {
  const options = { query: acknowledgement(acknowledge), body, headers: { "Idempotency-Key": sendKey } };
  return (await client.request("POST", mergesPath(collection.name), options)).json as MergeReply;
}

/** `owners`: field → the key of the record to which its value of now belongs, or "none". */
export async function takeMergeApart(
  client: Client,
  collection: Collection,
  id: string,
  owners: Readonly<Record<string, string>> = {},
): Promise<ApartReply> {
  const values = Object.entries(owners).map((pair) => pair.join(":"));
  const query = values.length > 0 ? { values: values.join() } : {};
  return (await client.request("DELETE", `${mergesPath(collection.name)}/${id}`, { query })).json as ApartReply;
}

/** Is true where whoever takes a merge apart has to decide about fields first. */
export function asksOwners(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "MERGE_CHANGED";
}
