// Tells the service of a run: before its first row, so that two people with one file hear of each other, and at its end.

import {
  MAX_REASON,
  type NewRun,
  type RunMeaning,
  type RunReport,
  type RunRow,
  type RunUpdate,
  type SameFile,
} from "../../core/contract/runs.ts";
import { t } from "../../core/i18n/translate.ts";
import { FileError } from "../model/file-error.ts";
import { type NotStoredRow, OutcomeLog, type Report } from "../model/outcomes.ts";
import type { Plan } from "../model/plan.ts";
import { type Fingerprint, takeFingerprint } from "../reading/fingerprint.ts";
import type { SentAgain } from "../sending/journal.ts";
import type { QueryPutRun } from "../sending/responses.ts";
import { type OpenedUpload, runResumable, type UploadStorage } from "./resumable-run.ts";
import { findRowsNotStored } from "./rows-not-stored.ts";
import type { UploadJob } from "./run-upload.ts";
import type { UploadState } from "./upload-state.ts";

export interface RunTelling {
  putRun: QueryPutRun;
  /** Resolves when there is another token. */
  signIn(): Promise<void>;
}

/** Holds what the service learns of a run at its beginning and again at its end. */
export type DescribedRun = Omit<RunUpdate, "report"> & { id: string };

const PATIENCE = 15_000; // ms for one request
const BETWEEN = 2_000; // ms
const ATTEMPTS = 3;

/** Describes a new upload, or rows of one that are sent again. */
export function describeRun(
  { id, fileName, recipe, again }: { id: string; fileName: string; recipe?: string | undefined; again?: SentAgain | undefined },
  { collection, plan, file }: { collection: string; plan: Plan; file: string },
): DescribedRun {
  const known: NewRun = { collection, fileName: fileName.slice(0, 255) || "–", file: again ? "" : file, meaning: meaningOf(plan) };
  return {
    ...known,
    ...(recipe !== undefined && recipe !== "" && { recipe }),
    ...{ id: again?.run ?? id, upload: id, round: again?.round ?? 0 },
  };
}

function meaningOf({ mode, matchBy, clears }: Plan): RunMeaning {
  return { mode, ...(matchBy && { matchBy: matchBy.split(",") }), ...(clears && { clears }) };
}

/** Names the bytes of a file in 64 digits; empty where they are not known. */
export async function nameOfFile(fingerprint: Fingerprint | undefined): Promise<string> {
  if (!fingerprint) return "";
  const { size, blocks } = fingerprint;
  const whole = new Uint8Array(8 + blocks.length);
  new DataView(whole.buffer).setBigUint64(0, BigInt(size));
  whole.set(blocks, 8);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Does so of a file, which the run itself reports where it cannot be read. */
export async function nameOfBytes(file: File): Promise<string> {
  return nameOfFile(await takeFingerprint(file).catch(() => undefined));
}

type Begun = { sameFile: SameFile[] } | { refused: string };

/**
 * Tells the service that the run begins or goes on. A first upload does not wait for an answer, because nothing depends on it. `isNeeded`: others
 * may have sent its rows again, so that only the answer tells whether it may go on.
 */
export async function beginOnService(
  { id, ...update }: DescribedRun,
  { putRun, signIn }: RunTelling,
  { isNeeded, signal }: { isNeeded: boolean; signal: AbortSignal },
): Promise<Begun> {
  while (!signal.aborted) {
    const answer = await putRun(id, update, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]));
    if (answer.kind === "read") return { sameFile: answer.put.sameFile };
    if (answer.kind === "refused" && answer.status === 401) await untilAborted(signIn(), signal);
    else if (answer.kind === "refused" && answer.status === 409) return { refused: answer.detail };
    else if (!isNeeded) return { sameFile: [] };
    else if (answer.kind === "refused" && answer.status < 500 && answer.status !== 429) return { refused: answer.detail };
    else await pause(BETWEEN, signal);
  }
  return { sameFile: [] };
}

interface ReportOrder {
  report: Report;
  rows: RunRow[];
  canContinue: boolean;
  signal: AbortSignal;
  attempts?: number;
}

/**
 * Hands the report in. False when the service has not taken it: then it is known on this computer alone. A token that has ended costs no attempt
 * where another one comes; of a run that was cancelled none is waited for long, because whoever signs out cancels it and gives none.
 */
