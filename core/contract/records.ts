import type { Principal } from "./principals.ts";
import type { ProblemBody, ProblemDetail } from "./problems.ts";

/** A value of a field. Several values are an array. */
export type WireValue = string | number | boolean | readonly (string | number)[];

/**
 * A record in a response: its fields (null: no value) and what the service sets. Times are RFC 3339 in UTC with milliseconds.
 * `createdBy` and `updatedBy` are null where they were written before the service kept who did it.
 */
export type WireRecord = Record<string, WireValue | Principal | null> & {
  createdAt: string;
  updatedAt: string;
  createdBy: Principal | null;
  updatedBy: Principal | null;
  version: number;
};

/** Returns the strong `ETag` of a record (RFC 9110 section 8.8.3). */
export function etagOf(id: number, version: number): string {
  return `"${id}-${version}"`;
}

/** Names the rules whose warnings whoever writes has seen and means so. */
export type Acknowledged = "all" | readonly string[];

export type OnError = "stop" | "continue";
export type OnConflict = "error" | "skip" | "update";
export type OnMissing = "create" | "error";
export type OnDuplicate = "warn" | "error";

/** The outcome of one record in a write to a collection with `onError=continue`. */
export const WRITE_OUTCOMES = ["created", "updated", "unchanged", "skipped", "failed"] as const;
export type WriteOutcome = (typeof WRITE_OUTCOMES)[number];

/**
 * The key is under the collection's own key name (customers: `objectId`); `index` counts from 0 in the request. Whoever may not read the
 * collection gets the new value of a change alone.
 */
export interface BatchResult {
  index: number;
  outcome: WriteOutcome;
  status: number;
  version?: number;
  changes?: Record<string, [old: unknown, now: unknown] | [now: unknown]>;
  problem?: ProblemBody;
  /** The warnings that were acknowledged with it, and with `onDuplicate` the stored records that are like it. */
  warnings?: ProblemDetail[];
  /** The fields that keep a value although they are not asked for any more. */
  leftBehind?: readonly string[];
  [key: string]: unknown;
}

export interface BatchReply {
  results: BatchResult[];
  summary: Record<WriteOutcome, number> & { total: number };
}

/** The outcome of one record in a `deletions` request. unchanged: it was already deleted. */
export type DeletionOutcome = "deleted" | "unchanged" | "failed";

export interface DeletionReply {
  results: (Omit<BatchResult, "outcome" | "changes" | "leftBehind"> & { outcome: DeletionOutcome })[];
  summary: Record<DeletionOutcome, number> & { total: number };
}

/**
 * Names what a `batch` request does with one record. create: its key must be free. update: the record must be there. upsert: either.
 * delete: only its key is read, and with `match=version` its version.
 */
export const ACTIONS = ["create", "update", "upsert", "delete"] as const;
export type Action = (typeof ACTIONS)[number];

/** The outcome of one operation of a `batch` request. unchanged: it had the values already, or was already deleted. */
export const OPERATION_OUTCOMES = ["created", "updated", "unchanged", "deleted", "failed"] as const;
export type OperationOutcome = (typeof OPERATION_OUTCOMES)[number];

export interface OperationResult extends Omit<BatchResult, "outcome"> {
  outcome: OperationOutcome;
}

export interface OperationsReply {
  results: OperationResult[];
  summary: Record<OperationOutcome, number> & { total: number };
}

export const SQLITE_TYPE = "application/vnd.sqlite3";
