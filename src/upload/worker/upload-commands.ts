// Runs one upload in a worker. No message to the page carries a token.

import type { UndoCounts } from "../../../core/contract/history.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { parentsFirst } from "../../../core/dictionary/parents-first.ts";
import { setBoundWriter } from "../../../core/dictionary/validate.ts";
import { setCatalogue, t } from "../../../core/i18n/translate.ts";
import { FileError } from "../../../pipeline/model/file-error.ts";
import { OutcomeLog } from "../../../pipeline/model/outcomes.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { makeErrorsFile } from "../../../pipeline/runs/errors-file.ts";
import { errorsFileName } from "../../../pipeline/runs/errors-file-name.ts";
import { beginUpload, type OpenedUpload, type UploadStorage } from "../../../pipeline/runs/resumable-run.ts";
import { runOnService } from "../../../pipeline/runs/run-on-service.ts";
import type { UndoJob } from "../../../pipeline/runs/undo.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { Pauses } from "../../../pipeline/sending/pauses.ts";
import type { PostBatch } from "../../../pipeline/sending/responses.ts";
import { createUploadService, type UploadService } from "../../../pipeline/sending/upload-service.ts";
import { timeToStore } from "../../browser/clock.ts";
import { setLocale } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import { openJournal } from "../storage/indexeddb-journal.ts";
import { openMappings } from "../storage/indexeddb-mappings.ts";
import { openCopies } from "../storage/opfs-copies.ts";
import { FileCheck, notFetched, type Run } from "./file-session.ts";
import type { Command, WorkerEvent } from "./messages.ts";
import { withLock } from "./upload-lock.ts";

let storage: UploadStorage;
let check: FileCheck;
/** Holds what the errors file is made from; while a file is being corrected, that file. */
interface ErrorsOf {
  file: File;
  collection: Collection;
  plan: Plan;
  outcomeLog?: OutcomeLog;
  /** It has rows that another upload did not store, and not the whole file. */
  isPart?: boolean;
}
let latest: ErrorsOf | undefined;
let running = new AbortController();
let finding = new AbortController();
let anyway = () => {};
let service: UploadService | undefined;
const pauses = new Pauses();

/** Runs each command of the page, in their order. */
export function onCommand(command: Command): void {
  handle(command).catch(postBug);
}

function postBug(error: unknown): void {
  post({ type: "broken", message: error instanceof Error ? error.message : String(error) });
}

/** Messages have the reader's language, so their numbers and dates have the reader's form. Each bound is written once for a million wrong cells. */
function writeBoundsIn(locale: string | undefined): void {
  setLocale(locale ?? "");
  const written = new Map<string, string>();
  setBoundWriter((field, bound) => {
    const key = `${field.kind} ${field.name} ${bound}`;
    const text = written.get(key) ?? formatValue(field, bound);
    written.set(key, text);
    return text;
  });
}

async function handle(command: Command): Promise<void> {
  switch (command.type) {
    case "setReader":
      setCatalogue(command.catalogue);
      storage = { journal: openJournal(command.person), copies: openCopies() };
      check = new FileCheck(storage, openMappings(command.person), postBug);
      return writeBoundsIn(command.locale);
    case "inspect":
      return inspect(command);
    case "columns": {
      const { findInColumns } = await import("./column-work.ts");
      return findInColumns(command.work, (found) => post({ type: "columns", found }));
    }
    case "propose": {
      const { propose } = await import("./propose-work.ts");
      return propose(command.work, (proposed) => post({ type: "proposed", proposed }));
    }
    case "check":
      return check.check(command.plan, command.isAgreed, { ...beginRun(), dryPostFor: dryPostOf(command) });
    case "act":
      return check.act(command.act);
    case "query":
      return answer(command);
    case "preview":
      return preview(command);
    case "upload":
      return upload(command);
    case "continue":
      return continueUpload(command);
    case "anyway":
      return anyway();
    case "undo":
      return undo(command);
    case "pause":
      return pauses.put(command.why);
    case "unpause":
      return pauses.lift(command.why);
    case "token":
      return service?.take(command.token);
    case "cancel":
      return running.abort();
    case "errorsFile":
      return errorsFile();
    case "missing":
      return findMissing(command);
    case "endMissing":
      return finding.abort();
  }
}

