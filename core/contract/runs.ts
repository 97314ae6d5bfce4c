// Declares reports of runs with the rows not stored, which the service keeps for all who read the collection.

import type { Principal } from "./principals.ts";

/** Says how the service counts rows; `created + updated + unchanged + skipped + failed + inDoubt + notSent` are the rows that were read. */
export const RUN_OUTCOMES = ["created", "updated", "unchanged", "skipped", "failed", "inDoubt", "notSent"] as const;
export type RunCounts = Record<(typeof RUN_OUTCOMES)[number], number>;

/** Lists the outcomes of rows that the service does not have, or may not have. */
export const ROW_OUTCOMES = ["failed", "inDoubt", "notSent"] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** `running`: it has sent no report yet. `stopped`: the computer on which it was made can go on with it. */
export const RUN_STATES = ["running", "stopped", "cancelled", "done"] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Says what a row of the file meant. Names of fields are those of today. */
export interface RunMeaning {
  mode: "create" | "update" | "upsert";
  /** The unique fields that say which record a row means; left out: the key. */
  matchBy?: string[];
  /** An empty cell takes the stored value away. */
  clears?: boolean;
}

/** Holds what is known of a run when it begins. */
export interface NewRun {
  collection: string;
  fileName: string;
  /** Says which bytes the file has: 64 hexadecimal digits, or empty where that is not known. */
  file: string;
  recipe?: string;
  meaning: RunMeaning;
}

/** Holds a row that was not stored. */
export interface RunRow {
  /** Its number in the file, from 1 on. */
  row: number;
  /** The line of the file at which it begins. */
  line: number;
  outcome: RowOutcome;
  /** Speaks the language of whoever uploaded; null where it may tell of what the reader does not see. */
  reason: string | null;
  /** The fields that the reason is about; none: it is about the whole row, or nobody knows. */
  fields: string[];
  /** The codes of the problems. */
  codes: string[];
  /** The cells of the row by the names of fields, and by names such as `customer.accountNumber` for those of parents. */
  values: Record<string, string>;
}

/** Says how a run ended, or one more try with the rows that were not stored. */
export interface RunReport {
  state: Exclude<RunState, "running">;
  counts: RunCounts;
  rowsRead: number;
  /** Working time in seconds. */
  seconds: number;
  /** A sentence, when it stopped. */
  why?: string;
  /** The first rows that were not stored, in the order of the file. */
  rows: RunRow[];
}

/** The body of `PUT /v1/runs/{id}`. */
export interface RunUpdate extends NewRun {
  /** 0 for the file itself; each time that rows not stored are sent again it is one more. */
  round: number;
  /** Begins the idempotency keys of this round, and tells two people apart who send the same rows again. */
  upload: string;
  report?: RunReport;
}

/** Names a run with the same file, of somebody else or in another place. */
export interface SameFile {
  id: string;
  by: Principal | null;
  /** Says when it last did something. */
  at: string;
  state: RunState;
}

/** Times are RFC 3339 UTC with ms. */
export interface Run extends Omit<NewRun, "recipe"> {
  id: string;
  recipe: string | null;
  by: Principal | null;
  begunAt: string;
  state: RunState;
  round: number;
  /** Names who has begun the latest round. */
  roundBy: Principal | null;
  roundAt: string;
  /** Is null until the first report. */
  counts: RunCounts | null;
  rowsRead: number | null;
  seconds: number | null;
  why: string | null;
  reportedAt: string | null;
  /** Counts the rows not stored that are kept here with their values. */
  keptRows: number;
  /** Their values were removed, because a record was erased since. */
  isForgotten: boolean;
  /** Counts the changes of its collection that were taken back since. */
  takenBack: number;
}

/** The answer to `PUT /v1/runs/{id}`. */
export interface PutRun {
  run: Run;
  /** Runs with the same file that somebody else makes or has just made. */
  sameFile: SameFile[];
}

export const MAX_RUN_ROWS = 5_000; // rows not stored that are kept of a run
export const MAX_RUN_TEXT = 2_000_000; // characters of their JSON together
export const MAX_REASON = 2_000; // characters
export const RUN_DAYS = 90; // unless RUN_DAYS says otherwise
export const MOST_RUNS_WITH_ROWS = 50; // of one person or key; of older ones the report stays
export const MOST_RUNS = 10_000; // of one person or key; older ones are forgotten
/** Within this time a run with the same file is at once. */
export const AT_ONCE_MS = 3_600_000;

/** Says whether a run may have this id. */
export function isRunId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}
