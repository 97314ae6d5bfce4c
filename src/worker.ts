// Door two: runs one upload off the page, joining upload/ and the API client. Draws nothing; its messages never carry a token outwards.

import type { Fields } from "../dictionary/check.ts";
import type { Collection } from "../dictionary/collections.ts";
import { type BatchReply, collectionPath, type OnConflict, type OnMissing } from "../dictionary/wire.ts";
import { ApiError, createClient, NoReply } from "./api/client.ts";
import type { BatchAnswer, PostBatch } from "./upload/deliver.ts";
import type { Dialect } from "./upload/detect.ts";
import { makeErrorsFile } from "./upload/errors-file.ts";
import type { Findings } from "./upload/findings.ts";
import type { Plan } from "./upload/judge.ts";
import type { UploadMode } from "./upload/match.ts";
import { type History, Mending, type MendingJob } from "./upload/mending.ts";
import type { Act, Answer, Ask } from "./upload/mending-state.ts";
import { FileRefused } from "./upload/read.ts";
import { Book } from "./upload/report.ts";
import { runCheck, runLook, runUpload, type UploadState } from "./upload/run.ts";

export type Command =
  | { type: "look"; file: File; collection: Collection; delimiter?: Dialect["delimiter"] }
  | { type: "check"; plan: Plan }
  | { type: "act"; act: Act } // on a checked file
  | { type: "ask"; id: number; ask: Ask } // about a checked file
  | { type: "preview"; baseUrl: string; token: string }
  | { type: "upload"; uploadId: string; plan: Plan; baseUrl: string; token: string }
  | { type: "token"; token: string } // the answer to signInNeeded
  | { type: "cancel" } // a running check: back to columns; a running upload: its report
  | { type: "errorsFile" };

export type WorkerEvent =
  | { type: "state"; state: UploadState }
  | { type: "signInNeeded" }
  | { type: "answer"; id: number; answer: Answer }
  | { type: "errorsFile"; blob: Blob; name: string }
  | { type: "broken"; message: string };

let chosen: { file: File; collection: Collection; columns: UploadState } | undefined;
/** The checked file while the user mends it. */
let mending: Mending | undefined;
/** What was mended before the columns of the same file were looked at again. */
let mended: { delimiter: Dialect["delimiter"]; history: History } | undefined;
/** What the errors file is made of. */
let latest: { plan: Plan; book: Book | undefined } | undefined;
let running = new AbortController();
let token: string | undefined;
let tokenComes: { promise: Promise<void>; arrive(): void } | undefined;

self.addEventListener("message", ({ data }: MessageEvent<Command>) => {
  obey(data).catch(tellBug);
});

function tellBug(error: unknown): void {
  tell({ type: "broken", message: error instanceof Error ? error.message : String(error) });
}

async function obey(command: Command): Promise<void> {
  switch (command.type) {
    case "look":
      return look(command);
    case "check":
      return check(command.plan);
    case "act":
      return mending?.act(command.act);
    case "ask":
      return mending && tell({ type: "answer", id: command.id, answer: mending.answer(command.ask) });
    case "preview":
      return preview(command);
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

async function look({ file, collection, delimiter }: Extract<Command, { type: "look" }>): Promise<void> {
  const signal = begin();
  if (!isSameFile(file)) mended = undefined;
  latest = undefined;
  const columns = await runLook(file, collection, delimiter);
  if (signal.aborted) return;
  chosen = { file, collection, columns };
  tell({ type: "state", state: columns });
}

function isSameFile(file: File): boolean {
  const before = chosen?.file;
  return before?.name === file.name && before.size === file.size && before.lastModified === file.lastModified;
}

async function check(base: Plan): Promise<void> {
  const { file, collection, columns } = theFile();
  const signal = begin();
  const { delimiter } = base.dialect;
  const history = mended?.delimiter === delimiter ? mended.history : undefined;
  const plan = history ? { ...base, fixes: history.fixes } : base;
  let found: Findings | undefined;
  const onFound = (findings: Findings) => {
    found = findings;
  };
  for await (const state of runCheck({ file, collection, plan, signal, onFound })) {
    if (running.signal !== signal) return;
    if (state.step !== "checked" || !found) tell({ type: "state", state });
    else mend({ file, collection, plan, findings: found, history });
  }
  if (signal.aborted && running.signal === signal) tell({ type: "state", state: columns });
}

function mend(job: Pick<MendingJob, "file" | "collection" | "plan" | "findings" | "history">): void {
  latest = { plan: job.plan, book: undefined };
  mending = new Mending({
    ...job,
    tell: (check, mending) => tell({ type: "state", state: { step: "checked", check, mending } }),
    fail: (error) => {
      if (error instanceof FileRefused) tell({ type: "state", state: { step: "refused", title: error.title, detail: error.detail } });
      else tellBug(error);
    },
  });
}

function preview({ baseUrl, token: given }: Extract<Command, { type: "preview" }>): void {
  token = given;
  mending?.preview(createPost(baseUrl, theFile().collection, "dryRun").postBatch);
}

async function upload({ uploadId, plan: base, baseUrl, token: given }: Extract<Command, { type: "upload" }>): Promise<void> {
  const { file, collection } = theFile();
  const { plan, check } = mending ?? { plan: base, check: undefined };
  const signal = begin();
  token = given;
  tokenComes = undefined; // whoever waited for one has been cancelled
  const book = new Book();
  latest = { plan, book };
  const { postBatch, signIn } = createPost(baseUrl, collection);
  for await (const state of runUpload({ file, collection, plan, signal, uploadId, postBatch, signIn, book, check })) {
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
  if (mending) mended = { delimiter: mending.plan.dialect.delimiter, history: mending.history };
  mending?.close();
  mending = undefined;
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

/** "dryRun": the service decides and stores nothing, not even the key. */
function createPost(baseUrl: string, collection: Collection, dryRun?: "dryRun"): { postBatch: PostBatch; signIn(): Promise<void> } {
  let refused: string | undefined;
  // The client's own renewal is declined: a 401 is dealt with in one place, by upload/deliver.ts, which a cancel can interrupt.
  const session = { token: () => token, renew: () => Promise.reject(new ApiError(401, {}, null)) };
  const client = createClient({ baseUrl, session });
  async function postBatch(records: Fields[], key: string, mode: UploadMode, signal: AbortSignal): Promise<BatchAnswer> {
    const sent = token;
    try {
      const { json } = await client.request("POST", collectionPath(collection.name), {
        query: { onError: "continue", ...MODES[mode], ...(dryRun && { dryRun: "true" }) },
        body: { [collection.name]: records },
        headers: dryRun ? {} : { "Idempotency-Key": key },
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
