// Takes back what an upload stored, batch by batch, the last first: what it created is deleted, what it updated gets its old values. Refuses: to touch what someone changed since.

import type { Fields } from "../../dictionary/check.ts";
import type { AskKeyHours, PostBatch } from "./answers.ts";
import { addRow, createBatch, type KeyedBatch } from "./batches.ts";
import { deliver } from "./deliver.ts";
import type { Holds } from "./holds.ts";
import type { Journal, KeptUpload, SentBatch, UndoCounts } from "./journal.ts";
import { KeyTrust } from "./key-trust.ts";
import { type Clock, Pace, realClock } from "./pace.ts";
import { insist, NOTHING_STORED } from "./reconcile.ts";
import { OUTCOMES } from "./report.ts";
import type { UploadState } from "./run.ts";
import { Slots } from "./slots.ts";
import { createSpeed, createTicker } from "./ticker.ts";

export interface UndoJob {
  upload: KeptUpload;
  journal: Pick<Journal, "before" | "undone">;
  keyField: string;
  /** Both act only on records whose version is the one sent along. A record deleted before counts as "unchanged". */
  postDeletions: PostBatch;
  postReversals: PostBatch;
  askKeyHours: AskKeyHours;
  signIn(): Promise<void>;
  signal: AbortSignal;
  holds?: Holds;
  clock?: Clock;
}

type Kind = "deletion" | "reversal";

/**
 * Ends with "undone". Each batch is forgotten as soon as it is undone, so an undo that was cut off goes on where it stood;
 * repeated keys and versions keep it from doing anything twice.
 */
export async function* undoUpload(job: UndoJob): AsyncGenerator<UploadState> {
  const { upload, holds, clock = realClock, signal } = job;
  const { created = 0, updated = 0 } = upload.report?.counts ?? {};
  const rowsTotal = created + updated;
  const counts: UndoCounts = { ...(upload.undo ?? { reversed: 0, kept: 0, failed: 0 }) };
  const ticker = createTicker(clock);
  const pace = new Pace(clock, signal, ticker.ring, holds);
  const speed = createSpeed(clock);
  const count = (bucket: keyof UndoCounts): void => {
    counts[bucket]++;
    ticker.ring();
  };
  try {
    yield* ticker.states(undoAll(job, pace, count), () => {
      const { waiting } = pace;
      const rowsDone = counts.reversed + counts.kept + counts.failed;
      const progress = { rowsTotal, rowsDone, ...speed(rowsTotal, rowsDone, waiting), waiting, isPaused: holds?.why === "paused" };
      return { step: "undoing", counts: { ...counts }, ...progress };
    });
  } finally {
    pace.close();
  }
  const ended = pace.why ? "stopped" : signal.aborted ? "cancelled" : "done";
  yield { step: "undone", counts: { ...counts }, rowsTotal, ended, ...(pace.why && { why: pace.why }) };
}

async function undoAll(job: UndoJob, pace: Pace, count: (bucket: keyof UndoCounts) => void): Promise<void> {
  const { upload, journal } = job;
  const answer = await insist(job.askKeyHours, { pace, signIn: job.signIn });
  const trust = new KeyTrust(answer?.hours ?? 0, () => pace.now());
  const versions = new Map<number, Version>();
  const slots = new Slots<() => Promise<void>>(pace, (_, run) => (run as () => Promise<void>)());
  for (let before = Number.MAX_SAFE_INTEGER; !pace.over.aborted; ) {
    const sent = await journal.before(upload.id, before);
    if (!sent) break;
    before = sent.first;
    const { ids, repeats = [] } = sent.result ?? {};
    const undoing = { ...job, pace, trust, versions, repeated: new Set(repeats.map((at) => ids?.[at])), count };
    await slots.add(idsOf(sent), () => undoBatch(sent, undoing));
    if (repeats.length > 0) await slots.empty(); // the batches before need the versions that this one makes
  }
  await slots.empty();
}

/** What the slots need to keep two batches with a common record apart. */
function idsOf({ first, result }: SentBatch): KeyedBatch {
  return { ...createBatch("", first), ids: new Set(result?.ids.filter((id) => id !== 0)) };
}

/** A record that the upload touched more than once: undone at its last touch, it has a version that the touch before does not know. */
interface Version {
  /** The version that the undone touch had made. */
  of: number;
  now: number;
}

function toBatch({ first, result }: SentBatch, kind: Kind, { upload, keyField, versions }: Undoing): KeyedBatch {
  const batch = createBatch(`${upload.id}-undo-${kind}`, first);
  if (!result) return batch;
  const old = new Map(result.old);
  const outcome = OUTCOMES.indexOf(kind === "deletion" ? "created" : "updated");
  for (const [at, id] of result.ids.entries()) {
    if (id === 0 || result.outcomes[at] !== outcome) continue;
    const made = result.versions[at] as number;
    const later = versions.get(id);
    const version = later?.of === made + 1 ? later.now : made;
    const record: Fields = { ...(old.get(at) as Fields | undefined), [keyField]: id, version };
    addRow(batch, first + at, 0, record, id);
  }
  return batch;
}

interface Undoing extends UndoJob {
  pace: Pace;
  trust: KeyTrust;
  versions: Map<number, Version>;
  /** Keys in the batch that an earlier row of the file has, too. */
  repeated: ReadonlySet<number | undefined>;
  count: (bucket: keyof UndoCounts) => void;
}

async function undoBatch(sent: SentBatch, job: Undoing): Promise<void> {
  const tally: UndoCounts = { reversed: 0, kept: 0, failed: 0 };
  let isWhole = true;
  for (const kind of ["reversal", "deletion"] as const) {
    const batch = toBatch(sent, kind, job);
    const madeAt = (row: number) => sent.result?.versions[row - sent.first] ?? 0;
    if (batch.rows.length > 0) isWhole = (await undoRows(batch, kind, job, { tally, madeAt })) && isWhole;
  }
  if (isWhole) await job.journal.undone(job.upload.id, sent.first, tally);
}

/** Resolves with whether each row has been dealt with. `madeAt`: the version that the upload's row had made. */
async function undoRows(
  batch: KeyedBatch,
  kind: Kind,
  job: Undoing,
  { tally, madeAt }: { tally: UndoCounts; madeAt(row: number): number },
): Promise<boolean> {
  const { pace, versions, repeated, keyField } = job;
  const ids = new Map(batch.rows.map((row, i) => [row, batch.records[i]?.[keyField] as number]));
  const { isWhole } = await deliver(batch, {
    ...job,
    mode: "update",
    postBatch: kind === "deletion" ? job.postDeletions : job.postReversals,
    readBack: NOTHING_STORED,
    marks: NO_MARKS,
    settle(row, _line, outcome, _reason, result) {
      if (pace.over.aborted && !result) return; // not reached: it stays to be undone
      const id = ids.get(row) as number;
      if (repeated.has(id) && typeof result?.version === "number") versions.set(id, { of: madeAt(row), now: result.version });
      const bucket =
        outcome === "updated" || outcome === "unchanged"
          ? "reversed"
          : result?.status === 412 || result?.status === 404
            ? "kept"
            : "failed";
      tally[bucket]++;
      job.count(bucket);
    },
  });
  return isWhole;
}

/** Nothing needs to be kept or looked up: with its version sent along, a record that is undone twice is undone once. */
const NO_MARKS = { sent: () => Promise.resolve(), split: () => Promise.resolve(), isSplit: () => false };
