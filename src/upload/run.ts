// Strings the stages together: a file, a plan and a way to post become a stream of states, at most ten a second. Knows no worker and no page.

import type { Collection } from "../../dictionary/collections.ts";
import type { AskKeyHours, PostBatch, ReadBack } from "./answers.ts";
import { type CheckSummary, checkFile } from "./check.ts";
import type { Holds } from "./holds.ts";
import type { BatchLog } from "./journal.ts";
import type { Plan } from "./judge.ts";
import { KeyTrust } from "./key-trust.ts";
import { type FileLook, lookAt } from "./look.ts";
import { type Clock, Pace, realClock, type Waiting } from "./pace.ts";
import type { Delimiter } from "./parse.ts";
import { FileRefused } from "./read.ts";
import { insist } from "./reconcile.ts";
import { Book, type Outcomes, type Report } from "./report.ts";
import { sendFile } from "./send.ts";

export type UploadState =
  | { step: "columns"; look: FileLook }
  /** The file as a whole: what is wrong, what to do. */
  | { step: "refused"; title: string; detail: string }
  | { step: "checking"; rowsRead: number; bytesRead: number; bytesTotal: number }
  | { step: "checked"; check: CheckSummary }
  /** The file is read once more, so that the upload can go on after a crash. */
  | { step: "preparing" }
  | {
      step: "sending";
      counts: Outcomes;
      rowsTotal: number;
      rowsDone: number;
      rowsPerSecond: number;
      /** Null while it cannot be told. */
      secondsLeft: number | null;
      waiting: Waiting | null;
      isPaused: boolean;
    }
  /** `goesOn`: it was stopped, and what is left can be sent later. */
  | { step: "report"; report: Report; goesOn?: boolean };

export interface CheckJob {
  file: File;
  collection: Collection;
  plan: Plan;
  signal: AbortSignal;
  clock?: Clock;
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

const STATE_EVERY = 100; // ms

export async function runLook(file: File, collection: Collection, delimiter?: Delimiter): Promise<UploadState> {
  try {
    return { step: "columns", look: await lookAt(file, collection, delimiter) };
  } catch (error) {
    return refusedState(error);
  }
}

/** Ends with "checked" or "refused"; after a cancel it ends without either. */
export async function* runCheck({ file, collection, plan, signal, clock = realClock }: CheckJob): AsyncGenerator<UploadState> {
  const started = clock.now();
  let told = Number.NEGATIVE_INFINITY;
  const pass = checkFile(file, collection, plan);
  try {
    for (let next = await pass.next(); ; next = await pass.next()) {
      if (signal.aborted) return;
      if (next.done) return yield { step: "checked", check: { ...next.value, seconds: (clock.now() - started) / 1000 } };
      if (clock.now() - told < STATE_EVERY) continue;
      told = clock.now();
      yield { step: "checking", ...next.value, bytesTotal: file.size };
    }
  } catch (error) {
    yield refusedState(error);
  } finally {
    await pass.return({ rowsRead: 0, ready: 0, groups: [], badRows: [] });
  }
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
  const { file, collection, plan, uploadId, postBatch, readBack, signIn, log, holds, signal, clock = realClock, book = new Book() } = job;
  const started = clock.now();
  const bell = createBell();
  const pace = new Pace(clock, signal, bell.ring, holds);
  const speed = createSpeed(clock);
  const done = new AbortController();
  const settle: typeof book.settle = (...row) => {
    book.settle(...row);
    bell.ring();
  };
  const readOn = () => !book.showsEnough;
  const how = { mode: plan.mode, postBatch, readBack, signIn, pace, settle };
  const work = insist(job.askKeyHours, how)
    .then((answer) => new KeyTrust(answer?.hours ?? 0, clock.now))
    .then((trust) => sendFile({ ...how, trust, file, collection, plan, uploadId, log, readOn }))
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
      const isPaused = holds?.why === "paused";
      yield { step: "sending", counts: { ...book.counts }, rowsTotal, rowsDone, ...speed(rowsTotal, rowsDone, waiting), waiting, isPaused };
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
