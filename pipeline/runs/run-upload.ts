// The stages of an upload, each as a stream of states, at most ten a second.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { checkFile } from "../checking/check-file.ts";
import { watchPoints } from "../checking/decimal-points.ts";
import { type CheckSummary, Findings } from "../checking/findings.ts";
import type { CountValues, ProblemGroup } from "../checking/problem-groups.ts";
import { withRepeats } from "../checking/repeated-rows.ts";
import { mayBeStored } from "../checking/validate-row.ts";
import type { OpenRows } from "../containers/row-source.ts";
import { UNCORRECTED } from "../correction/correction-state.ts";
import type { DryRun } from "../correction/preview.ts";
import { inspectFile } from "../inspection/inspect-file.ts";
import type { RememberedMapping } from "../mapping/remembered-mapping.ts";
import { type Clock, realClock } from "../model/clock.ts";
import type { Choices } from "../model/dialect.ts";
import { FileError, loadFailed } from "../model/file-error.ts";
import { OutcomeLog, type ParentsReport, type Report } from "../model/outcomes.ts";
import type { DecimalSigns, Plan } from "../model/plan.ts";
import { namesToSend, withNamesOfToday } from "../model/renamed-plan.ts";
import { decimalSignOf } from "../model/value-fixes.ts";
import type { ParentsJob } from "../parents/create-parents.ts";
import type { BatchLog } from "../sending/journal.ts";
import { KeyTrust } from "../sending/key-trust.ts";
import type { Pauses } from "../sending/pauses.ts";
import { retry } from "../sending/reconcile.ts";
import type { ParentService, PostBatch, QueryKeyHours, ReadBack } from "../sending/responses.ts";
import { Scheduler } from "../sending/scheduler.ts";
import { sendFile } from "../sending/send-file.ts";
import { Stopwatch } from "../sending/stopwatch.ts";
import { createSpeed, createTicker, STATE_EVERY } from "../sending/throttle.ts";
import type { UploadState } from "./upload-state.ts";

export interface CheckJob {
  file: File;
  collection: Collection;
  plan: Plan;
  /** Reads the rows instead of the CSV reader. */
  openRows?: OpenRows;
  signal: AbortSignal;
  clock?: Clock;
  /** Asks the service what it would do with rows that break a rule, because the records may have these values already. Left out: they are problems. */
  dryPost?: PostBatch | undefined;
  /** Counts the wrong values, for the correction. */
  countValues?: CountValues;
  /** Is called after each block of rows with what was found so far. What it throws ends the check. */
  onRead?: (findings: Findings) => void;
  /** Gets the findings before the state "checked", and the plan that they are of. Corrections change them later. */
  onFound?: (findings: Findings, plan: Plan) => void;
}

export interface UploadJob extends CheckJob {
  /** Begins every idempotency key: new for every upload, and the same when one continues. */
  uploadId: string;
  postBatch: PostBatch;
  readBack: ReadBack;
  queryKeyHours: QueryKeyHours;
  /** Is called when the service does not accept the token; resolves when there is another. */
  signIn(): Promise<void>;
  /** Keeps what was sent, for another run. */
  log: BatchLog;
  pauses?: Pauses;
  /** Rows in the file, if a check of this file and plan has counted them. Otherwise it is checked first. */
  rowsTotal?: number | undefined;
  /** Creates the parents that the plan asks for. */
  parents?: Pick<ParentService, "post">;
  /** Gets each row's outcome, for the errors file. */
  outcomeLog?: OutcomeLog;
}

export async function runInspection(
  file: File,
  collection: Collection,
  choices?: Choices,
  remembered?: readonly RememberedMapping[],
): Promise<UploadState> {
  try {
    return { step: "columns", inspection: await inspectFile(file, collection, choices, remembered) };
  } catch (error) {
    return refusedState(error);
  }
}

/** Is true where a column of which the plan fixes numbers has decimal signs that the plan does not know. */
function isNewsForFixes({ fixes, decimalSigns = {} }: Plan, signs: DecimalSigns): boolean {
  const fixed = fixes?.autoFixes.filter(({ name }) => decimalSignOf(name) !== "") ?? [];
  return fixed.some(({ field }) => (signs[field] ?? "") !== (decimalSigns[field] ?? ""));
}

