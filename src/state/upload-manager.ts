// The one upload of this tab: starts the worker, holds its last state, and outlives the pages.

import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import type { Act, CheckAnswer, CheckQuery } from "../../pipeline/correction/correction-state.ts";
import type { Choices } from "../../pipeline/model/dialect.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import type { UploadState } from "../../pipeline/runs/upload-state.ts";
import type { ErrorsFile, StoredUpload } from "../../pipeline/sending/journal.ts";
import type { TabSession } from "../api/session.ts";
import type { Command, WorkerEvent } from "../worker/messages.ts";
import { openLazyUploadHistory, serviceTag } from "./lazy-upload-history.ts";
import type { ListedUpload } from "./upload-history.ts";

export interface UploadManagerState {
  collection: Collection | undefined;
  fileName: string | undefined;
  upload: UploadState | undefined;
  /** How the user wants the file read. Anything not set is detected. */
  choices: Choices;
  plan: Plan | undefined;
  /** The message of a worker that crashed. */
  broken: string | undefined;
}

export interface UploadManager {
  state(): UploadManagerState;
  subscribe(listener: () => void): () => void;
  inspect(file: File, collection: Collection): void;
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
  query<A extends CheckQuery>(query: A): Promise<Extract<CheckAnswer, { for: A["for"] }>>;
  upload(): void;
  /** Continues an interrupted upload. Pass `file` when the browser has no copy of it. */
  continueUpload(upload: Pick<StoredUpload, "id" | "fileName">, collection: Collection, file?: File): void;
  undo(upload: Pick<StoredUpload, "id" | "fileName">, collection: Collection): void;
  /** The upload of the shown report. */
  current(): Pick<StoredUpload, "id" | "fileName">;
  pause(): void;
  resume(): void;
  /** Cancels the running check, upload or undo. */
  cancel(): void;
  /** A CSV file of the rows that were not stored. */
  errorsFile(): Promise<{ blob: Blob; name: string }>;
  /** Closes the file and ends the worker. */
  close(): void;
  /**
   * For signing out: ends a running upload, so that its report is stored, then closes the file and deletes all data of rows.
   * Rejects when something could not be deleted.
   */
  stop(): Promise<void>;
  uploads(): Promise<ListedUpload[]>;
  /** Deletes an upload. It can be neither continued nor undone afterwards. */
  drop(id: string): Promise<void>;
  /** The rows of an ended upload that were not stored; undefined once they are deleted. */
  storedErrorsFile(id: string): Promise<ErrorsFile | undefined>;
  /** Deletes all uploads that have ended, and the remembered columns. */
  clear(): Promise<void>;
}

const RUNNING_STEPS: readonly string[] = ["preparing", "sending", "undoing"] satisfies UploadState["step"][];

const EMPTY: UploadManagerState = {
  collection: undefined,
  fileName: undefined,
  upload: undefined,
  choices: {},
  plan: undefined,
  broken: undefined,
};

