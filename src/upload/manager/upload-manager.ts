// The one upload of this tab: starts the worker, holds its last state, and outlives the pages.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { withLookups } from "../../../core/dictionary/lookups.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { Act, CheckAnswer, CheckQuery, PlanAnswer, PlanQuery } from "../../../pipeline/correction/correction-state.ts";
import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import type { Choices } from "../../../pipeline/model/dialect.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import type { RowsToSend } from "../../../pipeline/runs/rows-as-file.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import type { SentAgain, StoredUpload } from "../../../pipeline/sending/journal.ts";
import { personKey } from "../../browser/person.ts";
import type { TabSession } from "../../service/session.ts";
import type { Command, WorkerEvent } from "../worker/messages.ts";
import type { MissingFound } from "../worker/missing-work.ts";
import { openLazyUploadHistory } from "./lazy-upload-history.ts";
import type { FileQueue } from "./queued-files.ts";
import type { ListedUpload, UploadHistory } from "./upload-history.ts";

export interface UploadManagerState {
  collection?: Collection;
  file?: File | undefined;
  fileName?: string;
  /** Says that what is undone was loaded by the command. */
  isBatchRun?: boolean | undefined;
  upload?: UploadState | undefined;
  /** The file has rows that another upload did not store, and they go into the same run. */
  again?: SentAgain | undefined;
  /** Says how the user wants the file read. Anything not set is detected. */
  choices: Choices;
  /** The file is being read with other choices. Until that is done it is not checked or uploaded: the plan is of the old reading. */
  isReading?: boolean | undefined;
  plan?: Plan;
  /** The message of a worker that crashed. */
  broken?: string;
  /** Files that were chosen together. They stay when one of them is closed. */
  queue?: FileQueue | undefined;
}

/** An upload, or a batch run by its id. */
export interface UndoTarget extends Pick<StoredUpload, "id" | "fileName"> {
  again?: SentAgain | undefined;
  isBatchRun?: boolean | undefined;
}

export interface UploadManager extends Omit<UploadHistory, "list" | "forgetRows"> {
  /** Says whose what it stores is, from personKey(). */
  person(): string;
  state(): UploadManagerState;
  subscribe(listener: () => void): () => void;
  inspect(file: File, collection: Collection, choices?: Choices): void;
  /** Checks rows that an upload did not store, to send them into the same run. */
  inspectRows(rows: RowsToSend, collection: Collection): void;
  /** Starts the worker before there is a file, so that the first one is read at once. Returns how to end it if there still is none. */
  warmUp(): () => void;
  /** Starts another worker, for another file or for what the columns step asks of this one. Whoever starts it ends it. */
  startWorker(): Worker;
  setQueue(queue: FileQueue | undefined): void;
  /** Reads the same file with other choices. With the same heading the plan stays. */
  inspectAgain(choices: Choices): void;
  choose(plan: Plan): void;
  /** `isAgreed`: the user accepts losing corrections of rows that are now read differently. */
  check(isAgreed?: boolean): void;
  /** Applies or reverts a correction. The new state follows as an event. */
  act(act: Act): void;
  /** Starts the preview again, after a new sign-in if the session has expired. */
  preview(): void;
  /** Never resolves if the file is closed in the meantime. */
  query<A extends CheckQuery | PlanQuery>(query: A): Promise<Extract<CheckAnswer | PlanAnswer, { for: A["for"] }>>;
  upload(): void;
  /** Continues an interrupted upload, or with the corrections of a file that was not uploaded. Pass `file` when the browser has no copy of it. */
  continueUpload(
    upload: Pick<StoredUpload, "id" | "fileName" | "unsent" | "job"> & { again?: SentAgain | undefined },
    collection: Collection,
    collections: readonly Collection[],
    file?: File,
  ): void;
  /** `collections`: all that there are, because it may have created parents. */
  undo(upload: UndoTarget, collection: Collection, collections: readonly Collection[]): void;
  /** Returns the upload of the shown report or undo. */
  current(): UndoTarget;
  /** Uploads though somebody else uploads the same file. */
  anyway(): void;
  pause(): void;
  resume(): void;
  /** Cancels the running check, upload or undo. */
  cancel(): void;
  /** Makes a CSV file of the rows that were not stored. Rejects when the file of the upload can no longer be read. */
  errorsFile(): Promise<{ blob: Blob; name: string }>;
  /** Finds the stored records that the file of the ended upload has no row for. Never resolves if it is cancelled, or the file closed. */
  missing(): Promise<MissingFound>;
  /** Ends that, while the report is open. */
  endMissing(): void;
  /** Closes the file and ends the worker. The files that wait stay. */
  close(): void;
  /**
   * Serves the sign-out: ends a running upload, so that its report is stored, then closes the file and deletes all data of rows. Rejects
   * when something could not be deleted.
   */
  stop(): Promise<void>;
  uploads(): Promise<ListedUpload[]>;
}

