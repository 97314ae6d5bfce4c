// Takes a run back: the service does it, part by part, and this asks for one after the other until the end.

import type { LeftRecord, UndoCounts, UndoReply } from "../../core/contract/history.ts";
import { t } from "../../core/i18n/translate.ts";
import { type Clock, realClock } from "../model/clock.ts";
import type { Pauses } from "../sending/pauses.ts";
import { retry } from "../sending/reconcile.ts";
import { classifyResponse, type PostUndo } from "../sending/responses.ts";
import { Scheduler } from "../sending/scheduler.ts";
import { Stopwatch } from "../sending/stopwatch.ts";
import { createSpeed, createTicker } from "../sending/throttle.ts";
import type { UndoObstacle, UploadState } from "./upload-state.ts";

export interface UndoJob {
  /** The id of the upload or the batch run. */
  run: string;
  postUndo: PostUndo;
  signIn(): Promise<void>;
  signal: AbortSignal;
  /** Called with the records that were left as they are, part by part. */
  onLeft?: (left: readonly LeftRecord[]) => void;
  pauses?: Pauses;
  clock?: Clock;
}

/**
 * Ends with "undone"; of no rows when the service's history does not know the run. Records that someone has changed since are left alone.
 * The service knows what has been undone, so an undo that was interrupted anywhere, or whose reply was lost, is simply begun again: nothing
 * is done twice, and what was undone earlier is counted as such.
 */
export async function* undoRun(job: UndoJob): AsyncGenerator<UploadState> {
  const { clock = realClock, signal } = job;
  const counts: UndoCounts = { reversed: 0, kept: 0, failed: 0 };
  const obstacles = new Map<string, UndoObstacle>();
  let already = 0;
  let rowsTotal = 0;
  const ticker = createTicker(clock);
  const scheduler = new Scheduler(clock, signal, ticker.ring, job.pauses);
  const over = new AbortController();
  const watch = new Stopwatch(clock.now, job.pauses, over.signal);
  const speed = createSpeed({ now: () => watch.own });
  const take = (reply: UndoReply, wasLost: boolean): void => {
    const { reversed, kept, failed, size, left } = reply;
    if (left.length > 0) job.onLeft?.(left);
    for (const record of left) addObstacle(obstacles, record);
    if (!wasLost) already += reply.already; // otherwise this undo itself has done it
    counts.reversed += reversed;
    counts.kept += kept;
    counts.failed += failed;
    rowsTotal = size;
    ticker.ring();
  };
  try {
    yield* ticker.states(undoAll(job, scheduler, take), () => {
      const { waiting } = scheduler;
      const rowsDone = counts.reversed + counts.kept + counts.failed;
      const progress = { rowsTotal, rowsDone, ...speed(rowsTotal, rowsDone, waiting), waiting, isPaused: job.pauses?.why === "paused" };
      return { step: "undoing", counts: { ...counts }, ...progress };
    });
  } finally {
    scheduler.close();
    over.abort();
  }
  const ended = scheduler.why ? "stopped" : signal.aborted ? "cancelled" : "done";
  yield {
    step: "undone",
    counts: { ...counts },
    already,
    obstacles: [...obstacles.values()],
    rowsTotal,
    ended,
    ...(scheduler.why && { why: scheduler.why }),
  };
}

const SHOWN_IDS = 3;

/** Records that others refer to are one group, however many refer to each. */
function addObstacle(obstacles: Map<string, UndoObstacle>, { id, why, code, field, detail }: LeftRecord): void {
  if (why !== "failed") return;
  const name = code === "IN_USE" ? code : `${code} ${field} ${detail}`;
  const about = { ...(code !== undefined && { code }), ...(field !== undefined && { field }), ...(detail !== undefined && { detail }) };
  const group: UndoObstacle = obstacles.get(name) ?? { ...about, count: 0, ids: [] };
  group.count += 1;
  if (group.ids.length < SHOWN_IDS) group.ids.push(id);
  obstacles.set(name, group);
}

/** `take` is also given whether an answer to the same request was lost. */
async function undoAll(
  { run, postUndo, signIn }: UndoJob,
  scheduler: Scheduler,
  take: (reply: UndoReply, wasLost: boolean) => void,
): Promise<void> {
  let detail = t("The service does not respond.");
  for (let after: string | undefined; ; ) {
    let wasLost = false;
    const answer = await retry(
      async (signal) => {
        const given = await postUndo(run, after, signal);
        if (given.kind === "refused" && classifyResponse(given) !== "signIn") detail = given.detail;
        if (given.kind === "noReply") wasLost = true;
        return given;
      },
      { scheduler, signIn },
    );
    if (!answer) return scheduler.stop(detail); // unless it was cancelled, or has stopped for another reason
    scheduler.answered();
    take(answer.reply, wasLost);
    if (answer.reply.next === null) return;
    after = answer.reply.next;
  }
}