export function createUploadManager(startWorker: () => Worker, session: TabSession, baseUrl: string): UploadManager {
  let state = EMPTY;
  let worker: Worker | undefined;
  let uploadId = "";
  let file: File | undefined;
  let onErrorsFile: (file: { blob: Blob; name: string }) => void = () => {};
  let onEnded = () => {};
  let lastHeading = ""; // of the last inspection, as JSON
  let lastQueryId = 0;
  const answers = new Map<number, (answer: CheckAnswer) => void>();
  const history = openLazyUploadHistory(serviceTag(baseUrl));
  const listeners = new Set<() => void>();

  function setState(change: Partial<UploadManagerState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function post(command: Command): void {
    if (!worker) {
      worker = startWorker();
      worker.addEventListener("message", ({ data }: MessageEvent<WorkerEvent>) => handleEvent(data));
      postOnlineState();
      worker.addEventListener("error", (event) => setState({ broken: event.message || t("The upload stopped for an unknown reason.") }));
    }
    worker.postMessage(command);
  }

  function postOnlineState(): void {
    worker?.postMessage({ type: navigator.onLine ? "unpause" : "pause", why: "offline" } satisfies Command);
  }

  function handleEvent(event: WorkerEvent): void {
    switch (event.type) {
      case "state":
        if (event.state.step === "checked" && state.upload?.step !== "checked") preview();
        setState({ upload: event.state, plan: planFor(event.state) });
        if (event.state.step === "report" || event.state.step === "undone") onEnded();
        return;
      case "answer":
        answers.get(event.id)?.(event.answer);
        answers.delete(event.id);
        return;
      case "signInNeeded":
        session.renew(session.token()).then((token) => post({ type: "token", token }));
        return;
      case "errorsFile":
        onErrorsFile(event);
        return;
      case "broken":
        setState({ broken: event.message });
    }
  }

  /** After a new inspection keeps the plan if the heading is the same, otherwise only the mode. */
  function planFor(next: UploadState): Plan | undefined {
    const { plan } = state;
    if (next.step !== "columns") return plan;
    const { dialect, columns, header } = next.inspection;
    const before = lastHeading;
    lastHeading = JSON.stringify(header);
    if (plan && lastHeading === before) return { ...plan, dialect };
    return { dialect, columns, mode: plan?.mode ?? "create" };
  }

  /** The preview starts as soon as the check is done. */
  function preview(): void {
    const token = session.token();
    if (token) post({ type: "preview", baseUrl, token });
  }

  function close(): void {
    worker?.terminate();
    worker = undefined;
    answers.clear();
    uploadId = "";
    file = undefined;
    setState(EMPTY);
  }

  window.addEventListener("online", postOnlineState);
  window.addEventListener("offline", postOnlineState);

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    inspect(chosen, collection) {
      file = chosen;
      setState({ ...EMPTY, collection, fileName: file.name });
      post({ type: "inspect", file, collection, choices: {} });
    },
    inspectAgain(choices) {
      const { collection } = state;
      setState({ choices });
      if (file && collection) post({ type: "inspect", file, collection, choices });
    },
    choose(plan) {
      setState({ plan });
    },
    check(isAgreed = false) {
      if (state.plan) post({ type: "check", plan: state.plan, isAgreed });
    },
    act: (act) => post({ type: "act", act }),
    preview() {
      const lastPreview = state.upload?.step === "checked" ? state.upload.corrections.preview : undefined;
      if (lastPreview && "isSignedOut" in lastPreview && lastPreview.isSignedOut) session.renew(session.token()).then(preview);
      else preview();
    },
    query<A extends CheckQuery>(query: A) {
      const id = ++lastQueryId;
      post({ type: "query", id, query });
      // The worker answers each query with the type that belongs to it.
      return new Promise<Extract<CheckAnswer, { for: A["for"] }>>((resolve) => answers.set(id, resolve as (answer: CheckAnswer) => void));
    },
    upload() {
      const token = session.token();
      if (!token) return;
      uploadId = [serviceTag(baseUrl), ...crypto.getRandomValues(new Uint32Array(4))].join("-");
      post({ type: "upload", uploadId, baseUrl, token });
    },
    continueUpload(upload, collection, chosen) {
      const token = session.token();
      if (!token) return;
      uploadId = upload.id;
      setState({ ...EMPTY, collection, fileName: upload.fileName, upload: { step: "preparing" } });
      post({ type: "continue", uploadId, file: chosen ?? file, collection, baseUrl, token });
    },
    undo(upload, collection) {
      const token = session.token();
      if (!token) return;
      uploadId = upload.id;
      setState({ ...EMPTY, collection, fileName: upload.fileName, upload: state.upload });
      post({ type: "undo", uploadId, collection, baseUrl, token });
    },
    current: () => ({ id: uploadId, fileName: state.fileName ?? "" }),
    pause: () => post({ type: "pause", why: "paused" }),
    resume: () => post({ type: "unpause", why: "paused" }),
    cancel: () => post({ type: "cancel" }),
    errorsFile() {
      post({ type: "errorsFile" });
      return new Promise((resolve) => {
        onErrorsFile = resolve;
      });
    },
    close,
    async stop() {
      if (!state.broken && (state.upload?.step === "sending" || state.upload?.step === "undoing")) {
        const ended = new Promise<void>((resolve) => {
          onEnded = resolve;
        });
        post({ type: "cancel" });
        await ended;
      }
      const own = uploadId;
      close();
      await history.forgetRows(own);
    },
    uploads() {
      const isRunning = RUNNING_STEPS.includes(state.upload?.step ?? "file");
      return history.list(isRunning ? uploadId : undefined);
    },
    drop: history.drop,
    storedErrorsFile: history.errorsFile,
    clear: history.clear,
  };
}
