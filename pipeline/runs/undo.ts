// Undoes an upload batch by batch, the last first. Records that someone has changed since are left alone.

import type { Fields } from "../../core/dictionary/validate.ts";
import { type Clock, realClock } from "../model/clock.ts";
import { isStored, OUTCOMES, type Outcome, type StoredOutcome } from "../model/outcomes.ts";
import { addRow, createBatch, type KeyedBatch } from "../sending/batches.ts";
import { InFlight } from "../sending/in-flight.ts";
import type { Journal, SentBatch, StoredUpload, UndoCounts, UndoneTouch } from "../sending/journal.ts";
import { KeyTrust } from "../sending/key-trust.ts";
import type { Pauses } from "../sending/pauses.ts";
import { containsAll, NOTHING_STORED, readAll, retry } from "../sending/reconcile.ts";
import type { PostBatch, QueryKeyHours, ReadBack } from "../sending/responses.ts";
import { Scheduler } from "../sending/scheduler.ts";
import { sendBatch } from "../sending/send-batch.ts";
import { Stopwatch } from "../sending/stopwatch.ts";
import { createSpeed, createTicker } from "../sending/throttle.ts";
import { lastingRows, undoableRows } from "./undo-progress.ts";
import type { UploadState } from "./upload-state.ts";

export interface UndoJob {
  upload: StoredUpload;
  journal: Pick<Journal, "before" | "undone">;
  keyField: string;
  /** Both act only on records whose version is the one sent along. A record that was deleted before counts as "unchanged". */
  postDeletions: PostBatch;
  postReversals: PostBatch;
  readBack: ReadBack;
  queryKeyHours: QueryKeyHours;
  signIn(): Promise<void>;
  signal: AbortSignal;
  pauses?: Pauses;
  clock?: Clock;
}

type Kind = "deletion" | "reversal";
const UNDONE_BY: Record<StoredOutcome, Kind> = { created: "deletion", updated: "reversal" };
/** How a row of the undo counts, unless its status says more. */
const COUNTED_AS: Record<Outcome, keyof UndoCounts> = {
  updated: "reversed",
  unchanged: "reversed",
  created: "failed",
  skipped: "failed",
  failed: "failed",
  inDoubt: "failed",
  notSent: "failed",
};

/**
 * Ends with "undone". Created records are deleted, updated ones get their old values. Each batch is deleted from the journal as
 * soon as it is undone, so an interrupted undo continues where it was; keys and versions keep it from doing anything twice.
 */
