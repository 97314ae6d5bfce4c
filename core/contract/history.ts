import type { Principal } from "./principals.ts";
import type { WireRecord, WireValue } from "./records.ts";

/** Says how a write came in, as its client says: by the API itself, a form, an upload, or a batch run. */
export const CLIENT_SOURCES = ["api", "form", "upload", "batch"] as const;
/** The service itself says that a write is part of an undo, of a run that converts a field into another kind or computes values anew, or of a merge. */
export const SOURCE_TYPES = [...CLIENT_SOURCES, "undo", "conversion", "computation", "merge", "unmerge"] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** `run` is the id of the upload, of the batch run or of the merge, also for what takes it back; null where there is none. */
export interface Source {
  type: SourceType;
  run: string | null;
}

export const OPERATIONS = ["created", "updated", "deleted", "restored", "erased"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Field name → value before and after; null: no value. Fields that stayed as they were are left out. */
export type FieldChanges = Record<string, [old: WireValue | null, now: WireValue | null]>;

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
  /** The names of the rules that warned, and that whoever wrote it has acknowledged. */
  acknowledged?: string[];
  /** Stands with the deletion of a record that was merged into another one: the key of that one. */
  mergedInto?: number;
  /** Stands in the history of a record with the entries of one that was merged into it: the key of that one, whose version it is. */
  mergedFrom?: number;
}

/** The answer to `GET /v1/{collection}/{id}/history`, newest first. `next` is the version to go on from (`before=`). */
export interface HistoryPage {
  history: HistoryEntry[];
  next: number | null;
}

/** The answer to `POST /v1/{collection}/{id}/erasure`. `at`: RFC 3339 UTC with ms. */
export interface Erasure {
  collection: string;
  objectId: number;
  version: number;
  at: string;
  by: Principal | null;
}

/** The answer to `GET /v1/{collection}/{id}/copy`: all that is held about a record. `record` is null for a deleted one. */
export interface RecordCopy {
  collection: string;
  objectId: number;
  copiedAt: string;
  record: WireRecord | null;
  history: HistoryEntry[];
}

/** One change in the change feed. `record` is the record as it is now (null: deleted), with `include=record`. */
export interface Change extends Omit<HistoryEntry, "changes" | "acknowledged" | "mergedFrom"> {
  cursor: string;
  collection: string;
  objectId: number;
  changes?: FieldChanges;
  record?: WireRecord | null;
}

/** The answer to `GET /v1/changes`, in the order that the feed has. `next` is the cursor to go on from, also when there was nothing. */
export interface ChangePage {
  changes: Change[];
  next: string;
}

/** The request header with which a client says how a write came in: `upload; run=2f1c…`. */
export const SOURCE_HEADER = "Intake-Source";

/** Says what was done at a time: by one write, by all writes of a run, or, asked for by run or write, to one record. */
export interface Activity extends Omit<HistoryEntry, "changes" | "acknowledged"> {
  /** The number of the write, by which its changes can be asked for. */
  write: number;
  collection: string;
  /** Counts the changes. Operation, version and record are those of the last one. */
  size: number;
  objectId: number;
  /** Holds the values of its label fields, if the record was deleted. */
  label?: Record<string, WireValue>;
}

/** The answer to `GET /v1/activity`, newest first. `next` is the place to go on from (`before=`). */
export interface ActivityPage {
  activity: Activity[];
  next: string | null;
}

/** The part of a run, or of its undo, that changed one collection. `by` is who began it. */
export interface RunPart extends Pick<HistoryEntry, "by" | "source"> {
  collection: string;
  /** The others who wrote under its id, in the order in which they came. */
  others: Principal[];
  /** They say when its first and last changes were made. */
  from: string;
  to: string;
  size: number;
}

/** The answer to `GET /v1/activity/runs/{run}`, the earliest first; empty for a run that nothing is known of. */
export interface RunSummary {
  parts: RunPart[];
}

/** `day`: YYYY-MM-DD. `bySource` divides `changes` by how they came in, without the ways in which there were none. */
export interface DayCount {
  day: string;
  changes: number;
  bySource: Partial<Record<SourceType, number>>;
}

/** The answer to `GET /v1/activity/days`, in the order of days, also those without changes. */
export interface DayCounts {
  days: DayCount[];
  /** Collections whose changes are not counted, because the reader sees only some of their records. */
  uncounted: string[];
}

/** Says for how many days it is kept that a list left as a file, and what it was searched by; HISTORY_DAYS and CHANGES_DAYS count if fewer. */
export const EXPORT_QUERY_DAYS = 90;
export const EXPORT_DAYS = 365;

/** A list that left as a file. `at`: when it began, RFC 3339 UTC with ms. */
export interface ExportEntry {
  id: string;
  at: string;
  by: Principal | null;
  collection: string;
  /** Other collections of which it has labels. */
  expanded: string[];
  /** The names of the filters, such as `lastName[prefix]`, and `q` for a search. */
  filter: string[];
  /**
   * Search and filters with their values, as the query of an address; null where there were none, where they are forgotten, and for
   * whoever is neither an administrator nor the one who exported.
   */
  query: string | null;
  /** Is null while it is under way, and for ever if the service ended before it did. */
  rows: number | null;
  /** All rows were sent. */
  complete: boolean;
}

/** The answer to `GET /v1/activity/exports`, newest first. `next` is the place to go on from (`before=`). */
export interface ExportPage {
  exports: ExportEntry[];
  next: string | null;
}

/** Names what became of changes. reversed: as before the run. kept: changed again since, so left alone. failed: not possible today. */
export interface UndoCounts {
  reversed: number;
  kept: number;
  failed: number;
}

/** A record that an undo left as it is, and why: as in the counts. */
export interface LeftRecord {
  id: number;
  why: "kept" | "failed";
  /** Says, with failed, what is in the way, as a problem says it, and of which field. */
  code?: string;
  field?: string;
  detail?: string;
}

/** The answer to `POST /v1/{collection}/undo`: of this part of the run, the last changes first. */
export interface UndoReply extends UndoCounts {
  /** Counts those of `reversed` that were as before the run already, by an earlier undo or a deletion. */
  already: number;
  /** Changes of the whole run. */
  size: number;
  /** The records of the counts `kept` and `failed`. */
  left: LeftRecord[];
  /** The request for the next part sends it as `after`; null when the beginning of the run is reached. */
  next: string | null;
}