/** Returns the plan without what the service said at an earlier check. */
function withoutStored({ asStored: _, ...plan }: Plan): Plan {
  return plan;
}

/** Most files have no such rows, so the code is loaded only when it is needed. */
async function* loadAsStored(job: DryRun, { groups, rowsRead: rowsTotal }: CheckSummary): AsyncGenerator<UploadState, Plan["asStored"]> {
  const { key, byName } = job.collection;
  const { columns, mode, matchBy } = job.plan;
  const doesUpdate = mode !== "create" || job.openRows !== undefined; // the rows of a layout may say it for themselves
  const mayBe = ({ field: name, code }: ProblemGroup) => {
    const field = byName.get(name);
    return field !== undefined && columns.includes(name) && mayBeStored(code, field, field === key);
  };
  if (!doesUpdate || !(matchBy !== undefined || columns.includes(key.name)) || !groups.some(mayBe)) return undefined;
  const part = await import("../correction/as-stored.ts").catch(() => undefined); // as without an answer, the problems stay
  const bytesTotal = job.file.size;
  const state = (rowsRead: number): UploadState => {
    return { step: "checking", rowsRead, bytesRead: Math.floor((bytesTotal * rowsRead) / rowsTotal), bytesTotal };
  };
  return part && (yield* part.findAsStored(job, state));
}

/**
 * Ends with "checked" or "refused"; after a cancel with neither. A file that does not say what its points mean is checked a second
 * time, because only its end shows that. So is one for which fixes of numbers were chosen before, by a recipe, and one with values that
 * break rules and are stored already.
 */
export async function* runCheck(job: CheckJob): AsyncGenerator<UploadState> {
  const { file, collection, openRows, signal, clock = realClock, onFound, onRead, countValues } = job;
  const started = clock.now();
  let postedAt = Number.NEGATIVE_INFINITY;
  let { plan, dryPost } = job;
  if (dryPost) plan = withoutStored(plan);
  let findings: Findings;
  let isCheckedAgain: boolean;
  try {
    do {
      plan = await withRepeats({ file, collection, plan, openRows }, signal);
      findings = new Findings(collection, plan, countValues);
      const points = watchPoints(collection, plan);
      for await (const _ of checkFile(file, collection, plan, findings, openRows, points)) {
        if (signal.aborted) return;
        onRead?.(findings);
        if (clock.now() - postedAt < STATE_EVERY) continue;
        postedAt = clock.now();
        yield { step: "checking", rowsRead: findings.rowsRead, bytesRead: findings.bytesRead, bytesTotal: file.size };
      }
      const { fields, isNeeded, signs } = points.found();
      const before = plan.unsurePoints;
      const isUnsure = isNeeded && fields.some((name) => !before?.includes(name));
      isCheckedAgain = !openRows && (isUnsure || isNewsForFixes(plan, signs));
      if (!openRows && fields.length > 0) plan = { ...plan, unsurePoints: fields };
      if (!openRows && (Object.keys(signs).length > 0 || plan.decimalSigns)) plan = { ...plan, decimalSigns: signs }; // also none any more
      findings.learnSigns(plan.decimalSigns);
      if (dryPost && !isCheckedAgain) {
        const asStored = yield* loadAsStored({ file, collection, plan, openRows, dryPost, signal, clock }, findings.summary());
        dryPost = undefined;
        isCheckedAgain = asStored !== undefined;
        if (asStored) plan = { ...plan, asStored };
      }
    } while (isCheckedAgain);
  } catch (error) {
    return yield refusedState(error);
  }
  if (signal.aborted) return;
  findings.seconds = (clock.now() - started) / 1000;
  onFound?.(findings, plan);
  yield { step: "checked", check: findings.summary(), corrections: UNCORRECTED };
}

/** Ends with "report", whose counts always add up to the rows read, or with "refused" by the check. */
export async function* runUpload(given: UploadJob): AsyncGenerator<UploadState> {
  const job = asToday(given);
  let { rowsTotal, plan } = job;
  if (rowsTotal === undefined) {
    const onFound: CheckJob["onFound"] = (findings, checked) => {
      plan = checked;
      job.onFound?.(findings, checked);
    };
    for await (const state of runCheck({ ...job, onFound })) {
      yield state;
      if (state.step === "checked") rowsTotal = state.check.rowsRead;
    }
  }
  if (rowsTotal !== undefined) yield* send({ ...job, plan }, rowsTotal);
}

