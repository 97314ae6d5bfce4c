// Declares import jobs: files that the service itself reads and stores, and what its thread is told and tells.

import type { Acknowledged, OnDuplicate } from "./records.ts";
import type { RunCounts } from "./runs.ts";

/** `stopped`: it ended before its end, as `why` says. */
export const IMPORT_STATES = ["queued", "running", "done", "stopped", "cancelled"] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Says how the file is read and what its rows mean. What is left out is found in the file, as an upload does. */
export interface ImportOptions {
  /** Stores nothing, and says what would become of the rows. */
  dryRun?: boolean;
  /** The name of a recipe of the collection. */
  recipe?: string;
  mode?: "create" | "update" | "upsert";
  /** The unique fields that say which record a row means; left out: the key. */
  matchBy?: string[];
  sheet?: string;
  /** The file within a ZIP file with several. */
  entry?: string;
  /** The row of the heading. */
  heading?: number;
  encoding?: string;
  separator?: string;
  acknowledge?: Acknowledged;
  onDuplicate?: OnDuplicate;
  /** Says how many rows may be wrong before nothing is sent; left out: any number. */
  maxRejects?: number;
}

/** Holds what is wrong with rows, as one group. */
export interface ImportProblem {
  /** Is empty where it is about the whole row. */
  field: string;
  code: string;
  message: string;
  rows: number;
}

/** Says how far an import is. */
export interface ImportProgress {
  /** Is null until all rows were counted. */
  rowsTotal: number | null;
  /** Rows that have an outcome. */
  rowsDone: number;
  counts: RunCounts | null;
}

/** An import as the API answers it. Times are RFC 3339 UTC with ms. */
export interface Import extends ImportProgress {
  id: string;
  collection: string;
  fileName: string;
  bytes: number;
  dryRun: boolean;
  recipe: string | null;
  state: ImportState;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  /** The most frequent ones come first. */
  problems: ImportProblem[];
  /** Sentences about the file. */
  notes: string[];
  /** A sentence, where it stopped. */
  why: string | null;
  /** The id of its run; null while nothing was sent, and for a dry run. */
  run: string | null;
}

/** Tells the thread what to do. */
export interface ImportOrder {
  id: string;
  /** The root of the service's own API. */
  baseUrl: string;
  /** Has the rights that the caller has at each moment. */
  token: string;
  /** Names the place of the file. */
  path: string;
  fileName: string;
  collection: string;
  options: ImportOptions;
  /** Holds what the thread has kept with `begin` before the service ended; null at first. */
  begun: string | null;
}

/** Says how an import ended. */
export interface ImportEnd extends Pick<Import, "problems" | "notes" | "why" | "counts" | "rowsTotal"> {
  state: "done" | "stopped" | "cancelled";
  /** Seconds of work. */
  seconds: number;
  /** The service has its report. */
  isReported: boolean;
}

/** Lists what the thread asks of the service. Each rejects once another process has the import. */
export interface ImportCalls {
  /** Keeps how the file is read, before its first row is sent. */
  begin(begun: string): Promise<void>;
  /** Returns the entry of the sent batch with the lowest first row ≥ `row`. */
  fromRow(row: number): Promise<string | undefined>;
  /** Keeps the entry of a batch, safe from a power cut. */
  keepBatch(first: number, entry: string): Promise<void>;
  progress(progress: ImportProgress): Promise<void>;
  end(end: ImportEnd): Promise<void>;
}

export const MOST_IMPORT_PROBLEMS = 100; // groups