async function inspect(command: Extract<Command, { type: "inspect" }>): Promise<void> {
  const { file = check.file, uploadId = "" } = command;
  if (!file) throw new Error("No file was chosen.");
  latest = undefined;
  await check.inspect({ ...command, file, uploadId }, beginRun());
}

function answer({ id, query }: Extract<Command, { type: "query" }>): void {
  const answer = check.answer(query);
  if (answer) post({ type: "answer", id, answer });
}

function preview({ baseUrl, token }: Extract<Command, { type: "preview" }>): void {
  const { collection } = check.checked ?? {};
  if (collection) check.preview(createUploadService(baseUrl, collection, token, () => {}));
}

function dryPostOf({ baseUrl, token }: { baseUrl: string; token: string }): (collection: Collection) => PostBatch {
  return (collection) => createUploadService(baseUrl, collection, token, () => {}).postDry;
}

async function upload({ uploadId, again, baseUrl, token }: Extract<Command, { type: "upload" }>): Promise<void> {
  const { checked } = check;
  if (!checked) throw new Error("No file was checked.");
  const { file, collection, plan } = checked;
  const rowsTotal = checked.check.rowsRead;
  const signal = begin();
  post({ type: "state", state: { step: "preparing" } });
  const { isCopy, fingerprint } = await check.endUnsent(uploadId);
  const opened = await beginUpload({ uploadId, file, collection, plan, rowsTotal, fingerprint, again }, storage, timeToStore());
  await send({ ...opened, isCopy }, { collection, plan, rowsTotal, baseUrl, token }, signal);
}

async function continueUpload({
  uploadId,
  file,
  collections,
  baseUrl,
  token,
  ...of
}: Extract<Command, { type: "continue" }>): Promise<void> {
  const signal = begin();
  post({ type: "state", state: { step: "preparing" } });
  // Few uploads are continued or undone, so this code is loaded only when it is needed.
  const load = () => Promise.all([import("../../../pipeline/runs/reopen-upload.ts"), import("../../../core/dictionary/file-parents.ts")]);
  const [part, parents] = await load().catch(() => []);
  // Which parents are created was decided before; the service says what the person may not do any more.
  const collection = parents?.withFileParents(of.collection, { collections, mayCreate: () => true }) ?? of.collection;
  const found = part ? await part.reopenUpload(uploadId, file, storage) : notFetched(t("The upload could not go on."));
  if ("step" in found) return post({ type: "state", state: found });
  const { plan, rowsTotal } = found.upload.job as NonNullable<typeof found.upload.job>;
  if (found.upload.unsent) {
    if (!(await check.restore(found, collection, { ...runOf(signal), dryPostFor: dryPostOf({ baseUrl, token }) })))
      post({ type: "state", state: runsElsewhere() });
    return;
  }
  await send(found, { collection, plan, rowsTotal, baseUrl, token }, signal);
}

interface SendOrder {
  collection: Collection;
  plan: Plan;
  rowsTotal: number;
  baseUrl: string;
  token: string;
}

async function send(opened: OpenedUpload, { collection, plan, rowsTotal, baseUrl, token }: SendOrder, signal: AbortSignal): Promise<void> {
  const outcomeLog = new OutcomeLog();
  const { again, id } = opened.upload;
  latest = { file: opened.file, collection, plan, outcomeLog, isPart: again !== undefined };
  service = openService(again?.run ?? id, baseUrl, collection, token, plan.previewedAt);
  const { putRun, signIn } = service;
  const askAnyway = () => new Promise<void>((resolve) => (anyway = resolve));
  const job = { ...service, collection, plan, rowsTotal, signal, pauses, outcomeLog, telling: { putRun, signIn }, askAnyway };
  const states = runOnService(job, opened, storage);
  await postAlone(opened.upload.id, states, signal);
}

function openService(run: string, baseUrl: string, collection: Collection, token: string, unlessChangedSince?: string): UploadService {
  const writing = { source: `upload; run=${run}`, unlessChangedSince };
  return createUploadService(baseUrl, collection, token, () => post({ type: "signInNeeded" }), writing);
}