export async function* undoUpload(job: UndoJob): AsyncGenerator<UploadState> {
  const { upload, clock = realClock, signal } = job;
  const lasting = lastingRows(upload.report?.lasting);
  const rowsTotal = upload.report ? undoableRows(upload.report.counts, upload.report.lasting) : 0;
  const counts: UndoCounts = { ...(upload.undo ?? { reversed: 0, kept: 0, failed: 0 }) };
  const ticker = createTicker(clock);
  const scheduler = new Scheduler(clock, signal, ticker.ring, job.pauses);
  const over = new AbortController();
  const watch = new Stopwatch(clock.now, job.pauses, over.signal);
  const speed = createSpeed({ now: () => watch.own });
  const count = (bucket: keyof UndoCounts): void => {
    counts[bucket]++;
    ticker.ring();
  };
  try {
    yield* ticker.states(undoAll(job, scheduler, count), () => {
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
  yield { step: "undone", counts: { ...counts }, rowsTotal, lasting, ended, ...(scheduler.why && { why: scheduler.why }) };
}

async function undoAll(job: UndoJob, scheduler: Scheduler, count: (bucket: keyof UndoCounts) => void): Promise<void> {
  const { upload, journal } = job;
  const answer = await retry(job.queryKeyHours, { scheduler, signIn: job.signIn });
  const trust = new KeyTrust(answer, () => scheduler.now());
  const touches = new Map<number, UndoneTouch>();
  const inFlight = new InFlight<() => Promise<void>>(scheduler, (_, run) => (run as () => Promise<void>)());
  for (let before = Number.MAX_SAFE_INTEGER; !scheduler.over.aborted; ) {
    const sent = await journal.before(upload.id, before);
    if (!sent) break;
    before = sent.first;
    for (const touch of sent.undone ?? []) touches.set(touch.id, touch);
    if (sent.undone) continue; // by an earlier part of this undo
    const { ids, repeats = [] } = sent.result ?? {};
    const undoing = { ...job, scheduler, trust, touches, repeated: new Set(repeats.map((at) => ids?.[at])), count };
    await inFlight.add(idsOf(sent), () => undoBatch(sent, undoing));
    if (repeats.length > 0) await inFlight.empty(); // the batches before need the versions that this one makes
  }
  await inFlight.empty();
}

/** Keeps two batches with a common record from being sent at the same time. */
function idsOf({ first, result }: SentBatch): KeyedBatch {
  return { ...createBatch("", first), ids: new Set(result?.ids.filter((id) => id !== 0)) };
}

function toBatch({ first, result }: SentBatch, kind: Kind, { upload, keyField, touches }: Undoing): KeyedBatch {
  const batch = createBatch(`${upload.id}-undo-${kind}`, first);
  if (!result) return batch;
  const old = new Map(result.old);
  for (const [at, id] of result.ids.entries()) {
    const outcome = OUTCOMES[result.outcomes[at] ?? 0] as Outcome;
    if (id === 0 || !isStored(outcome) || UNDONE_BY[outcome] !== kind) continue;
    const made = result.versions[at] as number;
    const later = touches.get(id);
    const version = later?.of === made + 1 ? later.now : made;
    const record: Fields = { ...(old.get(at) as Fields | undefined), [keyField]: id, version };
    addRow(batch, first + at, 0, record, id);
  }
  return batch;
}

interface Undoing extends UndoJob {
  scheduler: Scheduler;
  trust: KeyTrust;
  touches: Map<number, UndoneTouch>;
  /** Keys in the batch that an earlier row of the file has too. */
  repeated: ReadonlySet<number | undefined>;
  count: (bucket: keyof UndoCounts) => void;
}

async function undoBatch(sent: SentBatch, job: Undoing): Promise<void> {
  const { repeated, touches } = job;
  const tally: UndoCounts = { reversed: 0, kept: 0, failed: 0 };
  const made: UndoneTouch[] = [];
  const recordOutcome: RecordUndo = (row, id, bucket, now) => {
    tally[bucket]++;
    job.count(bucket);
    if (bucket !== "reversed" || now === undefined || !repeated.has(id)) return;
    const touch = { id, of: sent.result?.versions[row - sent.first] ?? 0, now };
    touches.set(id, touch);
    made.push(touch);
  };
  let isWhole = true;
  for (const kind of ["reversal", "deletion"] as const) {
    const batch = toBatch(sent, kind, job);
    if (batch.rows.length > 0) isWhole = (await undoRows(batch, kind, job, recordOutcome)) && isWhole;
  }
  if (isWhole) await job.journal.undone(job.upload.id, sent.first, tally, made);
}

/** `now`: the version that the record has afterwards. */
type RecordUndo = (row: number, id: number, bucket: keyof UndoCounts, now?: number) => void;

/** Resolves with whether each row has an outcome. */
async function undoRows(batch: KeyedBatch, kind: Kind, job: Undoing, recordOutcome: RecordUndo): Promise<boolean> {
  const { scheduler, keyField } = job;
  const records = new Map(batch.rows.map((row, i) => [row, batch.records[i] as Fields]));
  const moved: [row: number, sent: Fields][] = [];
  const { isWhole } = await sendBatch(batch, {
    ...job,
    mode: "update",
    postBatch: kind === "deletion" ? job.postDeletions : job.postReversals,
    readBack: NOTHING_STORED,
    marks: NO_MARKS,
    recordOutcome(row, _line, outcome, _reason, result) {
      if (scheduler.over.aborted && !result) return; // not reached: it stays to be undone
      const sent = records.get(row) as Fields;
      const id = sent[keyField] as number;
      if (COUNTED_AS[outcome] === "reversed") recordOutcome(row, id, "reversed", result?.version);
      else if (result?.status === 412 && kind === "reversal") moved.push([row, sent]);
      else recordOutcome(row, id, result?.status === 412 || result?.status === 404 ? "kept" : COUNTED_AS[outcome]);
    },
  });
  return (await recordMoved(moved, job, recordOutcome)) && isWhole;
}

/** Records with another version than the upload made: perhaps by this undo itself, in a request without a response. */
async function recordMoved(moved: [row: number, sent: Fields][], job: Undoing, recordOutcome: RecordUndo): Promise<boolean> {
  if (moved.length === 0) return true;
  const idOf = (sent: Fields): number => sent[job.keyField] as number;
  const stored = await readAll(
    moved.map(([, sent]) => idOf(sent)),
    job,
  );
  if (!stored && job.scheduler.over.aborted) return false;
  for (const [row, sent] of moved) {
    const undone: Fields = { ...sent, version: (sent.version as number) + 1 };
    const record = stored?.get(idOf(sent));
    if (record && containsAll(record, undone)) recordOutcome(row, idOf(sent), "reversed", undone.version as number);
    else recordOutcome(row, idOf(sent), "kept");
  }
  return true;
}

/** The undo needs no marks: with its version sent along, a record that is undone twice is undone once. */
const NO_MARKS = { sent: () => Promise.resolve(), split: () => Promise.resolve(), isSplit: () => false };
