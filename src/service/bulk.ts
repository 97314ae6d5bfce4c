// Requests for many records at once: read all that match, read by ids, write many, and a list as a CSV file.

import type { Client } from "../../client/http-client.ts";
import { deleteRecords, writeRecords } from "../../client/write-records.ts";
import { collectionPath } from "../../core/contract/paths.ts";
import type { ProblemBody, ProblemDetail } from "../../core/contract/problems.ts";
import type { Acknowledged, DeletionOutcome, WireRecord, WriteOutcome } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { MAX_FILTER_VALUES } from "../../core/dictionary/filters.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { type ListQuery, requestList } from "./records.ts";

/** The service's result for one record. */
export interface BulkResult {
  outcome: WriteOutcome | DeletionOutcome;
  version?: number;
  changes?: Record<string, [old: Value | null, now: Value | null]>;
  problem?: ProblemBody;
  warnings?: ProblemDetail[];
  leftBehind?: readonly string[];
}

/** Reads the records with these keys. Deleted ones are left out. */
export async function readByIds(client: Client, collection: Collection, ids: readonly number[]): Promise<WireRecord[]> {
  const records: WireRecord[] = [];
  for (let at = 0; at < ids.length; at += MAX_FILTER_VALUES) {
    const some = ids.slice(at, at + MAX_FILTER_VALUES).join(",");
    const query = { [`${collection.key.name}[in]`]: some, limit: String(MAX_FILTER_VALUES) };
    records.push(...((await requestList(client, collection, query))[collection.name] as WireRecord[]));
  }
  return records;
}

export interface BulkWrite {
  verb: "change" | "delete";
  body: readonly unknown[];
  sendKey: string;
  /** Names the run by which its history finds all of them again, to take them back. */
  run: string;
  /** Ask only what would happen (`dryRun=true`). */
  isPreview: boolean;
  /** The warnings that somebody has confirmed. */
  acknowledge?: Acknowledged;
}

const MODES = {
  change: { onConflict: "update", onMissing: "error", match: "version" },
  delete: { match: "version" },
} as const;

/** Writes each record independently (`onError=continue`). Results are in the order of `body`. */
export async function writeMany(client: Client, collection: Collection, write: BulkWrite, signal?: AbortSignal): Promise<BulkResult[]> {
  const { verb, body, sendKey, run, isPreview, acknowledge } = write;
  const options = { ...MODES[verb], acknowledge, dryRun: isPreview, idempotencyKey: sendKey, source: `form; run=${run}`, signal };
  const send = verb === "delete" ? deleteRecords : writeRecords;
  return (await send(client, collection.name, body, options)).results as BulkResult[];
}

/** Downloads all records that match the query, in its order, as CSV that is safe to open in a spreadsheet and can be uploaded again. */
export function downloadCsv(client: Client, collection: Collection, query: ListQuery, signal: AbortSignal) {
  return client.download(collectionPath(collection.name), { query, headers: { Accept: "text/csv" }, signal });
}
