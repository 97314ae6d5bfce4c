// The words on the wire: paths, limits, request and reply shapes, the problem body. Both worlds read them; neither adds its own.

import type { Fields } from "./check.ts";

/** The version is part of the base URL; inside v1 only additive change. */
export const API_ROOT = "/v1";

export const MAX_BATCH = 10_000; // records a collection write; the service refuses more
export const ADVISED_BATCH = 1_000; // records; what the upload sends
export const MAX_COLLECTION_BODY = 8 * 1024 * 1024; // bytes
export const MAX_RECORD_BODY = 64 * 1024; // bytes
export const MAX_PAGE = 1_000; // records a page; a larger limit is clamped
export const DEFAULT_PAGE = 100; // records
export const MAX_PROBLEMS = 100; // errors in one problem body; then `truncated`
export const IDEMPOTENCY_HOURS = 24; // for which an answer is kept under its idempotency key, at least
export const MAX_IDEMPOTENCY_KEY = 255; // visible ASCII characters
export const TOKEN_SECONDS = 3_600;

export const TOKEN_PATH = "/oauth/token";
export const REVOKE_PATH = "/oauth/revoke";
export const DICTIONARY_PATH = "/dictionary";
export const BACKUP_PATH = "/backup";
export const KEYS_PATH = "/keys";
export const LIMITS_PATH = "/limits";
export const OPENAPI_PATH = "/openapi.json";

/** Paths below the base URL. */
export function collectionPath(collection: string): string {
  return `/${collection}`;
}
export function recordPath(collection: string, id: number): string {
  return `/${collection}/${id}`;
}
export function deletionsPath(collection: string): string {
  return `/${collection}/deletions`;
}
export function templatePath(collection: string): string {
  return `/${collection}/template.csv`;
}

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
export type WriteOutcome = "created" | "updated" | "unchanged" | "skipped" | "failed";
export const WRITE_OUTCOMES: readonly WriteOutcome[] = ["created", "updated", "unchanged", "skipped", "failed"];

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

/** An API key without its secret. Times are RFC 3339 UTC with ms. */
export interface WireKey {
  id: string;
  scope: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

/** RFC 6749 section 5.1. */
export interface TokenReply {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  scope: string;
}

export const SQLITE_TYPE = "application/vnd.sqlite3";
export const PROBLEM_TYPE = "application/problem+json";

export type RefusalCode =
  | "MALFORMED_JSON"
  | "BAD_PARAMETER"
  | "BAD_CURSOR"
  | "BAD_HEADER"
  | "BAD_REQUEST"
  | "UNAUTHENTICATED"
  | "INVALID_TOKEN"
  | "INVALID_CLIENT"
  | "INSUFFICIENT_SCOPE"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "NOT_ACCEPTABLE"
  | "REQUEST_TIMEOUT"
  | "ALREADY_EXISTS"
  | "IDEMPOTENCY_IN_PROGRESS"
  | "PRECONDITION_FAILED"
  | "TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "VALIDATION"
  | "ID_MISMATCH"
  | "DUPLICATE_IN_REQUEST"
  | "IDEMPOTENCY_KEY_REUSED"
  | "TOO_MANY_REQUESTS"
  | "HEADERS_TOO_LARGE"
  | "URI_TOO_LONG"
  | "INTERNAL"
  | "UNAVAILABLE"
  | "STORE_FULL";

/** One detail of a problem. `pointer` (RFC 6901) points into what was sent, in the form it was sent. */
export interface ProblemDetail {
  pointer?: string;
  parameter?: string;
  header?: string;
  code: string;
  detail: string;
  /** The record that stands in the way, with ALREADY_EXISTS. */
  href?: string;
}

/** RFC 9457. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  code: RefusalCode;
  errors?: ProblemDetail[];
  truncated?: true;
  requestId?: string;
}
