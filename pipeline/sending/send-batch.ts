// Sends one batch until each of its rows has exactly one outcome, whatever the service, the network or the user does.

import type { ProblemBody } from "../../core/contract/problems.ts";
import { type BatchResult, WRITE_OUTCOMES } from "../../core/contract/records.ts";

import { titleOfProblem, titlesOf } from "../../core/dictionary/unique-keys.ts";
import { message, t, tCode } from "../../core/i18n/translate.ts";
import { matchFields } from "../mapping/match-records.ts";
import type { Outcome } from "../model/outcomes.ts";
import type { Batch } from "./batches.ts";
import type { KeyTrust } from "./key-trust.ts";
import { type Lookup, MAYBE_STORED, reconcile, signedIn } from "./reconcile.ts";
import {
  type Answered,
  busyMessage,
  classifyResponse,
  type HowToWrite,
  isBusy,
  isTooMuch,
  isUnclear,
  type PostBatch,
  type Refused,
} from "./responses.ts";
import type { FailureStreak } from "./scheduler.ts";

/** Keeps what must be known of a batch after a crash. Each call resolves when it is stored. */
export interface Marks {
  /** Is called before a request is first sent; `at`, epoch ms. */
  sent(at: number): Promise<void>;
  /** Is called before the halves of the batch with this key are sent. */
  split(key: string): Promise<void>;
  isSplit(key: string): boolean;
}

export interface BatchSending extends Lookup {
  postBatch: PostBatch;
  how?: HowToWrite;
  trust: KeyTrust;
  marks: Marks;
}

/** Says how a batch ended. */
export interface Ended {
  /** Is false when some of its rows wait for another run, because the upload ended before their outcome was known. */
  isWhole: boolean;
  /** Rows that the service refused one by one with an error response, and its sentence for the last of them. */
  refused: number;
  detail: string;
}

const WELL: Ended = { isWhole: true, refused: 0, detail: "" };
const LEFT: Ended = { isWhole: false, refused: 0, detail: "" };

/** Resolves when each row of the batch has an outcome, or waits for another run. */
export async function sendBatch(batch: Batch, to: BatchSending, streak: FailureStreak = { since: undefined, tries: 0 }): Promise<Ended> {
  const { scheduler, marks } = to;
  if (marks.isSplit(batch.key)) return halve(batch, to);
  let sentAt = batch.sentBefore;
  let maybeStored = sentAt !== undefined;
  for (;;) {
    if (maybeStored && !to.trust.mayRepeat(sentAt ?? 0)) return findOut(batch, to, streak, sentAt ?? 0);
    const request = scheduler.concurrency.begin();
    const answer = await scheduler.run(async (signal) => {
      sentAt ??= scheduler.now();
      await marks.sent(sentAt);
      return to.postBatch(batch.records, batch.key, batch.modes ?? to.mode, signal, howOf(batch, to));
    });
    if (!answer) return leave(batch, to, maybeStored);
    maybeStored ||= isUnclear(answer);
    if (answer.kind !== "answered") {
      if (isBusy(answer)) scheduler.concurrency.slower(request);
      if (isTooMuch(answer)) scheduler.concurrency.smaller(batch.records.length);
    }
    switch (classifyResponse(answer)) {
      case "take":
        return recordResults(batch, to, answer as Answered);
      case "signIn":
        if (!(await signedIn(to))) return leave(batch, to, maybeStored);
        break;
      case "again": {
        const why = busyMessage(answer as Refused);
        const retryAfter = answer.kind === "refused" ? answer.retryAfter : null;
        if (await scheduler.backOff(streak, why, retryAfter)) break;
        return leave(batch, to, maybeStored, scheduler.over.aborted ? undefined : why);
      }
      case "cut":
        // Halves have new keys. Rows that may be stored must not be sent again under another key.
        if (maybeStored) return findOut(batch, to, streak, sentAt ?? 0);
        if (batch.records.length > 1) await marks.split(batch.key);
        return halve(batch, to, answer as Refused);
      case "stop":
        scheduler.stop((answer as Refused).detail);
        return leave(batch, to, maybeStored);
    }
  }
}

/**
 * Serves rows that may be stored, when the key no longer protects a repeated request: reads them back and sends only those that are not
 * there.
 */
async function findOut(batch: Batch, to: BatchSending, streak: FailureStreak, sentAt: number): Promise<Ended> {
  const firstSent = batch.firstSent ?? sentAt;
  const rest = await reconcile(batch, to, streak, firstSent);
  if (rest.length === 0) return to.scheduler.over.aborted ? LEFT : WELL;
  const pick = <T>(list: readonly T[]): T[] => rest.map((at) => list[at] as T);
  const { rows, lines, records, modes, versions } = batch;
  const key = `${batch.key}r${to.scheduler.now().toString(36)}`; // what is left differs from time to time, so the key does too
  const lists = { rows: pick(rows), lines: pick(lines), records: pick(records) };
  const left = { ...lists, ...(modes && { modes: pick(modes) }), ...(versions && { versions: pick(versions) }) };
  return sendBatch({ key, ...left, isRepeat: true, firstSent }, to, streak);
}

