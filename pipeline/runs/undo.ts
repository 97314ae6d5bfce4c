// Takes a run back: the service does it, part by part, and this asks for one after the other until the end.

import type { LeftRecord, UndoCounts, UndoReply } from "../../core/contract/history.ts";
import { t } from "../../core/i18n/translate.ts";
import { type Clock, realClock } from "../model/clock.ts";
import type { Pauses } from "../sending/pauses.ts";
import { retry } from "../sending/reconcile.ts";
import { classifyResponse, type PostUndo, type QueryRun } from "../sending/responses.ts";
import { Scheduler } from "../sending/scheduler.ts";
import { Stopwatch } from "../sending/stopwatch.ts";
import { createSpeed, createTicker } from "../sending/throttle.ts";
import type { UndoObstacle, UploadState } from "./upload-state.ts";

export interface UndoJob {
  /** The id of the upload or the batch run. */
  run: string;
  /** Posts to the collection that is meant. */
  postUndo: PostUndo;
  /** The run may have created the parents of its records, which go after these. Left out: nothing is undone elsewhere. */
  elsewhere?: UndoElsewhere | undefined;
  signIn(): Promise<void>;
  signal: AbortSignal;
  /** Is called with the records that were left as they are, part by part. */
  onLeft?: (left: readonly LeftRecord[]) => void;
  pauses?: Pauses;
  clock?: Clock;
}

export interface UndoElsewhere {
  /** The name of the collection that is meant, and those of all, children first. */
  collection: string;
  order: readonly string[];
  /** Asks in which collections the run has changed records. */
  queryRun: QueryRun;
  undoIn(collection: string): PostUndo;
}

/**
 * Ends with "undone"; of no rows when the service's history does not know the run. Records that someone has changed since are left alone.
 * The service knows what has been undone, so an undo that was interrupted anywhere, or whose reply was lost, is simply begun again: nothing
 * is done twice, and what was undone earlier is counted as such.
 */
export async function* undoRun(job: UndoJob): AsyncGenerator<UploadState> {
  const { clock = realClock, signal } = job;
  const counts: UndoCounts = { reversed: 0, kept: 0, failed: 0 };
  const others: UndoCounts = { reversed: 0, kept: 0, failed: 0 };
  const obstacles = new Map<string, UndoObstacle>();
  let already = 0;
  let rowsTotal = 0;
  const ticker = createTicker(clock);
  const scheduler = new Scheduler(clock, signal, ticker.ring, job.pauses);
  const over = new AbortController();
  const watch = new Stopwatch(clock.now, job.pauses, over.signal);
  const speed = createSpeed({ now: () => watch.own });
  const take = (reply: UndoReply, wasLost: boolean, isElsewhere: boolean): void => {
    const { reversed, kept, failed, size, left } = reply;
    if (left.length > 0) job.onLeft?.(left);
    for (const record of left) addObstacle(obstacles, record);
    const sums = isElsewhere ? others : counts;
    sums.reversed += reversed;
    sums.kept += kept;
    sums.failed += failed;
    if (!isElsewhere) {
      if (!wasLost) already += reply.already; // otherwise this undo itself has done it
      rowsTotal = size;
    }
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
    ...(others.reversed + others.kept + others.failed > 0 && { others }),
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

/** `take` is also given whether an answer to the same request was lost, and whether it is about another collection than is meant. */
async function undoAll(
  job: UndoJob,
  scheduler: Scheduler,
  take: (reply: UndoReply, wasLost: boolean, isElsewhere: boolean) => void,
): Promise<void> {
  const parts = await partsOf(job, scheduler);
  for (const part of parts ?? []) if (parts?.length !== 1 && !(await ask(job, scheduler, part.post, BEFORE_ALL))) return;
  for (const { post, isElsewhere } of parts ?? []) {
    for (let after: string | undefined; ; ) {
      const asked = await ask(job, scheduler, post, after);
      if (!asked) return;
      scheduler.answered();
      take(asked.reply, asked.wasLost, isElsewhere);
      if (asked.reply.next === null) break;
      after = asked.reply.next;
    }
  }
}

/** The place before the first change. A request from there changes nothing, and is refused where a right is missing. */
const BEFORE_ALL = "0.0";

/** Returns undefined when the work is over. */
async function ask({ run, signIn }: UndoJob, scheduler: Scheduler, post: PostUndo, after: string | undefined) {
  let detail = t("The service does not respond.");
  let wasLost = false;
  const answer = await retry(
    async (signal) => {
      const given = await post(run, after, signal);
      if (given.kind === "refused" && classifyResponse(given) !== "signIn") detail = given.detail;
      if (given.kind === "noReply") wasLost = true;
      return given;
    },
    { scheduler, signIn },
  );
  if (answer) return { reply: answer.reply, wasLost };
  scheduler.stop(detail); // unless it was cancelled, or has stopped for another reason
  return undefined;
}

interface UndoPart {
  post: PostUndo;
  isElsewhere: boolean;
}

/** Lists what is undone in each collection, children first: a parent cannot go while others refer to it. */
async function partsOf({ run, postUndo, elsewhere, signIn }: UndoJob, scheduler: Scheduler): Promise<UndoPart[] | undefined> {
  const own = { post: postUndo, isElsewhere: false };
  if (!elsewhere) return [own];
  const { collection, order, queryRun, undoIn } = elsewhere;
  const answer = await retry((signal) => queryRun(run, signal), { scheduler, signIn });
  if (scheduler.over.aborted) return undefined;
  const names = new Set([collection, ...(answer?.collections ?? [])]);
  const parts = order.filter((name) => names.has(name));
  return parts.map((name) => (name === collection ? own : { post: undoIn(name), isElsewhere: true }));
}
