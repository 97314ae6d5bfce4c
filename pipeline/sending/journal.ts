// Keeps what an upload has done so far and needs to know after a crash: the uploads, and the batches that were sent.

import type { UndoCounts } from "../../core/contract/history.ts";
import type { Corrected } from "../model/corrections.ts";
import type { Choices } from "../model/dialect.ts";
import type { Report } from "../model/outcomes.ts";
import type { Plan } from "../model/plan.ts";
import type { Fingerprint } from "../reading/fingerprint.ts";

/** Says that the file has rows that another upload did not store, and that they go into the same run. */
export interface SentAgain {
  run: string;
  round: number;
  /** The name of the file from which they came. */
  fileName: string;
  /** Their numbers in it, in the order in which they are sent. */
  rows: number[];
}

/** One upload, from its start until it is deleted. */
export interface StoredUpload {
  id: string;
  collection: string;
  fileName: string;
  /** The name of the recipe that its plan began with. */
  recipe?: string;
  again?: SentAgain;
  /** The service has its report, so that others may send its rows: it goes on only after asking. */
  isReported?: boolean;
  /** Epoch milliseconds, like all times here. */
  startedAt: number;
  /** Holds what it needs to continue; undefined when it cannot continue any more. */
  job?: { plan: Plan; rowsTotal: number; fingerprint: Fingerprint };
  /** Nothing was sent yet: the file was checked and corrected. What is needed to go on with that. */
  unsent?: { choices: Choices; corrected: Corrected };
  /** Its latest report. Without one the upload was interrupted. */
  report?: Report;
  endedAt?: number;
  /** Its batches are stored, so it can be continued. */
  hasRows: boolean;
  /** Holds what the latest undo has done. */
  undo?: UndoCounts;
}

/** A batch that was sent. It keeps its rows and its key for ever. */
export interface SentBatch {
  upload: string;
  /** Rows of the file, from–to; invalid rows between them are not part of it. The first row is the batch's number. */
  first: number;
  last: number;
  /** Says when it was first sent. */
  sentAt: number;
  /** The keys of this batch, or of parts of it, that the service refused as a whole: it was sent in halves instead. */
  split: string[];
  /** Is set once each of its rows has an outcome. The lists are indexed by row − first. */
  result?: {
    outcomes: Uint8Array;
    reasons: [at: number, reason: string][];
    /** Says how long the upload had worked by then, in all its runs; ms. */
    spent?: number;
  };
}

/** The batches of one upload. */
export interface BatchLog {
  /** Returns the sent batch with the lowest first row ≥ `row`. */
  from(row: number): Promise<SentBatch | undefined>;
  /** Resolves when it is stored; with `strict`, when it is safe from a power cut. */
  keep(batch: Omit<SentBatch, "upload">, strict: boolean): Promise<void>;
}

export interface Journal {
  put(upload: StoredUpload): Promise<void>;
  get(id: string): Promise<StoredUpload | undefined>;
  /** Lists the latest first. */
  list(): Promise<StoredUpload[]>;
  batches(id: string): BatchLog;
  /** Returns the last row that was sent; 0 before the first. */
  lastRow(id: string): Promise<number>;
  /** Keeps the rows that were not stored, as a CSV file. It is deleted with the rows. */
  putErrorsFile(id: string, file: ErrorsFile): Promise<void>;
  errorsFile(id: string): Promise<ErrorsFile | undefined>;
  /** Deletes an upload and its batches. */
  drop(id: string): Promise<void>;
  /**
   * Deletes the rows of all uploads except some: plans with what was typed, batches with reasons. Counts and file
   * names stay.
   */
  forgetRows(but?: ReadonlySet<string>): Promise<void>;
}

export interface ErrorsFile {
  name: string;
  blob: Blob;
}

/** Serves browsers that store nothing: it ends with the tab. */
export function memoryLog(): BatchLog {
  const batches = new Map<number, SentBatch>();
  return {
    from: (row) => Promise.resolve([...batches.values()].filter(({ first }) => first >= row).sort((a, b) => a.first - b.first)[0]),
    keep: (batch) => Promise.resolve(void batches.set(batch.first, { ...batch, upload: "" })),
  };
}

/** Serves work that must leave no trace, such as a preview. */
export const FORGETFUL_LOG: BatchLog = { from: () => Promise.resolve(undefined), keep: () => Promise.resolve() };
