import type { Principal } from "./principals.ts";
import type { WireRecord } from "./records.ts";

/** How a write came in: by the API itself, a form, an upload, or a batch run. */
export const SOURCE_TYPES = ["api", "form", "upload", "batch"] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** `run` is the id of the upload or batch run; null where there is none. */
export interface Source {
  type: SourceType;
  run: string | null;
}

export const OPERATIONS = ["created", "updated", "deleted", "restored", "erased"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Field name → value before and after; null: no value. Fields that stayed as they were are left out. */
export type FieldChanges = Record<string, [old: string | number | boolean | null, now: string | number | boolean | null]>;

/**
 * One change of a record. `at`: RFC 3339 UTC with ms. A deletion has a version of its own, so versions of a record only rise. `by` is
 * null for a principal that the service does not know any more.
 */
export interface HistoryEntry {
  version: number;
  at: string;
  operation: Operation;
  by: Principal | null;
  source: Source;
  changes: FieldChanges;
}

/** The answer to `GET /v1/{collection}/{id}/history`, newest first. `next` is the version to go on from (`before=`). */
export interface HistoryPage {
  history: HistoryEntry[];
  next: number | null;
}

/** One change in the change feed. `record` is the record as it is now (null: deleted), with `include=record`. */
export interface Change extends Omit<HistoryEntry, "changes"> {
  cursor: string;
  collection: string;
  objectId: number;
  changes?: FieldChanges;
  record?: WireRecord | null;
}

/** The answer to `GET /v1/changes`, in the order of commits. `next` is the cursor to go on from, also when there was nothing. */
export interface ChangePage {
  changes: Change[];
  next: string;
}

/** The request header with which a client says how a write came in: `upload; run=2f1c…`. */
export const SOURCE_HEADER = "Intake-Source";
