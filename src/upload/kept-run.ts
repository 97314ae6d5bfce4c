// An upload that survives its tab: keeps the journal and the copy of the file around a run, and finds them again for the next. Knows no worker and no page.

import type { Copies } from "./copies.ts";
import { howItDiffers, takeFingerprint } from "./fingerprint.ts";
import { type BatchLog, type Journal, type KeptUpload, memoryLog } from "./journal.ts";
import { runUpload, type UploadJob, type UploadState } from "./run.ts";

export interface Keeping {
  journal: Journal;
  copies: Copies;
}

/** What a run of an upload needs beside the service. */
export interface Begun {
  upload: KeptUpload;
  file: File;
  log: BatchLog;
}

/** A new upload: copies the file and notes it down. Where the browser keeps no data it can be run, but not after a crash. */
export async function beginUpload(
  { uploadId: id, file, collection, plan, rowsTotal }: Pick<UploadJob, "uploadId" | "file" | "collection" | "plan"> & { rowsTotal: number },
  { journal, copies }: Keeping,
  now = Date.now(),
): Promise<Begun> {
  const fingerprint = await copies.keep(id, file).catch(() => undefined); // a file that cannot be read is told by the run
  const upload: KeptUpload = { id, collection: collection.name, fileName: file.name, startedAt: now, hasRows: true };
  if (fingerprint) upload.job = { plan, rowsTotal, fingerprint };
  const isKept = await journal.put(upload).then(
    () => true,
    () => false,
  );
  if (!isKept) delete upload.job;
  return { upload, file, log: isKept ? journal.batches(id) : memoryLog() };
}

/**
 * An upload that was cut off or stopped: what was settled stays, what was sent and not heard of goes again under its keys,
 * the rest follows. Without `given` the copy is taken. Gives "refused" when the file is not the very file of before.
 */
export async function reopenUpload(
  id: string,
  given: File | undefined,
  { journal, copies }: Keeping,
): Promise<Begun | Extract<UploadState, { step: "refused" }>> {
  const upload = await journal.get(id);
  if (!upload?.job) {
    return refused(
      "This upload cannot go on any more.",
      "What it needs was deleted. Upload the file again, adding new ones and updating existing ones.",
    );
  }
  const { fingerprint } = upload.job;
  const file = given ?? (await copies.find(id, fingerprint.size));
  if (!file) return refused(`Choose ${upload.fileName} again.`, "This browser has no copy of it.");
  const now = await takeFingerprint(file).catch(() => undefined);
  const difference = now ? howItDiffers(fingerprint, now) : "It cannot be read any more.";
  if (difference) {
    return refused(
      `This is not ${upload.fileName} as it was.`,
      `${difference} Choose the file as it was, or discard this upload and begin anew.`,
    );
  }
  return { upload, file: new File([file], upload.fileName), log: journal.batches(id) };
}

/** As runUpload; the journal hears the end. */
export async function* runKept(
  job: Omit<UploadJob, "log" | "file" | "uploadId">,
  { upload, file, log }: Begun,
  { journal, copies }: Keeping,
): AsyncGenerator<UploadState> {
  for await (const state of runUpload({ ...job, file, log, uploadId: upload.id })) {
    if (state.step !== "report") {
      yield state;
      continue;
    }
    const { counts, rowsRead, seconds, ended, why } = state.report;
    const goesOn = ended === "stopped" && upload.job !== undefined;
    const kept: KeptUpload = { ...upload, report: { counts, rowsRead, seconds, ended, ...(why !== undefined && { why }) } };
    if (!goesOn) {
      delete kept.job;
      kept.endedAt = (job.clock ?? Date).now();
      await copies.drop(upload.id).catch(() => undefined);
    }
    await journal.put(kept).catch(() => undefined);
    yield { ...state, goesOn };
  }
}

function refused(title: string, detail: string): Extract<UploadState, { step: "refused" }> {
  return { step: "refused", title, detail };
}
