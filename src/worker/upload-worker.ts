// Door two: runs one upload off the page, joining upload/ and the service. Draws nothing; its messages never carry a token outwards.

import type { Collection } from "../../core/dictionary/collections.ts";
import { say, speak } from "../../core/i18n/translate.ts";
import { Book } from "../../pipeline/model/outcomes.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import { errorsFileName, makeErrorsFile } from "../../pipeline/runs/errors-file.ts";
import { type Begun, beginUpload, endForUndo, reopenUpload, runKept } from "../../pipeline/runs/resumable-run.ts";
import type { UndoJob } from "../../pipeline/runs/undo.ts";
import type { UploadState } from "../../pipeline/runs/upload-state.ts";
import { Holds } from "../../pipeline/sending/pauses.ts";
import { createUploadService, type UploadService } from "../../pipeline/sending/upload-service.ts";
import { openJournal, UPLOAD_LOCK } from "../storage/indexeddb-journal.ts";
import { openCopies } from "../storage/opfs-copies.ts";
import { FileCheck, type Run } from "./file-session.ts";
import type { Command, WorkerEvent } from "./messages.ts";

const keeping = { journal: openJournal(), copies: openCopies() };
const check = new FileCheck(tellBug);
/** What the errors file is made of; while a file is being mended it is that file. */
interface ErrorsOf {
  file: File;
  collection: Collection;
  plan: Plan;
  book?: Book;
}
let latest: ErrorsOf | undefined;
let running = new AbortController();
let service: UploadService | undefined;
const holds = new Holds();

self.addEventListener("message", ({ data }: MessageEvent<Command>) => {
  obey(data).catch(tellBug);
});

function tellBug(error: unknown): void {
  tell({ type: "broken", message: error instanceof Error ? error.message : String(error) });
}

async function obey(command: Command): Promise<void> {
  switch (command.type) {
    case "speak":
      return speak(command.catalogue);
    case "look":
      latest = undefined;
      return check.look(command, beginRun());
    case "check":
      return check.check(command.plan, command.isAgreed, beginRun());
    case "act":
      return check.act(command.act);
    case "ask":
      return answer(command);
    case "preview":
      return preview(command);
    case "upload":
      return upload(command);
    case "goOn":
      return goOn(command);
    case "undo":
      return undo(command);
    case "hold":
      return holds.put(command.why);
    case "lift":
      return holds.lift(command.why);
    case "token":
      return service?.take(command.token);
    case "cancel":
      return running.abort();
    case "errorsFile":
      return errorsFile();
  }
}

function answer({ id, ask }: Extract<Command, { type: "ask" }>): void {
  const answer = check.answer(ask);
  if (answer) tell({ type: "answer", id, answer });
}

function preview({ baseUrl, token }: Extract<Command, { type: "preview" }>): void {
  const { collection } = check.checked ?? {};
  if (collection) check.preview(createUploadService(baseUrl, collection, token, () => {}).postDry);
}

async function upload({ uploadId, baseUrl, token }: Extract<Command, { type: "upload" }>): Promise<void> {
  const { checked } = check;
  if (!checked) throw new Error("No file was checked.");
  const { file, collection, plan } = checked;
  const rowsTotal = checked.check.rowsRead;
  const signal = begin();
  tell({ type: "state", state: { step: "preparing" } });
  const begun = await beginUpload({ uploadId, file, collection, plan, rowsTotal }, keeping);
  await send(begun, { collection, plan, rowsTotal, baseUrl, token }, signal);
}

async function goOn({ uploadId, file, collection, baseUrl, token }: Extract<Command, { type: "goOn" }>): Promise<void> {
  const signal = begin();
  tell({ type: "state", state: { step: "preparing" } });
  const found = await reopenUpload(uploadId, file, keeping);
  if ("step" in found) return tell({ type: "state", state: found });
  const { plan, rowsTotal } = found.upload.job as NonNullable<typeof found.upload.job>;
  await send(found, { collection, plan, rowsTotal, baseUrl, token }, signal);
}

interface SendOrder {
  collection: Collection;
  plan: Plan;
  rowsTotal: number;
  baseUrl: string;
  token: string;
}

async function send(begun: Begun, { collection, plan, rowsTotal, baseUrl, token }: SendOrder, signal: AbortSignal): Promise<void> {
  const book = new Book();
  latest = { file: begun.file, collection, plan, book };
  service = createUploadService(baseUrl, collection, token, () => tell({ type: "signInNeeded" }));
  const states = runKept({ ...service, collection, plan, rowsTotal, signal, holds, book }, begun, keeping);
  await tellAlone(begun.upload.id, states, signal);
}

async function undo({ uploadId, collection, baseUrl, token }: Extract<Command, { type: "undo" }>): Promise<void> {
  const signal = begin();
  service = createUploadService(baseUrl, collection, token, () => tell({ type: "signInNeeded" }));
  const job = { ...service, journal: keeping.journal, keyField: collection.key.name, signal, holds };
  await tellAlone(uploadId, undoEnded(uploadId, job), signal);
}

/** Reads the upload when nobody else works on it any more. */
async function* undoEnded(uploadId: string, job: Omit<UndoJob, "upload">): AsyncGenerator<UploadState> {
  // Few uploads are undone: these bytes come when they are needed.
  const part = await import("../../pipeline/runs/undo.ts").catch(() => undefined);
  if (!part) return yield notFetched();
  const upload = await keeping.journal.get(uploadId);
  if (!upload) return;
  const refusal = await endForUndo(upload, keeping);
  if (refusal) yield refusal;
  else yield* part.undoUpload({ ...job, upload });
}

function notFetched(): UploadState {
  return {
    step: "refused",
    title: say("The undo could not begin."),
    detail: say("A part of the app could not be fetched. Reload the page and try again; nothing was changed."),
  };
}

/** Holds the upload's lock meanwhile, so that no other tab works on it as well; a tab that dies lets go of it. */
async function tellAlone(uploadId: string, states: AsyncGenerator<UploadState>, signal: AbortSignal): Promise<void> {
  holds.lift("paused");
  await withLock(`${UPLOAD_LOCK}${uploadId}`, async (isOurs) => {
    if (!isOurs) return tell({ type: "state", state: elsewhere() });
    for await (const state of states) {
      if (running.signal !== signal) return;
      tell({ type: "state", state });
    }
  });
}

function elsewhere(): UploadState {
  return { step: "refused", title: say("This upload runs in another tab."), detail: say("Go on there, or close that tab first.") };
}

async function withLock(name: string, run: (isOurs: boolean) => Promise<void>): Promise<void> {
  if (!navigator.locks) return run(true); // pages without TLS have none
  await navigator.locks.request(name, { ifAvailable: true }, (lock) => run(lock !== null));
}

async function errorsFile(): Promise<void> {
  const from: ErrorsOf | undefined = check.checked ?? latest;
  if (!from) return;
  const { file, collection, plan, book } = from;
  const blob = await makeErrorsFile(file, collection, plan, book);
  tell({ type: "errorsFile", blob, name: errorsFileName(file.name) });
}

/** Whatever ran before gives way: one thing at a time. */
function begin(): AbortSignal {
  running.abort();
  check.close();
  running = new AbortController();
  return running.signal;
}

function beginRun(): Run {
  const signal = begin();
  return { signal, tell: (state) => running.signal === signal && tell({ type: "state", state }) };
}

function tell(event: WorkerEvent): void {
  self.postMessage(event);
}