function howOf({ versions }: Batch, { how }: BatchSending): HowToWrite | undefined {
  return versions ? { ...how, versions } : how;
}

/** Halves it so that one bad row does not cost its batch. The halves are sent one after the other, because rows keep their order. */
async function halve(batch: Batch, to: BatchSending, refused?: Refused): Promise<Ended> {
  if (batch.records.length === 1) {
    const detail = refused?.detail ?? "";
    recordAll(
      batch,
      to,
      "failed",
      refused?.problems.map(({ message }) => message).join(" ") || detail || t("The service refused this row."),
    );
    return { isWhole: true, refused: 1, detail };
  }
  const middle = Math.ceil(batch.records.length / 2);
  const first = await sendBatch(cut(batch, 0, middle, "a"), to);
  const second = await sendBatch(cut(batch, middle, batch.records.length, "b"), to);
  const isWhole = first.isWhole && second.isWhole;
  return { isWhole, refused: first.refused + second.refused, detail: second.detail || first.detail };
}

function cut(batch: Batch, from: number, to: number, half: "a" | "b"): Batch {
  return {
    ...batch,
    key: `${batch.key}${half}`, // other records need another key
    rows: batch.rows.slice(from, to),
    lines: batch.lines.slice(from, to),
    records: batch.records.slice(from, to),
    ...(batch.modes && { modes: batch.modes.slice(from, to) }),
    ...(batch.versions && { versions: batch.versions.slice(from, to) }),
  };
}

/** Nothing more is sent: the upload is over, or this batch has used all its attempts. `whyUnsent`: unless the report says it for the whole upload. */
function leave(batch: Batch, to: BatchSending, maybeStored: boolean, whyUnsent?: string): Ended {
  recordAll(batch, to, maybeStored ? "inDoubt" : "notSent", maybeStored ? t(MAYBE_STORED) : whyUnsent);
  return LEFT;
}

function recordAll(batch: Batch, to: BatchSending, outcome: Outcome, reason?: string): void {
  for (const [i, row] of batch.rows.entries()) to.recordOutcome(row, batch.lines[i] as number, outcome, reason);
}

/** A result that is missing, doubled or unknown must not spoil the counts: each row gets one outcome. */
function recordResults(batch: Batch, to: BatchSending, { results }: Answered): Ended {
  to.scheduler.answered();
  const found: (BatchResult | undefined)[] = batch.rows.map(() => undefined);
  for (const result of results) {
    if (result.index in found && WRITE_OUTCOMES.includes(result.outcome)) found[result.index] ??= result;
  }
  for (const [i, row] of batch.rows.entries()) {
    const result = found[i];
    const line = batch.lines[i] as number;
    if (!result) to.recordOutcome(row, line, "inDoubt", t(MAYBE_STORED));
    else if (result.outcome !== "failed") to.recordOutcome(row, line, result.outcome, undefined, result);
    else if (batch.isRepeat && result.problem?.code === "ALREADY_EXISTS") to.recordOutcome(row, line, "inDoubt", t(LATE));
    else to.recordOutcome(row, line, "failed", reasonOf(result.problem, to), result);
  }
  return WELL;
}

const LATE = message("This key was taken between two attempts to store the row, perhaps by the first.");

/** Returns the name of the field that a problem of the service points at, if it points at one. */
export function fieldOfProblem({ pointer = "" }: { pointer?: string | undefined }): string {
  return pointer.split("/").at(-1) ?? "";
}

function reasonOf(problem: ProblemBody | undefined, { collection, how }: BatchSending): string {
  // Among rows the code of an address that leads nowhere means a record that is not there.
  const named = { noun: collection.noun, key: titlesOf(matchFields(collection, how?.matchBy)) };
  if (problem?.code === "NOT_FOUND") return t("There is no {noun} with this {key}.", named);
  if (problem?.code === "ALREADY_EXISTS") return t("Another {noun} already has this {key}.", named);
  const details = (problem?.errors ?? []).map((error) => {
    const field = fieldOfProblem(error);
    return tCode(error.code, error.detail, { field: titleOfProblem(collection, { code: error.code, field }) ?? field });
  });
  return details.join(" ") || (problem && tCode(problem.code, problem.detail ?? problem.title)) || t("The service refused this row.");
}
