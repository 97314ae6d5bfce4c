// One batch to the service, until each of its rows has exactly one outcome, whatever service, network or user do. Refuses: nothing; what fails is an outcome.

import type { ProblemBody } from "../../core/contract/problems.ts";
import { type BatchResult, WRITE_OUTCOMES } from "../../core/contract/records.ts";
import { say, sayCode, toSay } from "../../core/i18n/translate.ts";
import type { Outcome } from "../model/outcomes.ts";
import type { Batch } from "./batches.ts";
import type { KeyTrust } from "./idempotency.ts";
import { type Lookup, reconcile, signedIn, UNKNOWN } from "./reconcile.ts";
import { type Answered, isBusy, isTooMuch, isUnclear, judgeAnswer, type PostBatch, type Refused, troubleWith } from "./responses.ts";
import type { Trouble } from "./scheduler.ts";

/** What must be known of a batch after a crash. Each call resolves when it is kept. */
export interface Marks {
  /** Before a request leaves for the first time; `at`, epoch ms. */
  sent(at: number): Promise<void>;
  /** Before the halves of what went under this key leave. */
  split(key: string): Promise<void>;
  isSplit(key: string): boolean;
}

export interface Delivery extends Lookup {
  postBatch: PostBatch;
  trust: KeyTrust;
  marks: Marks;
}

/** How a batch ended. */
export interface Ended {
  /** False when rows of it wait for another run: the upload was over before their fate was known. */
  isWhole: boolean;
  /** Rows that the service refused each by itself but not in a result, and its words for the last of them. */
  refused: number;
  detail: string;
}

const WELL: Ended = { isWhole: true, refused: 0, detail: "" };
const LEFT: Ended = { isWhole: false, refused: 0, detail: "" };

/** Resolves when each row of the batch has been settled. */
export async function deliver(batch: Batch, to: Delivery, trouble: Trouble = { since: undefined, tries: 0 }): Promise<Ended> {
  const { pace, marks } = to;
  if (marks.isSplit(batch.key)) return halve(batch, to);
  let sentAt = batch.sentBefore;
  let maybeStored = sentAt !== undefined;
  for (;;) {
    if (maybeStored && !to.trust.mayRepeat(sentAt ?? 0)) return findOut(batch, to, trouble, sentAt ?? 0);
    const request = pace.flow.begin();
    const answer = await pace.run(async (signal) => {
      sentAt ??= pace.now();
      await marks.sent(sentAt);
      return to.postBatch(batch.records, batch.key, to.mode, signal);
    });
    if (!answer) return leave(batch, to, maybeStored);
    maybeStored ||= isUnclear(answer);
    if (answer.kind !== "answered") {
      if (isBusy(answer)) pace.flow.slower(request);
      if (isTooMuch(answer)) pace.flow.smaller(batch.records.length);
    }
    switch (judgeAnswer(answer)) {
      case "take":
        return settleResults(batch, to, answer as Answered);
      case "signIn":
        if (!(await signedIn(to))) return leave(batch, to, maybeStored);
        break;
      case "again": {
        const why = troubleWith(answer as Refused);
        const retryAfter = answer.kind === "refused" ? answer.retryAfter : null;
        if (!(await pace.backOff(trouble, why, retryAfter))) return leave(batch, to, maybeStored, pace.over.aborted ? undefined : why);
        break;
      }
      case "cut":
        // Halves have new keys: what may be stored already must not go again under another one.
        if (maybeStored) return findOut(batch, to, trouble, sentAt ?? 0);
        if (batch.records.length > 1) await marks.split(batch.key);
        return halve(batch, to, answer as Refused);
      case "stop":
        pace.stop((answer as Refused).detail);
        return leave(batch, to, maybeStored);
    }
  }
}

/** Rows that may be stored and whose key is worth nothing: read back, and only what is not there goes again. */
async function findOut(batch: Batch, to: Delivery, trouble: Trouble, sentAt: number): Promise<Ended> {
  const firstSent = batch.firstSent ?? sentAt;
  const rest = await reconcile(batch, to, trouble, firstSent);
  if (rest.length === 0) return to.pace.over.aborted ? LEFT : WELL;
  const pick = <T>(list: readonly T[]): T[] => rest.map((at) => list[at] as T);
  const { rows, lines, records } = batch;
  const key = `${batch.key}r${to.pace.now().toString(36)}`; // what is left differs from time to time, so the key does
  return deliver({ key, rows: pick(rows), lines: pick(lines), records: pick(records), isRepeat: true, firstSent }, to, trouble);
}

/** So that one bad row never costs its batch. The halves go one after the other: rows keep their order. */
async function halve(batch: Batch, to: Delivery, refused?: Refused): Promise<Ended> {
  if (batch.records.length === 1) {
    const detail = refused?.detail ?? "";
    settleAll(
      batch,
      to,
      "failed",
      refused?.problems.map(({ message }) => message).join(" ") || detail || say("The service refused this row."),
    );
    return { isWhole: true, refused: 1, detail };
  }
  const middle = Math.ceil(batch.records.length / 2);
  const first = await deliver(cut(batch, 0, middle, "a"), to);
  const second = await deliver(cut(batch, middle, batch.records.length, "b"), to);
  const isWhole = first.isWhole && second.isWhole;
  return { isWhole, refused: first.refused + second.refused, detail: second.detail || first.detail };
}

function cut(batch: Batch, from: number, to: number, half: "a" | "b"): Batch {
  return {
    ...batch,
    key: `${batch.key}${half}`, // other records, so another key
    rows: batch.rows.slice(from, to),
    lines: batch.lines.slice(from, to),
    records: batch.records.slice(from, to),
  };
}

/** The upload is over, or this batch has had all its tries. */
function leave(batch: Batch, to: Delivery, maybeStored: boolean, why?: string): Ended {
  if (maybeStored) settleAll(batch, to, "inDoubt", say(UNKNOWN));
  else settleAll(batch, to, "notSent", why);
  return LEFT;
}

function settleAll(batch: Batch, to: Delivery, outcome: Outcome, reason?: string): void {
  for (const [i, row] of batch.rows.entries()) to.settle(row, batch.lines[i] as number, outcome, reason);
}

/** A result that is missing, doubled or strange must not spoil the sum: each row is settled once. */
function settleResults(batch: Batch, to: Delivery, { results }: Answered): Ended {
  to.pace.answered();
  const found: (BatchResult | undefined)[] = batch.rows.map(() => undefined);
  for (const result of results) {
    if (result.index in found && WRITE_OUTCOMES.includes(result.outcome)) found[result.index] ??= result;
  }
  for (const [i, row] of batch.rows.entries()) {
    const result = found[i];
    const line = batch.lines[i] as number;
    if (!result) to.settle(row, line, "inDoubt", say(UNKNOWN));
    else if (result.outcome !== "failed") to.settle(row, line, result.outcome, undefined, result);
    else if (batch.isRepeat && result.problem?.code === "ALREADY_EXISTS") to.settle(row, line, "inDoubt", say(LATE));
    else to.settle(row, line, "failed", reasonOf(result.problem), result);
  }
  return WELL;
}

const LATE = toSay("This key was taken between two tries to store the row, perhaps by the first of them.");

function reasonOf(problem: ProblemBody | undefined): string {
  const details = (problem?.errors ?? []).map(({ code, detail, pointer }) => sayCode(code, detail, { field: pointer?.split("/").at(-1) }));
  return details.join(" ") || (problem && sayCode(problem.code, problem.detail ?? problem.title)) || say("The service refused this row.");
}