const RETRY_MS = 5_000;

const ENDED_STEPS: readonly string[] = ["refused", "report", "undone"] satisfies UploadState["step"][];

/** Says whether another file may take its place without a question. */
export function hasEnded(upload: UploadState | undefined): boolean {
  return upload !== undefined && ENDED_STEPS.includes(upload.step);
}

/** Holds what only the manager itself needs to know. */
interface ManagerState extends UploadManagerState {
  uploadId: string;
  /** Holds the heading of the last inspection, as JSON. */
  heading: string;
  /** Rows that are sent again were checked once. */
  isFirstChecked?: boolean;
}

const EMPTY: ManagerState = { choices: {}, uploadId: "", heading: "" };

/** Holds what the manager's actions work with. */
interface Tools {
  state(): ManagerState;
  /** Changes `before`, which is the present state unless given. */
  setState(change: Partial<ManagerState>, before?: ManagerState): void;
  post(command: Command): void;
  /** Posts a command whose answer comes as an event. Resolves when `onAnswer` is called with the same key. */
  ask<T>(key: AnswerKey, command: Command): Promise<T>;
  onAnswer(key: AnswerKey, answer?: unknown): void;
  /** Resolves with a new token, if need be after a new sign-in of the same person. */
  renew(): Promise<string>;
  /** Calls `send` with what the worker needs to call the service. Does nothing while nobody is signed in. `canDoWithout`: then, or when no service answers, the token is empty. */
  withService(send: (service: { baseUrl: string; token: string }) => void, options?: { canDoWithout?: boolean }): void;
}

/** The number of a query, or what comes only once. */
type AnswerKey = number | "errorsFile" | "missing" | "ended";

export function createUploadManager(startWorker: () => Worker, session: TabSession, baseUrl: string): UploadManager {
  const person = () => personKey(baseUrl, session.owner());
  const { list, forgetRows, ...history } = openLazyUploadHistory(person);
  const { state, setState, subscribe } = createState();
  const worker = openWorkerLink(startWorker, (event) => handleEvent(tools, event));
  const { ask, onAnswer, forget } = createAnswers(worker.post);
  /** The worker asks once and waits: when the service does not answer, the asking goes on here. */
  const renew = (): Promise<string> =>
    session.renew(session.token()).catch(() => new Promise((resolve) => setTimeout(resolve, RETRY_MS)).then(renew));
  const tools: Tools = {
    state,
    setState,
    post: worker.post,
    ask,
    onAnswer,
    renew,
    withService(send, { canDoWithout = false } = {}) {
      const token = session.token();
      const { uploadId, file } = state();
      const isSame = () => state().uploadId === uploadId && state().file === file;
      // Whoever has opened another file meanwhile did not mean that one.
      const renewed = () => (canDoWithout ? session.renew(token).catch(() => "") : renew());
      if (token && session.isOld()) void renewed().then((next) => isSame() && send({ baseUrl, token: next }));
      else if (token || canDoWithout) send({ baseUrl, token: token ?? "" });
    },
  };

  function close(): void {
    worker.end();
    forget();
    setState(EMPTY, EMPTY);
  }

  return {
    person,
    state,
    subscribe,
    ...fileActions(tools, () => crypto.getRandomValues(new Uint32Array(4)).join("-")),
    ...uploadActions(tools),
    startWorker,
    warmUp() {
      worker.start();
      return () => {
        if (!state().collection) worker.end();
      };
    },
    setQueue: (queue) => setState({ queue }),
    close,
    async stop() {
      const { upload, uploadId, broken } = state();
      if (!broken && (upload?.step === "sending" || upload?.step === "undoing")) await ask("ended", { type: "cancel" });
      close();
      setState({ queue: undefined });
      await forgetRows(uploadId);
    },
    uploads() {
      const { upload, uploadId } = state();
      return list(upload && !hasEnded(upload) ? uploadId : undefined);
    },
    ...history,
  };
}

