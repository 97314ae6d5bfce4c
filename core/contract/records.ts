// The words on the wire: paths, limits, request and reply shapes, the problem body. Both worlds read them; neither adds its own.

import type { Fields } from "../dictionary/validate.ts";
import type { ProblemBody } from "./problems.ts";

/** A record as the service gives it: its fields (null = no value) and what the service set. Times are RFC 3339 UTC with ms. */
export type WireRecord = Fields & { createdAt: string; updatedAt: string; version: number };

/** `ETag` of a record, a strong one (RFC 9110 section 8.8.3). */
export function etagOf(id: number, version: number): string {
  return `"${id}-${version}"`;
}

export type OnError = "stop" | "continue";
export type OnConflict = "error" | "skip" | "update";
export type OnMissing = "create" | "error";

/** What became of one record of a collection write with `onError=continue`. */
export const WRITE_OUTCOMES = ["created", "updated", "unchanged", "skipped", "failed"] as const;
export type WriteOutcome = (typeof WRITE_OUTCOMES)[number];

/** The key stands under the collection's own key name (customers: `objectId`); `index` counts from 0 in the request. */
export interface BatchResult {
  index: number;
  outcome: WriteOutcome;
  status: number;
  version?: number;
  changes?: Record<string, [old: unknown, now: unknown]>;
  problem?: ProblemBody;
  [key: string]: unknown;
}

export interface BatchReply {
  results: BatchResult[];
  summary: Record<WriteOutcome, number> & { total: number };
}

/** What became of one record of a `deletions` request; `unchanged`: it was deleted before. */
export type DeletionOutcome = "deleted" | "unchanged" | "failed";

export interface DeletionReply {
  results: (Omit<BatchResult, "outcome" | "changes"> & { outcome: DeletionOutcome })[];
  summary: Record<DeletionOutcome, number> & { total: number };
}

export const SQLITE_TYPE = "application/vnd.sqlite3";
