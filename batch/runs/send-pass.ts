// The second pass: the pipeline's own upload with a journal on the disk, stopped when the service refuses too many records. Writes no report.

import type { Collection } from "../../core/dictionary/collections.ts";
import { Book, type Outcomes, type Report } from "../../pipeline/model/outcomes.ts";
import { runUpload } from "../../pipeline/runs/run-upload.ts";
import { type BatchLog, FORGETFUL_LOG } from "../../pipeline/sending/journal.ts";
import type { UploadService } from "../../pipeline/sending/upload-service.ts";
import type { Teller } from "../console/progress.ts";
import type { Reading } from "../formats/choose-reader.ts";
import type { Source } from "../formats/source-file.ts";
import { RefusalWords } from "../reports/refusal-codes.ts";

export interface SendJob {
  source: Source;
  collection: Collection;
  reading: Reading;
  service: UploadService;
  rowsTotal: number;
  /** Records that the check refused. */
  rejected: number;
  /** The most rejects; null: any number. */
  limit: number | null;
  teller: Teller;
  signal: AbortSignal;
}

export interface Sent {
  report: Report;
  book: Book;
  words: RefusalWords;
  /** It was ended because the service refused more records than the limit allows. */
  isTooMany: boolean;
}

export function sendRecords(job: SendJob, to: Pick<Way, "uploadId" | "log" | "words">): Promise<Sent> {
  return send(job, { ...to, isDry: false });
}

/** Asks the service what would become of the records. Nothing is stored, not even a key. */
export function rehearse(job: SendJob): Promise<Sent> {
  job.teller.line("Asking the service what would become of them.", { step: "rehearsing" });
  return send({ ...job, limit: null }, { uploadId: "rehearsal", log: FORGETFUL_LOG, words: new RefusalWords(), isDry: true });
}

interface Way {
  uploadId: string;
  log: BatchLog;
  words: RefusalWords;
  isDry: boolean;
}

async function send(job: SendJob, { uploadId, log, words, isDry }: Way): Promise<Sent> {
  const { source, collection, reading, service, rowsTotal, rejected, limit, teller } = job;
  const [book, stop] = [new Book(), new AbortController()];
  const signal = AbortSignal.any([job.signal, stop.signal]);
  const { plan, openRows } = reading;
  const postBatch = words.hearing(isDry ? service.postDry : service.postBatch);
  const states = runUpload({
    ...service,
    postBatch,
    file: source.file,
    collection,
    plan,
    ...(openRows && { openRows }),
    uploadId,
    rowsTotal,
    log,
    book,
    signal,
  });
  let report: Report | undefined;
  for await (const state of states) {
    teller.state(state);
    if (state.step === "report") report = state.report;
    const isBeyond = state.step === "sending" && limit !== null && rejected + state.counts.failed > limit;
    if (!isBeyond || stop.signal.aborted) continue;
    teller.line("More are refused than --max-rejects allows: what is under way is finished first.", { step: "stopping" });
    stop.abort();
  }
  if (!report) throw new Error("The upload ended without a report.");
  return { report, book, words, isTooMany: stop.signal.aborted };
}

/** Records that the service has, by this run or before it. */
export function takenOf({ created, updated, unchanged, skipped }: Outcomes): number {
  return created + updated + unchanged + skipped;
}
