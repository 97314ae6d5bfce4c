// The second pass: sends the records with a journal, and stops when the service refuses too many.

import type { Principal } from "../../core/contract/principals.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { OutcomeLog, type Report } from "../../pipeline/model/outcomes.ts";
import { awaitingParents } from "../../pipeline/parents/parent-watch.ts";
import { findRowsNotStored } from "../../pipeline/runs/rows-not-stored.ts";
import { beginOnService, describeRun, nameOfBytes, reportToService } from "../../pipeline/runs/run-on-service.ts";
import { runUpload } from "../../pipeline/runs/run-upload.ts";
import { type BatchLog, FORGETFUL_LOG } from "../../pipeline/sending/journal.ts";
import type { UploadService } from "../../pipeline/sending/upload-service.ts";
import { countRefused } from "../console/outcome-groups.ts";
import type { ProgressWriter } from "../console/progress.ts";
import type { Reading } from "../files/choose-reader.ts";
import type { Source } from "../files/source-file.ts";
import { ErrorCodes } from "../reports/error-codes.ts";
import { parentsInRehearsal } from "./new-parents.ts";

export interface SendJob {
  source: Source;
  collection: Collection;
  reading: Reading;
  service: UploadService;
  /** Says whose API key it is. */
  by: Principal;
  rowsTotal: number;
  /** Records that the check refused. */
  rejected: number;
  /** Records that a recipe leaves out. */
  leftOut: number;
  /** The most rejects; null for any number. */
  limit: number | null;
  progress: ProgressWriter;
  signal: AbortSignal;
}

export interface Sent {
  report: Report;
  outcomeLog: OutcomeLog;
  errorCodes: ErrorCodes;
  /** It was stopped because the service refused more records than the limit allows. */
  isTooMany: boolean;
}

/** Tells the service of the run, too. Nothing else depends on whether it hears it; what it does not learn of the end is said. */
export async function sendRecords(job: SendJob, to: Pick<SendOptions, "uploadId" | "log" | "errorCodes">): Promise<Sent> {
  const { source, collection, reading, service, progress } = job;
  const { plan, openRows } = reading;
  const { signal } = new AbortController(); // what has been sent is reported, also after a signal
  const file = await nameOfBytes(source.file);
  const described = describeRun(
    { id: to.uploadId, fileName: source.name, recipe: plan.recipe },
    { collection: collection.name, plan, file },
  );
  await beginOnService(described, service, { isNeeded: false, signal: job.signal }).catch(() => undefined); // the sending says it of a key that was revoked
  const sent = await send(job, { ...to, isDry: false });
  const { report, outcomeLog } = sent;
  // A run that can go on keeps its rows to itself: nobody shall send them meanwhile.
  const canContinue = report.ended !== "done";
  const note = (sentence: string) => progress.line(sentence, { step: "not reported", sentence });
  const readRows = () =>
    findRowsNotStored({ file: source.file, collection, plan, outcomeLog, openRows }).catch((error: Error) => {
      note(`The service gets no list of the records of ${source.name} that were not stored: ${error.message}`);
      return [];
    });
  const order = { report, rows: canContinue ? [] : await readRows(), canContinue, signal, attempts: 1 };
  const isTaken = await reportToService(described, service, order).catch(() => false); // a key that was revoked meanwhile
  if (!isTaken && !canContinue)
    note(`The service has not taken the report of ${source.name}, so its list of uploads does not say how the run ended.`);
  return sent;
}

/** Asks the service what would become of the records. Nothing is stored, not even an idempotency key. */
export function rehearse(job: SendJob): Promise<Sent> {
  job.progress.line("Asking the service what would become of the records.", { step: "rehearsing" });
  return send({ ...job, limit: null }, { uploadId: "rehearsal", log: FORGETFUL_LOG, errorCodes: new ErrorCodes(), isDry: true });
}

interface SendOptions {
  uploadId: string;
  log: BatchLog;
  errorCodes: ErrorCodes;
  isDry: boolean;
}

async function send(job: SendJob, { uploadId, log, errorCodes, isDry }: SendOptions): Promise<Sent> {
  const { source, collection, reading, service, rowsTotal, rejected, limit, progress } = job;
  const [outcomeLog, stop] = [new OutcomeLog(), new AbortController()];
  const signal = AbortSignal.any([job.signal, stop.signal]);
  const { plan, openRows } = reading;
  const created = isDry ? await parentsInRehearsal(job) : new Map<string, Set<string>>();
  const post = isDry ? awaitingParents(service.postDry, created, () => undefined) : service.postBatch;
  const postBatch = errorCodes.recording(post);
  const states = runUpload({
    ...service,
    ...(isDry && { parents: { post: service.parents.dryPost } }),
    postBatch,
    file: source.file,
    collection,
    plan,
    ...(openRows && { openRows }),
    uploadId,
    rowsTotal,
    log,
    outcomeLog,
    signal,
  });
  let report: Report | undefined;
  for await (const state of states) {
    progress.state(state);
    if (state.step === "report") report = state.report;
    const isBeyond = state.step === "sending" && limit !== null && rejected + countRefused(state.counts) > limit;
    if (!isBeyond || stop.signal.aborted) continue;
    progress.line("More records are refused than --max-rejects allows. Stopping: the batches that were sent are finished first.", {
      step: "stopping",
    });
    stop.abort();
  }
  if (!report) throw new Error("The upload ended without a report.");
  return { report, outcomeLog, errorCodes, isTooMany: stop.signal.aborted };
}