/** An upload may have begun before fields got the names that the collection has now. */
function asToday(job: UploadJob): UploadJob {
  const plan = withNamesOfToday(job.plan, job.collection);
  const names = namesToSend(job.plan, plan);
  if (!names) return job;
  const rename = (record: Fields) => Object.fromEntries(Object.entries(record).map(([name, value]) => [names.get(name) ?? name, value]));
  return { ...job, plan, postBatch: (records, ...rest) => job.postBatch(records.map(rename), ...rest) };
}

async function* send(job: UploadJob, rowsTotal: number): AsyncGenerator<UploadState> {
  const { file, collection, plan, openRows, uploadId, log, pauses, signal, clock = realClock, outcomeLog = new OutcomeLog() } = job;
  const { postBatch, readBack, signIn } = job;
  const ended = new AbortController();
  const watch = new Stopwatch(clock.now, pauses, ended.signal);
  const ticker = createTicker(clock);
  const scheduler = new Scheduler(clock, signal, ticker.ring, pauses);
  const speed = createSpeed({ now: () => watch.own });
  let earlier = 0;
  const recordOutcome: typeof outcomeLog.recordOutcome = (...row) => {
    outcomeLog.recordOutcome(...row);
    ticker.ring();
  };
  const readOn = () => !outcomeLog.showsEnough;
  const how = { mode: plan.mode, postBatch, readBack, signIn: () => watch.without(signIn()), scheduler, recordOutcome };
  const onEarlier = () => void earlier++;
  let parents: ParentsReport[] = [];
  const work = retry(job.queryKeyHours, how)
    .then((answer) => new KeyTrust(answer, clock.now))
    .then(async (trust) => {
      parents = await sendParents(job, { scheduler, signIn: how.signIn });
      return trust;
    })
    .then((trust) => sendFile({ ...how, trust, file, collection, plan, openRows, uploadId, log, watch, onEarlier, readOn }))
    .catch((error: unknown) => {
      if (!(error instanceof FileError)) throw error;
      scheduler.stop(error.message);
    });
  try {
    yield* ticker.states(work, () => {
      const { waiting } = scheduler;
      const rowsDone = outcomeLog.recorded;
      const progress = {
        rowsTotal,
        rowsDone,
        ...speed(rowsTotal - earlier, rowsDone - earlier, waiting),
        waiting,
        isPaused: pauses?.why === "paused",
      };
      return { step: "sending", counts: { ...outcomeLog.counts }, ...progress };
    });
  } finally {
    scheduler.close();
    ended.abort();
  }
  const report = outcomeLog.close(rowsTotal, endOf(scheduler, signal, watch));
  yield { step: "report", report: { ...report, ...(parents.length > 0 && { parents }) } };
}

/** Few uploads create parents, so that the code is loaded only when it is needed. */
async function sendParents(job: UploadJob, to: Pick<ParentsJob, "scheduler" | "signIn">): Promise<ParentsReport[]> {
  const { file, collection, plan, openRows, uploadId, signal } = job;
  if (!job.parents || !plan.fixes?.parents?.some((rule) => rule.to === "new")) return [];
  if (!collection.parents) loadFailed(); // nobody has said which collections they are of: rows without parents would be refused
  const { createParents } = await import("../parents/create-parents.ts").catch(loadFailed);
  return createParents({ file, collection, plan, openRows, uploadId, signal, postIn: job.parents.post, ...to });
}

function endOf({ why }: Scheduler, signal: AbortSignal, watch: Stopwatch): Pick<Report, "seconds" | "hasPaused" | "ended" | "why"> {
  const ended = why ? "stopped" : signal.aborted ? "cancelled" : "done";
  return { seconds: watch.total / 1000, ...(watch.hasPaused && { hasPaused: true }), ended, ...(why && { why }) };
}

function refusedState(error: unknown): UploadState {
  if (!(error instanceof FileError)) throw error;
  return { step: "refused", title: error.title, detail: error.detail, autoFix: error.autoFix };
}
