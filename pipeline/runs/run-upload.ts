// Strings the stages together: a file, a plan and a way to post become a stream of states, at most ten a second. Knows no worker and no page.

import type { Collection } from "../../core/dictionary/collections.ts";
import { checkFile } from "../checking/check-file.ts";
import { Findings } from "../checking/findings.ts";
import { NOTHING_MENDED } from "../correction/correction-state.ts";
import { lookAt } from "../inspection/inspect-file.ts";
import type { KeptMapping } from "../mapping/remembered-mapping.ts";
import { type Clock, realClock } from "../model/clock.ts";
import type { Choices } from "../model/dialect.ts";
import { FileRefused } from "../model/file-error.ts";
import { Book, type Report } from "../model/outcomes.ts";
import type { Plan } from "../model/plan.ts";
import type { OpenRows } from "../reading/row-source.ts";
import { KeyTrust } from "../sending/idempotency.ts";
import type { BatchLog } from "../sending/journal.ts";
import type { Holds } from "../sending/pauses.ts";
import { insist } from "../sending/reconcile.ts";
import type { AskKeyHours, PostBatch, ReadBack } from "../sending/responses.ts";
import { Pace } from "../sending/scheduler.ts";
import { sendFile } from "../sending/send-file.ts";
import { Stopwatch } from "../sending/stopwatch.ts";
import { createSpeed, createTicker, STATE_EVERY } from "../sending/throttle.ts";
import type { UploadState } from "./upload-state.ts";

export interface CheckJob {
  file: File;
  collection: Collection;
  plan: Plan;
  /** In the place of reading the file as CSV. */
  openRows?: OpenRows;
  signal: AbortSignal;
  clock?: Clock;
  /** Gets what was found, which can change afterwards, before the state "checked" tells its sum. */
  onFound?: (findings: Findings) => void;
}

export interface UploadJob extends CheckJob {
  /** Begins every idempotency key, so it is new for every upload, and the same when one goes on. */
  uploadId: string;
  postBatch: PostBatch;
  readBack: ReadBack;
  askKeyHours: AskKeyHours;
  /** Called when the service does not accept the token; resolves when there is another. */
  signIn(): Promise<void>;
  /** What has been sent, kept for another run. */
  log: BatchLog;
  holds?: Holds;
  /** Rows in the file, when a check of this very file and plan has counted them; otherwise it is done first. */
  rowsTotal?: number | undefined;
  /** Where to keep each row's outcome, for the errors file. */
  book?: Book;
}

export async function runLook(file: File, collection: Collection, choices?: Choices, kept?: readonly KeptMapping[]): Promise<UploadState> {
  try {
    return { step: "columns", look: await lookAt(file, collection, choices, kept) };
  } catch (error) {
    return refusedState(error);
  }
}

/** Ends with "checked" or "refused"; after a cancel it ends without either. */
export async function* runCheck(job: CheckJob): AsyncGenerator<UploadState> {
  const { file, collection, plan, openRows, signal, clock = realClock, onFound } = job;
  const started = clock.now();
  let told = Number.NEGATIVE_INFINITY;
  const findings = new Findings(collection, plan);
  try {
    for await (const _ of checkFile(file, collection, plan, findings, openRows)) {
      if (signal.aborted) return;
      if (clock.now() - told < STATE_EVERY) continue;
      told = clock.now();
      yield { step: "checking", rowsRead: findings.rowsRead, bytesRead: findings.bytesRead, bytesTotal: file.size };
    }
  } catch (error) {
    return yield refusedState(error);
  }
  if (signal.aborted) return;
  findings.seconds = (clock.now() - started) / 1000;
  onFound?.(findings);
  yield { step: "checked", check: findings.summary(), mending: NOTHING_MENDED };
}

/** Ends with "report", whose counts add up to the rows read whatever happened, or with "refused" by the check. */
export async function* runUpload(job: UploadJob): AsyncGenerator<UploadState> {
  let { rowsTotal } = job;
  if (rowsTotal === undefined) {
    for await (const state of runCheck(job)) {
      yield state;
      if (state.step === "checked") rowsTotal = state.check.rowsRead;
    }
  }
  if (rowsTotal !== undefined) yield* send(job, rowsTotal);
}

async function* send(job: UploadJob, rowsTotal: number): AsyncGenerator<UploadState> {
  const { file, collection, plan, openRows, uploadId, log, holds, signal, clock = realClock, book = new Book() } = job;
  const { postBatch, readBack, signIn } = job;
  const ended = new AbortController();
  const watch = new Stopwatch(clock.now, holds, ended.signal);
  const ticker = createTicker(clock);
  const pace = new Pace(clock, signal, ticker.ring, holds);
  const speed = createSpeed({ now: () => watch.own });
  let earlier = 0;
  const settle: typeof book.settle = (...row) => {
    book.settle(...row);
    ticker.ring();
  };
  const readOn = () => !book.showsEnough;
  const how = { mode: plan.mode, postBatch, readBack, signIn: () => watch.without(signIn()), pace, settle };
  const onEarlier = () => void earlier++;
  const work = insist(job.askKeyHours, how)
    .then((answer) => new KeyTrust(answer, clock.now))
    .then((trust) => sendFile({ ...how, trust, file, collection, plan, openRows, uploadId, log, watch, onEarlier, readOn }))
    .catch((error: unknown) => {
      if (!(error instanceof FileRefused)) throw error;
      pace.stop(error.message);
    });
  try {
    yield* ticker.states(work, () => {
      const { waiting } = pace;
      const rowsDone = book.settled;
      const progress = {
        rowsTotal,
        rowsDone,
        ...speed(rowsTotal - earlier, rowsDone - earlier, waiting),
        waiting,
        isPaused: holds?.why === "paused",
      };
      return { step: "sending", counts: { ...book.counts }, ...progress };
    });
  } finally {
    pace.close();
    ended.abort();
  }
  yield { step: "report", report: book.close(rowsTotal, endOf(pace, signal, watch)) };
}

function endOf({ why }: Pace, signal: AbortSignal, watch: Stopwatch): Pick<Report, "seconds" | "hasPaused" | "ended" | "why"> {
  const ended = why ? "stopped" : signal.aborted ? "cancelled" : "done";
  return { seconds: watch.total / 1000, ...(watch.hasPaused && { hasPaused: true }), ended, ...(why && { why }) };
}

function refusedState(error: unknown): UploadState {
  if (!(error instanceof FileRefused)) throw error;
  return { step: "refused", title: error.title, detail: error.detail, remedy: error.remedy };
}
