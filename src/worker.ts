// Door two: runs one upload off the page, joining upload/ and the API client. Draws nothing; its messages never carry a token outwards.

import type { Fields } from "../dictionary/check.ts";
import type { Collection } from "../dictionary/collections.ts";
import { type BatchReply, collectionPath, type OnConflict, type OnMissing } from "../dictionary/wire.ts";
import { ApiError, createClient, NoReply } from "./api/client.ts";
import type { CheckSummary } from "./upload/check.ts";
import type { BatchAnswer, PostBatch } from "./upload/deliver.ts";
import type { Choices } from "./upload/dialect.ts";
import { makeErrorsFile } from "./upload/errors-file.ts";
import type { Plan } from "./upload/judge.ts";
import { openMappings } from "./upload/mappings.ts";
import type { UploadMode } from "./upload/match.ts";
import { mappingOf } from "./upload/recall.ts";
import { Book } from "./upload/report.ts";
import { runCheck, runLook, runUpload, type UploadState } from "./upload/run.ts";

export type Command =
  | { type: "look"; file: File; collection: Collection; choices: Choices }
  | { type: "check"; plan: Plan }
  | { type: "upload"; uploadId: string; plan: Plan; baseUrl: string; token: string }
  | { type: "token"; token: string } // the answer to signInNeeded
  | { type: "cancel" } // a running check: back to columns; a running upload: its report
  | { type: "errorsFile" };

export type WorkerEvent =
  | { type: "state"; state: UploadState }
  | { type: "signInNeeded" }
  | { type: "errorsFile"; blob: Blob; name: string }
  | { type: "broken"; message: string };

let chosen: { file: File; collection: Collection; columns: UploadState } | undefined;
let checked: { plan: Plan; check: CheckSummary } | undefined;
/** What the errors file is made of. */
let latest: { plan: Plan; book: Book | undefined } | undefined;
const mappings = openMappings();
let running = new AbortController();
let token: string | undefined;
let tokenComes: { promise: Promise<void>; arrive(): void } | undefined;

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
    case "token":
      token = command.token;
      tokenComes?.arrive();
      tokenComes = undefined;
      return;
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
  if (columns.step === "columns") remember(collection, columns.look.header, plan);
  for await (const state of runCheck({ file, collection, plan, signal })) {
    if (running.signal !== signal) return;
    if (state.step === "checked") {
      checked = { plan, check: state.check };
      latest = { plan, book: undefined };
    }
    tell({ type: "state", state });
  }
  if (signal.aborted && running.signal === signal) tell({ type: "state", state: columns });
}

/** For the next file with these headings. A browser that keeps no data forgets. */
function remember(collection: Collection, header: readonly string[], plan: Plan): void {
  mappings.keep(mappingOf(collection, header, plan.columns)).catch(() => {});
}

async function upload({ uploadId, plan, baseUrl, token: given }: Extract<Command, { type: "upload" }>): Promise<void> {
  const { file, collection } = theFile();
  const signal = begin();
  token = given;
  tokenComes = undefined; // whoever waited for one has been cancelled
  const book = new Book();
  latest = { plan, book };
  const known = JSON.stringify(checked?.plan) === JSON.stringify(plan) ? checked?.check : undefined;
  const { postBatch, signIn } = createPost(baseUrl, collection);
  for await (const state of runUpload({ file, collection, plan, signal, uploadId, postBatch, signIn, book, check: known })) {
    if (running.signal !== signal) return;
    tell({ type: "state", state });
  }
}

async function errorsFile(): Promise<void> {
  const { file, collection } = theFile();
  if (!latest) return;
  const blob = await makeErrorsFile(file, collection, latest.plan, latest.book);
  tell({ type: "errorsFile", blob, name: `${file.name.replace(/\.[^.]*$/, "")}-not-stored.csv` });
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

const MODES: Record<UploadMode, { onConflict: OnConflict; onMissing?: OnMissing }> = {
  create: { onConflict: "error" },
  update: { onConflict: "update", onMissing: "error" },
  upsert: { onConflict: "update" },
};

function createPost(baseUrl: string, collection: Collection): { postBatch: PostBatch; signIn(): Promise<void> } {
  let refused: string | undefined;
  // The client's own renewal is declined: a 401 is dealt with in one place, by upload/deliver.ts, which a cancel can interrupt.
  const session = { token: () => token, renew: () => Promise.reject(new ApiError(401, {}, null)) };
  const client = createClient({ baseUrl, session });
  async function postBatch(records: Fields[], key: string, mode: UploadMode, signal: AbortSignal): Promise<BatchAnswer> {
    const sent = token;
    try {
      const { json } = await client.request("POST", collectionPath(collection.name), {
        query: { onError: "continue", ...MODES[mode] },
        body: { [collection.name]: records },
        headers: { "Idempotency-Key": key },
        signal,
      });
      return { kind: "answered", results: (json as Partial<BatchReply> | undefined)?.results ?? [] };
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) refused = sent;
      return readFailure(error, signal);
    }
  }
  /** One request to the page for all batches that wait for it; none when another batch has brought a new token already. */
  function signIn(): Promise<void> {
    if (refused !== token) return Promise.resolve();
    if (!tokenComes) {
      let arrive = (): void => undefined;
      const promise = new Promise<void>((resolve) => (arrive = resolve));
      tokenComes = { promise, arrive };
      tell({ type: "signInNeeded" });
    }
    return tokenComes.promise;
  }
  return { postBatch, signIn };
}

function readFailure(error: unknown, signal: AbortSignal): BatchAnswer {
  if (error instanceof ApiError) {
    const { status, message, problems, retryAfter } = error;
    return { kind: "refused", status, detail: message, problems, retryAfter };
  }
  if (error instanceof NoReply || signal.aborted) return { kind: "noReply", detail: "The service gave no reply." };
  throw error;
}
