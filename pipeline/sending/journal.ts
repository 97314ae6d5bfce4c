// What an upload has done so far and must know again after a crash, in IndexedDB: the uploads, and the batches that left. Keeps no token and no file.

import type { Report } from "../model/outcomes.ts";
import type { Plan } from "../model/plan.ts";
import type { Fingerprint } from "../reading/fingerprint.ts";

/** One upload, from its start until it is forgotten. */
export interface StoredUpload {
  id: string;
  collection: string;
  fileName: string;
  /** Epoch milliseconds, as all times here. */
  startedAt: number;
  /** What it needs to go on; gone when nobody can go on with it any more. */
  job?: { plan: Plan; rowsTotal: number; fingerprint: Fingerprint };
  /** The last thing that was said of it. Without it the upload was cut off in the middle. */
  report?: Report;
  endedAt?: number;
  /** Its batches are kept: it can go on, or be undone. */
  hasRows: boolean;
  /** What an undo has done so far. */
  undo?: UndoCounts;
}

/** reversed: as before the upload. kept: changed or deleted since by someone else, so left alone. failed: could not be undone. */
export interface UndoCounts {
  reversed: number;
  kept: number;
  failed: number;
}

/** A batch that left. Once sent it keeps its rows and its key for ever. */
export interface SentBatch {
  upload: string;
  /** Rows of the file, from – to; those between that fail the check are no part of it. The first row is the batch's number. */
  first: number;
  last: number;
  /** When it left for the first time. */
  sentAt: number;
  /** The keys of this batch, or of parts of it, which the service refused as a whole: their halves have gone instead. */
  split: string[];
  /** Once each of its rows has its outcome. The lists are indexed by row − first. */
  result?: {
    outcomes: Uint8Array;
    reasons: [at: number, reason: string][];
    /** What is stored now, for an undo: key and version of rows created or updated; 0 elsewhere. */
    ids: Float64Array;
    versions: Uint32Array;
    /** What updated fields held before. */
    old: [at: number, fields: Record<string, unknown>][];
    /** The places of rows whose key an earlier row of the file has, too. */
    repeats?: number[];
    /** How long the upload had worked by then, all its runs together, ms. */
    spent?: number;
  };
  /** In the place of the result once it was undone, where batches before it have some of its records, too. */
  undone?: UndoneTouch[];
}

/** A record that the upload touched more than once: undone at its last touch, it has a version that the touch before does not know. */
export interface UndoneTouch {
  id: number;
  /** The version that the undone touch had made. */
  of: number;
  now: number;
}

/** One upload's batches, as sending sees them. */
export interface BatchLog {
  /** The sent batch with the lowest first row ≥ `row`. */
  from(row: number): Promise<SentBatch | undefined>;
  /** Resolves when it is kept; with `strict` when it is on the disk, whatever happens to the power. */
  keep(batch: Omit<SentBatch, "upload">, strict: boolean): Promise<void>;
}

export interface Journal {
  put(upload: StoredUpload): Promise<void>;
  get(id: string): Promise<StoredUpload | undefined>;
  /** The latest first. */
  list(): Promise<StoredUpload[]>;
  batches(id: string): BatchLog;
  /** The sent batch with the highest first row < `row`, undone or not. */
  before(id: string, row: number): Promise<SentBatch | undefined>;
  /** A batch was undone: forgets it but for the touches that those before it must know, and adds what became of its rows. All or nothing. */
  undone(id: string, first: number, tally: UndoCounts, touches: UndoneTouch[]): Promise<void>;
  /** The last row that was sent and not undone; 0 before the first. */
  lastRow(id: string): Promise<number>;
  /** The rows that were not stored, as a CSV file, until rows are forgotten. */
  putErrorsFile(id: string, file: ErrorsFile): Promise<void>;
  errorsFile(id: string): Promise<ErrorsFile | undefined>;
  /** Forgets an upload and its batches. */
  drop(id: string): Promise<void>;
  /** Forgets every row but those of some uploads: plans with what was typed, batches with ids and old values. Counts and file names stay. */
  forgetRows(but?: ReadonlySet<string>): Promise<void>;
}

export interface ErrorsFile {
  name: string;
  blob: Blob;
}

/** For browsers that keep no data: nothing of it outlives the tab. */
export function memoryLog(): BatchLog {
  const batches = new Map<number, SentBatch>();
  return {
    from: (row) => Promise.resolve([...batches.values()].filter(({ first }) => first >= row).sort((a, b) => a.first - b.first)[0]),
    keep: (batch) => Promise.resolve(void batches.set(batch.first, { ...batch, upload: "" })),
  };
}

/** For what is gone with the tab and leaves nothing behind, as a preview does. */
export const FORGETFUL_LOG: BatchLog = { from: () => Promise.resolve(undefined), keep: () => Promise.resolve() };