export async function reportToService(
  { id, ...update }: DescribedRun,
  { putRun, signIn }: RunTelling,
  { report, rows, canContinue, signal, attempts = ATTEMPTS }: ReportOrder,
): Promise<boolean> {
  const { ended, counts, rowsRead, seconds, why } = report;
  const state: RunReport["state"] = canContinue ? "stopped" : ended === "stopped" ? "cancelled" : ended;
  const given: RunReport = { state, counts, rowsRead, seconds, ...(why && { why: why.slice(0, MAX_REASON) }), rows };
  let isRenewed = false;
  for (let left = attempts; left > 0 && !signal.aborted; left--) {
    const answer = await putRun(id, { ...update, report: given }, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]));
    if (answer.kind === "read") return true;
    if (answer.kind === "refused" && answer.status === 401) {
      const isCancelled = ended === "cancelled";
      const hasToken = await Promise.race([signIn().then(() => true), pause(isCancelled ? BETWEEN : PATIENCE, signal).then(() => false)]);
      if (!hasToken && isCancelled) return false;
      if (hasToken && !isRenewed) left++;
      isRenewed = hasToken;
    } else if (answer.kind === "refused" && answer.status < 500 && answer.status !== 429) return false;
    else if (left > 1) await pause(BETWEEN, signal);
  }
  return false;
}

export interface ServiceJob extends Omit<UploadJob, "log" | "file" | "uploadId"> {
  telling: RunTelling;
  /** Is asked where somebody has the same file; resolves when the user wants it all the same. */
  askAnyway(): Promise<void>;
}

/** Runs like runResumable, and tells the service. */
export async function* runOnService(
  { telling, askAnyway, ...job }: ServiceJob,
  opened: OpenedUpload,
  storage: UploadStorage,
): AsyncGenerator<UploadState> {
  const { upload, file } = opened;
  const { collection, plan, signal, outcomeLog = new OutcomeLog(), openRows } = job;
  const described = describeRun(upload, { collection: collection.name, plan, file: await nameOfFile(upload.job?.fingerprint) });
  const isNeeded = upload.again !== undefined || upload.isReported === true;
  const begun = await beginOnService(described, telling, { isNeeded, signal });
  if ("refused" in begun) {
    const title = upload.again ? t("These rows were not sent.") : t("This upload cannot go on here.");
    if (upload.again) await dropUpload(upload.id, storage); // whoever wants to, opens the rows anew, as they are then
    return yield { step: "refused", title, detail: begun.refused };
  }
  if (begun.sameFile.length > 0 && !upload.report) {
    yield { step: "preparing", sameFile: begun.sameFile };
    await untilAborted(askAnyway(), signal);
  }
  for await (const state of runResumable({ ...job, outcomeLog }, opened, storage)) {
    if (state.step !== "report") {
      yield state;
      continue;
    }
    const { report, canContinue = false } = state;
    const numbersIn = upload.again ? { numbersIn: NUMBERS } : {};
    const rows = await findRowsNotStored({ file, collection, plan, outcomeLog, openRows, ...numbersIn }).catch((error: unknown) => {
      if (!(error instanceof FileError)) throw error;
      return []; // it can no longer be read
    });
    const isTaken = await reportToService(described, telling, { report, rows, canContinue, signal: new AbortController().signal });
    if (isTaken && canContinue) await noteReported(upload.id, storage);
    const byRow = new Map(rows.map((row) => [row.row, row]));
    yield {
      ...state,
      report: { ...report, notStored: report.notStored.map((row) => withValues(row, byRow, upload.again)) },
      isOnService: isTaken,
    };
  }
}

/** The column of a file of rows sent again that has their numbers: see rowsAsFile. */
export const NUMBERS = 1;

async function dropUpload(id: string, { journal, copies }: UploadStorage): Promise<void> {
  await Promise.allSettled([journal.drop(id), copies.drop(id)]);
}

async function noteReported(id: string, { journal }: UploadStorage): Promise<void> {
  const stored = await journal.get(id).catch(() => undefined);
  if (stored) await journal.put({ ...stored, isReported: true }).catch(() => undefined);
}

function withValues(row: NotStoredRow, byRow: ReadonlyMap<number, RunRow>, again: SentAgain | undefined): NotStoredRow {
  const number = again?.rows[row.row - 1] ?? row.row;
  const { values, fields } = byRow.get(number) ?? {};
  return { ...row, row: number, ...(values && { values }), ...(fields && { fields }) };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return untilAborted(new Promise((resolve) => setTimeout(resolve, ms)), signal);
}

function untilAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return Promise.race([wait, new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))]);
}
