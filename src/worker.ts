// Door two: runs one upload off the page, joining upload/ and the service. Draws nothing; its messages never carry a token outwards.

import type { Collection } from "../dictionary/collections.ts";
import type { CheckSummary } from "./upload/check.ts";
import { openCopies } from "./upload/copies.ts";
import type { Choices } from "./upload/dialect.ts";
import { errorsFileName, makeErrorsFile } from "./upload/errors-file.ts";
import { type Hold, Holds } from "./upload/holds.ts";
import { openJournal, UPLOAD_LOCK } from "./upload/journal.ts";
import type { Plan } from "./upload/judge.ts";
import { type Begun, beginUpload, reopenUpload, runKept } from "./upload/kept-run.ts";
import { openMappings } from "./upload/mappings.ts";
import { mappingOf } from "./upload/recall.ts";
import { Book } from "./upload/report.ts";
import { runCheck, runLook, type UploadState } from "./upload/run.ts";
import { undoUpload } from "./upload/undo.ts";
import { createUploadService, type UploadService } from "./worker-service.ts";

export type Command =
  | { type: "look"; file: File; collection: Collection; choices: Choices }
  | { type: "check"; plan: Plan }
  | { type: "upload"; uploadId: string; plan: Plan; baseUrl: string; token: string }
  /** An upload that was cut off or stopped; the file when there is no copy of it. */
  | { type: "goOn"; uploadId: string; file?: File | undefined; collection: Collection; baseUrl: string; token: string }
  /** Takes back what an ended upload stored. */
  | { type: "undo"; uploadId: string; collection: Collection; baseUrl: string; token: string }
  | { type: "hold"; why: Hold }
  | { type: "lift"; why: Hold }
  | { type: "token"; token: string } // the answer to signInNeeded
  | { type: "cancel" } // a running check: back to columns; a running upload: its report
  | { type: "errorsFile" };

export type WorkerEvent =
  | { type: "state"; state: UploadState }
  | { type: "signInNeeded" }
  | { type: "errorsFile"; blob: Blob; name: string }
  | { type: "broken"; message: string };

const keeping = { journal: openJournal(), copies: openCopies() };
let chosen: { file: File; collection: Collection; columns?: UploadState } | undefined;
let checked: { plan: Plan; check: CheckSummary } | undefined;
/** What the errors file is made of. */
let latest: { plan: Plan; book: Book | undefined } | undefined;
const mappings = openMappings();
let running = new AbortController();
let service: UploadService | undefined;
const holds = new Holds();

self.addEventListener("message", ({ data }: MessageEvent<Command>) => {
  obey(data).catch((error: unknown) => tell({ type: "broken", message: error instanceof Error ? error.message : String(error) }));
});

async function obey(command: Command): Promise<void> {
  switch (command.type) {
    case "look":
      return look(command);
    case "check":
      return check(command.plan);
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

async function look({ file, collection, choices }: Extract<Command, { type: "look" }>): Promise<void> {
  const signal = begin();
  checked = undefined;
  latest = undefined;
  const columns = await runLook(file, collection, choices, await mappings.list());
  if (signal.aborted) return;
  chosen = { file, collection, columns };
  tell({ type: "state", state: columns });
}

async function check(plan: Plan): Promise<void> {
  const { file, collection, columns } = theFile();
  const signal = begin();
  if (columns?.step === "columns") remember(collection, columns.look.header, plan);
  for await (const state of runCheck({ file, collection, plan, signal })) {
    if (running.signal !== signal) return;
    if (state.step === "checked") {
      checked = { plan, check: state.check };
      latest = { plan, book: undefined };
    }
    tell({ type: "state", state });
  }
  if (signal.aborted && running.signal === signal && columns) tell({ type: "state", state: columns });
}

/** For the next file with these headings. A browser that keeps no data forgets. */
function remember(collection: Collection, header: readonly string[], plan: Plan): void {
  mappings.keep(mappingOf(collection, header, plan.columns)).catch(() => {});
}

async function upload({ uploadId, plan, baseUrl, token }: Extract<Command, { type: "upload" }>): Promise<void> {
  const { file, collection } = theFile();
  const known = JSON.stringify(checked?.plan) === JSON.stringify(plan) ? checked?.check : undefined;
  if (!known) throw new Error("This file was not checked by this plan.");
  const signal = begin();
  tell({ type: "state", state: { step: "preparing" } });
  const begun = await beginUpload({ uploadId, file, collection, plan, rowsTotal: known.rowsRead }, keeping);
  await send(begun, { collection, plan, rowsTotal: known.rowsRead, baseUrl, token }, signal);
}

async function goOn({ uploadId, file, collection, baseUrl, token }: Extract<Command, { type: "goOn" }>): Promise<void> {
  const signal = begin();
  tell({ type: "state", state: { step: "preparing" } });
  const found = await reopenUpload(uploadId, file, keeping);
  if ("step" in found) return tell({ type: "state", state: found });
  chosen = { file: found.file, collection };
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
  latest = { plan, book };
  service = createUploadService(baseUrl, collection, token, () => tell({ type: "signInNeeded" }));
  const states = runKept({ ...service, collection, plan, rowsTotal, signal, holds, book }, begun, keeping);
  await tellAlone(begun.upload.id, states, signal);
}

async function undo({ uploadId, collection, baseUrl, token }: Extract<Command, { type: "undo" }>): Promise<void> {
  const signal = begin();
  const { journal } = keeping;
  const upload = await journal.get(uploadId);
  if (!upload) return;
  service = createUploadService(baseUrl, collection, token, () => tell({ type: "signInNeeded" }));
  const keyField = collection.key.name;
  await tellAlone(uploadId, undoUpload({ ...service, upload, journal, keyField, signal, holds }), signal);
}

/** Holds the upload's lock meanwhile, so that no other tab works on it as well; a tab that dies lets go of it. */
async function tellAlone(uploadId: string, states: AsyncGenerator<UploadState>, signal: AbortSignal): Promise<void> {
  holds.lift("paused");
  await withLock(`${UPLOAD_LOCK}${uploadId}`, async (isOurs) => {
    if (!isOurs) return tell({ type: "state", state: ELSEWHERE });
    for await (const state of states) {
      if (running.signal !== signal) return;
      tell({ type: "state", state });
    }
  });
}

const ELSEWHERE: UploadState = {
  step: "refused",
  title: "This upload runs in another tab.",
  detail: "Go on there, or close that tab first.",
};

async function withLock(name: string, run: (isOurs: boolean) => Promise<void>): Promise<void> {
  if (!navigator.locks) return run(true); // pages without TLS have none
  await navigator.locks.request(name, { ifAvailable: true }, (lock) => run(lock !== null));
}

async function errorsFile(): Promise<void> {
  const { file, collection } = theFile();
  if (!latest) return;
  const blob = await makeErrorsFile(file, collection, latest.plan, latest.book);
  tell({ type: "errorsFile", blob, name: errorsFileName(file.name) });
}

/** Whatever ran before gives way: one thing at a time. */
function begin(): AbortSignal {
  running.abort();
  running = new AbortController();
  return running.signal;
}

function theFile(): NonNullable<typeof chosen> {
  if (!chosen) throw new Error("No file was looked at.");
  return chosen;
}

function tell(event: WorkerEvent): void {
  self.postMessage(event);
}