async function undo({ uploadId, collection, collections, baseUrl, token }: Extract<Command, { type: "undo" }>): Promise<void> {
  const signal = begin();
  service = openService(uploadId, baseUrl, collection, token);
  // An upload that has just ended may still store its rejected rows; the page says at once that the undo was heard.
  const onWait = () => post({ type: "state", state: UNDO_WAITS });
  const order = parentsFirst(
    collections.map(({ name }) => name),
    collections,
  ).reverse();
  const elsewhere = { ...service, collection: collection.name, order };
  await postAlone(uploadId, undoEnded({ ...service, elsewhere, run: uploadId, signal, pauses }), signal, onWait);
}

const UNDO_WAITS: UploadState = {
  step: "undoing",
  counts: { reversed: 0, kept: 0, failed: 0 },
  rowsTotal: 0,
  rowsDone: 0,
  rowsPerSecond: 0,
  secondsLeft: null,
  waiting: null,
  isPaused: false,
};

/** Reads the upload once nobody else works on it. One that was made in another browser is undone all the same. */
async function* undoEnded(job: UndoJob): AsyncGenerator<UploadState> {
  const load = () => Promise.all([import("../../../pipeline/runs/undo.ts"), import("../../../pipeline/runs/reopen-upload.ts")]);
  const [part, reopen] = await load().catch(() => []);
  if (!part || !reopen) return yield notFetched(t("The undo could not start."));
  const upload = await storage.journal.get(job.run).catch(() => undefined);
  const rejection = upload && (await reopen.endForUndo(upload, storage));
  if (rejection) return yield rejection;
  for await (const state of part.undoRun(job)) {
    if (state.step === "undone") await storeUndo(job.run, state.counts).catch(() => undefined);
    yield state;
  }
}

/** Notes it for the report; the service itself knows what is undone. */
async function storeUndo(id: string, undo: UndoCounts): Promise<void> {
  const upload = await storage.journal.get(id);
  if (upload) await storage.journal.put({ ...upload, undo });
}

/** Holds the upload's lock meanwhile, so that no other tab works on it. A tab that dies releases it. */
async function postAlone(uploadId: string, states: AsyncGenerator<UploadState>, signal: AbortSignal, onWait?: () => void): Promise<void> {
  pauses.lift("paused");
  const postAll = async (isOurs: boolean): Promise<void> => {
    if (running.signal !== signal) return;
    if (!isOurs) return post({ type: "state", state: runsElsewhere() });
    for await (const state of states) {
      if (running.signal !== signal) return;
      post({ type: "state", state });
    }
  };
  await withLock(uploadId, postAll, onWait);
}

function runsElsewhere(): UploadState {
  return { step: "refused", title: t("This upload runs in another tab."), detail: t("Continue there, or close that tab first.") };
}

async function errorsFile(): Promise<void> {
  const from: ErrorsOf | undefined = check.checked ?? latest;
  if (!from) return;
  const { file, collection, plan, outcomeLog } = from;
  try {
    const blob = await makeErrorsFile(file, collection, plan, outcomeLog);
    post({ type: "errorsFile", blob, name: errorsFileName(file.name) });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    post({ type: "errorsFile", refused: error.message });
  }
}

/** Looks at an upload that has ended. Once it is ended, or something else begins, it says nothing more. */
async function findMissing(command: Extract<Command, { type: "missing" }>): Promise<void> {
  if (!latest || latest.isPart) return;
  finding.abort();
  finding = new AbortController();
  const { signal } = finding;
  try {
    const part = await import("./missing-work.ts").catch(() => undefined); // without a network the report stays, and says so
    const notThere = t("A part of the app could not be loaded. Reload the page and try again; nothing was changed.");
    const found = part ? await part.findMissingIn(latest, command, signal) : { refused: notThere };
    if (!signal.aborted) post({ type: "missing", found });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Ends whatever ran before: only one thing runs at a time. */
function begin(): AbortSignal {
  running.abort();
  finding.abort();
  check.close();
  running = new AbortController();
  return running.signal;
}

function beginRun(): Run {
  return runOf(begin());
}

function runOf(signal: AbortSignal): Run {
  return { signal, post: (state) => running.signal === signal && post({ type: "state", state }) };
}

function post(event: WorkerEvent): void {
  self.postMessage(event);
}
