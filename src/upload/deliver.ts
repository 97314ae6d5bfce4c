// One batch to the service, until each of its rows has exactly one outcome, whatever service, network or user do. Refuses: nothing; what fails is an outcome.

import type { Fields, Problem } from "../../dictionary/check.ts";
import { type BatchResult, type ProblemBody, WRITE_OUTCOMES } from "../../dictionary/wire.ts";
import type { UploadMode } from "./match.ts";
import type { Pace, Trouble } from "./pace.ts";

/** What became of a row. failed: the service refused it. inDoubt: it was sent and nobody knows. notSent: it certainly is not stored. */
export type Outcome = "created" | "updated" | "unchanged" | "skipped" | "failed" | "inDoubt" | "notSent";

export interface Batch {
  /** The idempotency key: it goes with these records for ever. */
  key: string;
  /** Row number, line in the file and record of each row; three lists of one length. */
  rows: number[];
  lines: number[];
  records: Fields[];
}

export type BatchAnswer =
  | { kind: "answered"; results: BatchResult[] }
  | { kind: "refused"; status: number; detail: string; problems: Problem[]; retryAfter: number | null /* s */ }
  | { kind: "noReply"; detail: string };

/** Sends one batch. Resolves whatever happens; "noReply" when it is unknown whether the service got it, also after an abort. */
export type PostBatch = (records: Fields[], key: string, mode: UploadMode, signal: AbortSignal) => Promise<BatchAnswer>;

/** Told once for every row. Without a reason the end of the upload is the reason. */
export type Settle = (row: number, line: number, outcome: Outcome, reason?: string) => void;

export interface Delivery {
  postBatch: PostBatch;
  mode: UploadMode;
  pace: Pace;
  /** Resolves when there is a new token; one request to the user at a time. Rejects when there will be none. */
  signIn(): Promise<void>;
  settle: Settle;
}

type Refused = Extract<BatchAnswer, { kind: "refused" }>;
type Verdict = "settle" | "signIn" | "again" | "halve" | "stop";

const UNKNOWN = "The service gave no answer for this row. It may or may not be stored.";

/** Rows that the service refused each by itself but not in a result, and its words for the last of them. */
export interface Refusals {
  rows: number;
  detail: string;
}

const NONE: Refusals = { rows: 0, detail: "" };

/** Resolves when each row of the batch has been settled. */
export async function deliver(batch: Batch, to: Delivery): Promise<Refusals> {
  const trouble: Trouble = { since: undefined, tries: 0 };
  let maybeStored = false;
  for (;;) {
    const answer = await to.pace.run((signal) => to.postBatch(batch.records, batch.key, to.mode, signal));
    if (!answer) return leave(batch, to, maybeStored);
    maybeStored ||= isUnclear(answer);
    switch (judge(answer)) {
      case "settle":
        return settleResults(batch, to, answer as Extract<BatchAnswer, { kind: "answered" }>);
      case "signIn":
        if (!(await signedIn(to))) return leave(batch, to, maybeStored);
        break;
      case "again": {
        const why = troubleWith(answer);
        const retryAfter = answer.kind === "refused" ? answer.retryAfter : null;
        if (!(await to.pace.backOff(trouble, why, retryAfter)))
          return leave(batch, to, maybeStored, to.pace.over.aborted ? undefined : why);
        break;
      }
      case "halve":
        // Halves have new keys: what may be stored already must not go again under another one.
        if (maybeStored) return leave(batch, to, true);
        return halve(batch, to, answer as Refused);
      case "stop":
        to.pace.stop((answer as Refused).detail);
        return leave(batch, to, maybeStored);
    }
  }
}

/** The table of upload.md, section 3. */
function judge(answer: BatchAnswer): Verdict {
  if (answer.kind === "answered") return "settle";
  if (answer.kind === "noReply") return "again";
  const { status, retryAfter } = answer;
  if (status === 401) return "signIn";
  if (status === 408 || status === 425 || status === 429 || status >= 500) return "again";
  if (status === 409 && retryAfter !== null) return "again"; // our own first try is still running over there
  if (status === 400 || status === 409 || status === 413 || status === 422) return "halve";
  return "stop"; // 403, 404, 405, 415 …: true of every batch
}

/** 503 means nothing was done; other 5xx and silence can follow a commit. */
function isUnclear(answer: BatchAnswer): boolean {
  return answer.kind === "noReply" || (answer.kind === "refused" && answer.status >= 500 && answer.status !== 503);
}

function troubleWith(answer: BatchAnswer): string {
  if (answer.kind !== "refused") return "The service does not answer.";
  if (answer.status === 429 || answer.status === 503) return "The service is busy.";
  return `The service has trouble (${answer.status}).`;
}

async function signedIn(to: Delivery): Promise<boolean> {
  const { pace } = to;
  const cancelled = new Promise<void>((resolve) => pace.over.addEventListener("abort", () => resolve(), { once: true }));
  try {
    await Promise.race([to.signIn(), cancelled]);
  } catch {
    pace.stop("Nobody is signed in any more.");
  }
  return !pace.over.aborted;
}

/** So that one bad row never costs its batch. The halves go one after the other: rows keep their order. */
async function halve(batch: Batch, to: Delivery, refused: Refused): Promise<Refusals> {
  if (batch.records.length === 1) {
    settleAll(batch, to, "failed", refused.problems.map(({ message }) => message).join(" ") || refused.detail);
    return { rows: 1, detail: refused.detail };
  }
  const middle = Math.ceil(batch.records.length / 2);
  const first = await deliver(cut(batch, 0, middle, "a"), to);
  const second = await deliver(cut(batch, middle, batch.records.length, "b"), to);
  return { rows: first.rows + second.rows, detail: second.detail || first.detail };
}

function cut(batch: Batch, from: number, to: number, half: "a" | "b"): Batch {
  return {
    key: `${batch.key}${half}`, // other records, so another key
    rows: batch.rows.slice(from, to),
    lines: batch.lines.slice(from, to),
    records: batch.records.slice(from, to),
  };
}

function leave(batch: Batch, to: Delivery, maybeStored: boolean, why?: string): Refusals {
  if (maybeStored) settleAll(batch, to, "inDoubt", UNKNOWN);
  else settleAll(batch, to, "notSent", why);
  return NONE;
}

function settleAll(batch: Batch, to: Delivery, outcome: Outcome, reason?: string): void {
  for (const [i, row] of batch.rows.entries()) to.settle(row, batch.lines[i] as number, outcome, reason);
}

/** A result that is missing, doubled or strange must not spoil the sum: each row is settled once. */
function settleResults(batch: Batch, to: Delivery, { results }: { results: BatchResult[] }): Refusals {
  to.pace.answered();
  const found: (BatchResult | undefined)[] = batch.rows.map(() => undefined);
  for (const result of results) {
    if (result.index in found && WRITE_OUTCOMES.includes(result.outcome)) found[result.index] ??= result;
  }
  for (const [i, row] of batch.rows.entries()) {
    const result = found[i];
    const reason = result?.outcome === "failed" ? reasonOf(result.problem) : undefined;
    to.settle(row, batch.lines[i] as number, result?.outcome ?? "inDoubt", result ? reason : UNKNOWN);
  }
  return NONE;
}

function reasonOf(problem: ProblemBody | undefined): string {
  const details = (problem?.errors ?? []).map(({ detail }) => detail);
  return details.join(" ") || problem?.detail || problem?.title || "The service refused this row.";
}