function createState(): Pick<Tools, "state" | "setState"> & Pick<UploadManager, "subscribe"> {
  let state = EMPTY;
  const listeners = new Set<() => void>();
  return {
    state: () => state,
    setState(change, before = state) {
      state = { queue: state.queue, ...before, ...change };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The worker starts with the first command. Its crash is an event, too. */
function openWorkerLink(
  startWorker: () => Worker,
  onEvent: (event: WorkerEvent) => void,
): { post: Tools["post"]; start(): Worker; end(): void } {
  let worker: Worker | undefined;
  let isUsed = false;
  function postOnlineState(): void {
    worker?.postMessage({ type: navigator.onLine ? "unpause" : "pause", why: "offline" } satisfies Command);
  }
  window.addEventListener("online", postOnlineState);
  window.addEventListener("offline", postOnlineState);
  function start(): Worker {
    if (worker) return worker;
    worker = startWorker();
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerEvent>) => onEvent(data));
    postOnlineState();
    worker.addEventListener("error", ({ message }) => {
      if (isUsed) onEvent({ type: "broken", message: message || t("The upload stopped for an unknown reason.") });
      else end(); // started ahead, perhaps without a network: the first file starts another
    });
    return worker;
  }
  function end(): void {
    worker?.terminate();
    worker = undefined;
    isUsed = false;
  }
  return {
    start,
    post(command) {
      isUsed = true;
      start().postMessage(command);
    },
    end,
  };
}

/** Keeps what was asked of the worker and is not answered yet. */
function createAnswers(post: Tools["post"]): Pick<Tools, "ask" | "onAnswer"> & { forget(): void } {
  const waiting = new Map<AnswerKey, (answer: never) => void>();
  return {
    ask(key, command) {
      post(command);
      return new Promise((resolve) => waiting.set(key, resolve));
    },
    onAnswer(key, answer) {
      waiting.get(key)?.(answer as never);
      waiting.delete(key);
    },
    forget: () => waiting.clear(),
  };
}

function handleEvent(tools: Tools, event: WorkerEvent): void {
  const { setState, post, onAnswer, renew } = tools;
  switch (event.type) {
    case "state":
      onUploadState(tools, event.state);
      return;
    case "answer":
      onAnswer(event.id, event.answer);
      return;
    case "signInNeeded":
      renew().then((token) => post({ type: "token", token }));
      return;
    case "errorsFile":
      onAnswer("errorsFile", event);
      return;
    case "missing":
      onAnswer("missing", event.found);
      return;
    case "columns":
    case "proposed":
      return;
    case "broken":
      setState({ broken: event.message });
  }
}

/** The preview starts as soon as the check is done. */
function onUploadState(tools: Tools, upload: UploadState): void {
  const before = tools.state();
  if (upload.step === "checked" && before.upload?.step === "preparing") return; // on its way when the upload began
  if (upload.step === "checked" && before.upload?.step !== "checked") postPreview(tools);
  if (upload.step === "columns" && before.again && !before.isFirstChecked) checkAgain(tools, upload.inspection);
  const isReading = before.isReading && upload.step !== "columns" && upload.step !== "refused";
  tools.setState({ upload, isReading, ...(upload.step === "columns" && planFor(before, upload.inspection)) });
  if (upload.step === "report" || upload.step === "undone") tools.onAnswer("ended");
}

/** What the rows mean is known: they are checked at once. */
function checkAgain({ state, setState, post, withService }: Tools, inspection: FileInspection): void {
  const { plan } = planFor(state(), inspection);
  setState({ isFirstChecked: true, ...planFor(state(), inspection) });
  if (plan) withService((service) => post({ type: "check", plan, isAgreed: false, ...service }), { canDoWithout: true });
}

/** The plan stays if the heading is the same or that of a stored file, otherwise only its mode, unless a row meant something else last time. */
function planFor({ plan, heading }: ManagerState, { dialect, columns, header, recalled, matchBy }: FileInspection): Partial<ManagerState> {
  const next = JSON.stringify(header);
  if (plan && (next === heading || heading === "")) return { heading: next, plan: { ...plan, dialect } };
  const { mode, clears } = recalled?.meaning ?? { mode: plan?.mode ?? "create" };
  const changed = recalled?.columnRules && { columns: recalled.columns, rules: recalled.columnRules };
  return { heading: next, plan: { dialect, columns, mode, ...changed, ...(matchBy && { matchBy }), ...(clears && { clears }) } };
}

function postPreview({ post, withService }: Tools): void {
  withService((service) => post({ type: "preview", ...service }));
}

type FileActions = Pick<UploadManager, "inspect" | "inspectAgain" | "inspectRows" | "choose" | "check" | "act" | "preview" | "query">;

/** Makes the actions on a file before it is uploaded. */
function fileActions(tools: Tools, newId: () => string): FileActions {
  const { state, setState, post, ask, renew, withService } = tools;
  let lastId = 0;
  return {
    inspect(file, given, choices = {}) {
      const collection = withLookups(given);
      const uploadId = newId();
      setState({ collection, file, fileName: file.name, uploadId, choices }, EMPTY);
      post({ type: "inspect", file, collection, choices, uploadId });
    },
    inspectRows({ file, plan: known, again }, collection) {
      const uploadId = newId();
      const plan = known as Plan; // its dialect comes with the inspection
      setState({ collection, file, fileName: file.name, uploadId, choices: {}, plan, again }, EMPTY);
      post({ type: "inspect", file, collection, choices: {}, uploadId, again });
    },
    inspectAgain(choices) {
      const { file, collection, uploadId, again } = state();
      setState({ choices, isReading: collection !== undefined });
      if (collection) post({ type: "inspect", file, collection, choices, uploadId, again });
    },
    choose: (plan) => setState({ plan }),
    check(isAgreed = false) {
      const { plan, isReading, file, upload } = state();
      if (!plan || isReading) return;
      // It is set at once, not when the worker answers: until then a recipe could still change the plan. With corrections the worker may
      // have a question.
      const mayAsk = upload?.step === "columns" && upload.hasCorrections;
      if (!mayAsk) setState({ upload: { step: "checking", rowsRead: 0, bytesRead: 0, bytesTotal: file?.size ?? 0 } });
      withService((service) => post({ type: "check", plan, isAgreed, ...service }), { canDoWithout: true });
    },
    act: (act) => post({ type: "act", act }),
    preview() {
      const { upload } = state();
      const last = upload?.step === "checked" ? upload.corrections.preview : undefined;
      if (last && "isSignedOut" in last && last.isSignedOut) renew().then(() => postPreview(tools));
      else postPreview(tools);
    },
    query: (query) => ask(++lastId, { type: "query", id: lastId, query }),
  };
}

type UploadActions = Pick<
  UploadManager,
  "upload" | "continueUpload" | "undo" | "current" | "anyway" | "pause" | "resume" | "cancel" | "errorsFile" | "missing" | "endMissing"
>;

/** Serves uploading, continuing and undoing. */
function uploadActions({ state, setState, post, ask, withService }: Tools): UploadActions {
  return {
    upload() {
      if (state().isReading) return;
      withService((service) => {
        if (state().upload?.step !== "checked") return; // a double click: it has begun
        setState({ upload: { step: "preparing" } });
        const { uploadId, again } = state();
        post({ type: "upload", uploadId, again, ...service });
      });
    },
    continueUpload: ({ id: uploadId, fileName, unsent, job, again }, given, collections, chosen) =>
      withService((service) => {
        const collection = withLookups(given);
        const own = state();
        // The open file may be another one. Then the browser's copy is meant.
        const isOwn = own.uploadId === uploadId || (own.fileName === fileName && own.file?.size === job?.fingerprint.size);
        const file = chosen ?? (isOwn && !unsent ? own.file : undefined);
        const plan = unsent && job && { plan: job.plan, choices: unsent.choices };
        setState({ file, collection, fileName, uploadId, upload: { step: "preparing" }, again, isFirstChecked: true, ...plan }, EMPTY);
        post({ type: "continue", uploadId, file, collection, collections, ...service });
      }),
    undo: ({ id: uploadId, fileName, isBatchRun }, collection, collections) =>
      withService((service) => {
        const { file, choices, upload, uploadId: openId } = state();
        const own = openId === uploadId && { file, choices }; // the open file may be another one
        setState({ ...own, collection, fileName, isBatchRun, uploadId, upload }, EMPTY);
        post({ type: "undo", uploadId, collection, collections, ...service });
      }),
    current() {
      const { uploadId: id, fileName = "", isBatchRun, again } = state();
      return { id, fileName, isBatchRun, again };
    },
    anyway: () => post({ type: "anyway" }),
    pause: () => post({ type: "pause", why: "paused" }),
    resume: () => post({ type: "unpause", why: "paused" }),
    cancel: () => post({ type: "cancel" }),
    missing: () =>
      new Promise((resolve) => withService((service) => void ask<MissingFound>("missing", { type: "missing", ...service }).then(resolve))),
    endMissing: () => state().upload?.step === "report" && post({ type: "endMissing" }),
    async errorsFile() {
      const answer = await ask<Extract<WorkerEvent, { type: "errorsFile" }>>("errorsFile", { type: "errorsFile" });
      if ("refused" in answer) throw new Error(answer.refused);
      return answer;
    },
  };
}
