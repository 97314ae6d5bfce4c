// Strings the stages together: a file, a plan and a way to post become a stream of states, at most ten a second. Knows no worker and no page.

import type { Collection } from "../../dictionary/collections.ts";
import { checkFile } from "./check.ts";
import type { PostBatch } from "./deliver.ts";
import { type CheckSummary, Findings } from "./findings.ts";
import type { Plan } from "./judge.ts";
import { type FileLook, lookAt } from "./look.ts";
import { type MendingState, NOTHING_MENDED } from "./mending-state.ts";
import { type Clock, Pace, realClock, type Waiting } from "./pace.ts";
import type { Delimiter } from "./parse.ts";
import { FileRefused } from "./read.ts";
import { Book, type Outcomes, type Report } from "./report.ts";
import { sendFile } from "./send.ts";

export type UploadState =
  | { step: "columns"; look: FileLook }
  /** The file as a whole: what is wrong, what to do. */
  | { step: "refused"; title: string; detail: string }
  | { step: "checking"; rowsRead: number; bytesRead: number; bytesTotal: number }
  /** `mending`: what the user did about it so far, and what the service would say. */
  | { step: "checked"; check: CheckSummary; mending: MendingState }
  | {
      step: "sending";
      counts: Outcomes;
      rowsTotal: number;
      rowsDone: number;
      rowsPerSecond: number;
      /** Null while it cannot be told. */
      secondsLeft: number | null;
      waiting: Waiting | null;
    }
  | { step: "report"; report: Report };

export interface CheckJob {
  file: File;
  collection: Collection;
  plan: Plan;
  signal: AbortSignal;
  clock?: Clock;
  /** Gets what was found, which can change afterwards, before the state "checked" tells its sum. */
  onFound?: (findings: Findings) => void;
}

export interface UploadJob extends CheckJob {
  /** Begins every idempotency key, so it is new for every upload. */
  uploadId: string;
  postBatch: PostBatch;
  /** Called when the service does not accept the token; resolves when there is another. */
  signIn(): Promise<void>;
  /** The check of this very file and plan, when there was one; otherwise it is done first. */
  check?: CheckSummary | undefined;
  /** Where to keep each row's outcome, for the errors file. */
  book?: Book;
}

const STATE_EVERY = 100; // ms

export async function runLook(file: File, collection: Collection, delimiter?: Delimiter): Promise<UploadState> {
  try {
    return { step: "columns", look: await lookAt(file, collection, delimiter) };
  } catch (error) {
    return refusedState(error);
  }
}

/** Ends with "checked" or "refused"; after a cancel it ends without either. */
export async function* runCheck({ file, collection, plan, signal, clock = realClock, onFound }: CheckJob): AsyncGenerator<UploadState> {
  const started = clock.now();
  let told = Number.NEGATIVE_INFINITY;
  const findings = new Findings(collection, plan);
  try {
    for await (const _ of checkFile(file, collection, plan, findings)) {
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
  let check = job.check;
  if (!check) {
    for await (const state of runCheck(job)) {
      yield state;
      if (state.step === "checked") check = state.check;
    }
  }
  if (check) yield* send(job, check.rowsRead);
}

async function* send(job: UploadJob, rowsTotal: number): AsyncGenerator<UploadState> {
  const { file, collection, plan, uploadId, postBatch, signIn, signal, clock = realClock, book = new Book() } = job;
  const started = clock.now();
  const bell = createBell();
  const pace = new Pace(clock, signal, bell.ring);
  const speed = createSpeed(clock);
  const done = new AbortController();
  const settle: typeof book.settle = (...row) => {
    book.settle(...row);
    bell.ring();
  };
  const readOn = () => !book.showsEnough;
  const work = sendFile({ file, collection, plan, mode: plan.mode, uploadId, postBatch, signIn, pace, settle, readOn })
    .catch((error: unknown) => {
      if (!(error instanceof FileRefused)) throw error;
      pace.stop(error.message);
    })
    .finally(() => {
      done.abort();
      bell.ring();
    });
  work.catch(() => undefined); // thrown below, when it is awaited
  try {
    while (!done.signal.aborted) {
      await bell.rung();
      if (done.signal.aborted) break;
      const { waiting } = pace;
      const rowsDone = book.settled;
      yield { step: "sending", counts: { ...book.counts }, rowsTotal, rowsDone, ...speed(rowsTotal, rowsDone, waiting), waiting };
      await clock.sleep(STATE_EVERY, done.signal);
    }
    await work;
  } finally {
    pace.close();
  }
  const ended = pace.why ? "stopped" : signal.aborted ? "cancelled" : "done";
  const seconds = (clock.now() - started) / 1000;
  yield { step: "report", report: book.close(rowsTotal, { seconds, ended, ...(pace.why ? { why: pace.why } : {}) }) };
}

function refusedState(error: unknown): UploadState {
  if (!(error instanceof FileRefused)) throw error;
  return { step: "refused", title: error.title, detail: error.detail };
}

/** Rings are not counted: whoever comes to listen hears at once that there was one, and then waits for the next. */
function createBell(): { ring(): void; rung(): Promise<void> } {
  let isRung = true; // so that the first state does not wait for a row
  let wake = (): void => undefined;
  return {
    ring() {
      isRung = true;
      wake();
    },
    async rung() {
      if (!isRung) await new Promise<void>((resolve) => (wake = resolve));
      isRung = false;
    },
  };
}

const SPEED_OVER = 10_000; // ms; long enough not to jump, short enough to follow a change

function createSpeed(
  clock: Clock,
): (total: number, done: number, waiting: unknown) => { rowsPerSecond: number; secondsLeft: number | null } {
  const seen = [{ at: clock.now(), done: 0 }];
  return (total, done, waiting) => {
    const at = clock.now();
    seen.push({ at, done });
    while (seen.length > 2 && at - (seen[1]?.at ?? at) > SPEED_OVER) seen.shift();
    const from = seen[0] ?? { at, done };
    const rowsPerSecond = at > from.at ? ((done - from.done) * 1000) / (at - from.at) : 0;
    const isKnown = rowsPerSecond > 0 && !waiting && at - from.at >= 1000;
    return { rowsPerSecond: Math.round(rowsPerSecond), secondsLeft: isKnown ? Math.ceil((total - done) / rowsPerSecond) : null };
  };
}
