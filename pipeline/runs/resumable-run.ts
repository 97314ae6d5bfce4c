// An upload that survives its tab: writes the journal and the copy of the file.

import { countNotStored, type Report } from "../model/outcomes.ts";
import type { Fingerprint } from "../reading/fingerprint.ts";
import { type BatchLog, type Journal, memoryLog, type SentAgain, type StoredUpload } from "../sending/journal.ts";
import { makeErrorsFile } from "./errors-file.ts";
import { errorsFileName } from "./errors-file-name.ts";
import { runUpload, type UploadJob } from "./run-upload.ts";
import type { UploadState } from "./upload-state.ts";

export interface UploadStorage {
  journal: Journal;
  copies: Copies;
}

/** Holds what a run of an upload needs besides the service. */
export interface OpenedUpload {
  upload: StoredUpload;
  file: File;
  log: BatchLog;
  /** The file is our copy. */
  isCopy?: boolean;
}

export interface BeginJob extends Pick<UploadJob, "uploadId" | "file" | "collection" | "plan"> {
  rowsTotal: number;
  /** Is there when the file was copied before, while it was corrected. */
  fingerprint?: Fingerprint | undefined;
  again?: SentAgain | undefined;
}

/**
 * Begins a new upload: copies the file and stores a journal entry. Where the browser stores nothing it still runs, but cannot continue
 * after a crash.
 */
export async function beginUpload(
  { uploadId: id, file, collection, plan, rowsTotal, fingerprint: known, again }: BeginJob,
  { journal, copies }: UploadStorage,
  now = Date.now(),
): Promise<OpenedUpload> {
  const fingerprint = known ?? (await copies.keep(id, file).catch(() => undefined)); // the run reports a file that cannot be read
  const upload: StoredUpload = { id, collection: collection.name, fileName: file.name, startedAt: now, hasRows: true };
  if (again) upload.again = again;
  if (plan.recipe !== undefined) upload.recipe = plan.recipe;
  if (fingerprint) upload.job = { plan, rowsTotal, fingerprint };
  const isStored = await journal.put(upload).then(
    () => true,
    () => false,
  );
  if (!isStored) delete upload.job;
  return { upload, file, log: isStored ? journal.batches(id) : memoryLog() };
}

/** Runs like runUpload, and writes the end into the journal. */
export async function* runResumable(
  job: Omit<UploadJob, "log" | "file" | "uploadId">,
  { upload, file, log, isCopy = false }: OpenedUpload,
  { journal, copies }: UploadStorage,
): AsyncGenerator<UploadState> {
  for await (const state of runUpload({ ...job, file, log, uploadId: upload.id })) {
    if (state.step !== "report") {
      yield state;
      continue;
    }
    const { report } = state;
    const canContinue = report.ended === "stopped" && upload.job !== undefined;
    const ended: StoredUpload = { ...upload, report };
    if (!canContinue) {
      delete ended.job;
      ended.endedAt = (job.clock ?? Date).now();
    }
    await journal.put(ended).catch(() => undefined);
    yield { ...state, canContinue };
    if (canContinue) continue;
    await storeErrorsFile(upload.id, file, job, report, journal).catch(() => undefined);
    if (!isCopy) await copies.drop(upload.id).catch(() => undefined); // deleting it earlier would break the errors file, which is made from it
  }
}

const LARGEST_ERRORS_FILE = 16 * 1024 * 1024; // bytes; a larger one is available only while the report is open

async function storeErrorsFile(
  id: string,
  file: File,
  { collection, plan, outcomeLog, openRows }: Pick<UploadJob, "collection" | "plan" | "outcomeLog" | "openRows">,
  { counts }: Report,
  journal: Journal,
): Promise<void> {
  if (countNotStored(counts) === 0 || !outcomeLog) return;
  const blob = await makeErrorsFile(file, collection, plan, outcomeLog, openRows);
  if (blob.size <= LARGEST_ERRORS_FILE) await journal.putErrorsFile(id, { name: errorsFileName(file.name), blob });
}

export interface Copies {
  /** Copies the file when there is room for it, and takes its fingerprint. */
  keep(id: string, file: Blob): Promise<Fingerprint>;
  /** Returns the copy, if there is a complete one. */
  find(id: string, size: number): Promise<File | undefined>;
  drop(id: string): Promise<void>;
  /** Sums up the sizes of those of these uploads together. */
  bytes(ids: readonly string[]): Promise<number>;
  /** Deletes all copies but these. Rejects when one cannot be deleted that nobody is working with. */
  dropOthers(ids: readonly string[]): Promise<void>;
}
