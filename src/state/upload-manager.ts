// One upload a tab: starts the worker, keeps what it last said for whoever draws it, and outlives the pages. Draws nothing.

import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import type { Act, CheckAnswer, CheckQuery } from "../../pipeline/correction/correction-state.ts";
import type { Choices } from "../../pipeline/model/dialect.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import type { UploadState } from "../../pipeline/runs/upload-state.ts";
import type { ErrorsFile, StoredUpload } from "../../pipeline/sending/journal.ts";
import type { TabSession } from "../api/session.ts";
import type { Command, WorkerEvent } from "../worker/messages.ts";
import { markOf, openLazyUploadHistory } from "./lazy-upload-history.ts";
import type { ListedUpload } from "./upload-history.ts";

export interface UploadManagerState {
  collection: Collection | undefined;
  fileName: string | undefined;
  upload: UploadState | undefined;
  /** How the user wants this file read; the rest is detected. */
  choices: Choices;
  /** What the user has chosen for this file so far. */
  plan: Plan | undefined;
  /** The worker itself failed: nothing more will come from it. */
  broken: string | undefined;
}

export interface UploadManager {
  state(): UploadManagerState;
  subscribe(listener: () => void): () => void;
  inspect(file: File, collection: Collection): void;
  /** The same file once more; what stands on the page stays until it is read. With the same heading what was chosen stays too. */
  inspectAgain(choices: Choices): void;
  choose(plan: Plan): void;
  /** `isAgreed`: what was mended in rows that are read otherwise now is forgotten. */
  check(isAgreed?: boolean): void;
  /** Mends something of the checked file, or takes it back; the state follows. */
  act(act: Act): void;
  /** Asks once more what would become of the rows; whoever is signed out by now signs in first. */
  preview(): void;
  /** Rows of the checked file, or the place of the next problem. A file that is gone meanwhile never answers. */
  query<A extends CheckQuery>(query: A): Promise<Extract<CheckAnswer, { for: A["for"] }>>;
  upload(): void;
  /** Goes on with an upload that was cut off or stopped; with the file when there is no copy of it. */
  goOn(upload: Pick<StoredUpload, "id" | "fileName">, collection: Collection, file?: File): void;
  /** Takes back what an upload stored. */
  undo(upload: Pick<StoredUpload, "id" | "fileName">, collection: Collection): void;
  /** The upload whose report stands on the page. */
  current(): Pick<StoredUpload, "id" | "fileName">;
  pause(): void;
  resume(): void;
  /** Ends a running check or upload. */
  cancel(): void;
  /** Rows that were not stored, as a CSV file; resolves when it is made. */
  errorsFile(): Promise<{ blob: Blob; name: string }>;
  /** Forgets the file. */
  close(): void;
  /**
   * Ends a running upload in order, its report among the others; then forgets the file, and what rows left behind on this
   * computer. Rejects when something could not be forgotten.
   */
  stop(): Promise<void>;
  uploads(): Promise<ListedUpload[]>;
  /** Forgets an upload: what is left of it cannot be sent any more, nor undone. */
  drop(id: string): Promise<void>;
  /** The rows of an ended upload that were not stored, as long as they are kept. */
  storedErrorsFile(id: string): Promise<ErrorsFile | undefined>;
  /** Forgets all uploads that have ended, and the columns that are remembered from earlier files. */
  clear(): Promise<void>;
}

const AT_WORK: readonly string[] = ["preparing", "sending", "undoing"] satisfies UploadState["step"][];

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
  let heading = ""; // of the file as it was last looked at
  let asked = 0;
  const answers = new Map<number, (answer: CheckAnswer) => void>();
  const kept = openLazyUploadHistory(markOf(baseUrl));
  const listeners = new Set<() => void>();

  function become(change: Partial<UploadManagerState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function tell(command: Command): void {
    if (!worker) {
      worker = startWorker();
      worker.addEventListener("message", ({ data }: MessageEvent<WorkerEvent>) => hear(data));
      postConnection();
      worker.addEventListener("error", (event) => become({ broken: event.message || t("The upload stopped for an unknown reason.") }));
    }
    worker.postMessage(command);
  }

  function postConnection(): void {
    worker?.postMessage({ type: navigator.onLine ? "lift" : "hold", why: "offline" } satisfies Command);
  }

  function hear(event: WorkerEvent): void {
    switch (event.type) {
      case "state":
        if (event.state.step === "checked" && state.upload?.step !== "checked") preview();
        become({ upload: event.state, plan: planFor(event.state) });
        if (event.state.step === "report" || event.state.step === "undone") onEnded();
        return;
      case "answer":
        answers.get(event.id)?.(event.answer);
        answers.delete(event.id);
        return;
      case "signInNeeded":
        session.renew(session.token()).then((token) => tell({ type: "token", token }));
        return;
      case "errorsFile":
        onErrorsFile(event);
        return;
      case "broken":
        become({ broken: event.message });
    }
  }

  /** A file that was looked at again keeps what was chosen while its heading is the same; otherwise it keeps what a row means. */
  function planFor(next: UploadState): Plan | undefined {
    const { plan } = state;
    if (next.step !== "columns") return plan;
    const { dialect, columns, header } = next.inspection;
    const before = heading;
    heading = JSON.stringify(header);
    if (plan && heading === before) return { ...plan, dialect };
    return { dialect, columns, mode: plan?.mode ?? "create" };
  }

  /** What would become of the rows is asked for as soon as they are checked. */
  function preview(): void {
    const token = session.token();
    if (token) tell({ type: "preview", baseUrl, token });
  }

  function close(): void {
    worker?.terminate();
    worker = undefined;
    answers.clear();
    uploadId = "";
    file = undefined;
    become(EMPTY);
  }

  window.addEventListener("online", postConnection);
  window.addEventListener("offline", postConnection);

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    inspect(chosen, collection) {
      file = chosen;
      become({ ...EMPTY, collection, fileName: file.name });
      tell({ type: "look", file, collection, choices: {} });
    },
    inspectAgain(choices) {
      const { collection } = state;
      become({ choices });
      if (file && collection) tell({ type: "look", file, collection, choices });
    },
    choose(plan) {
      become({ plan });
    },
    check(isAgreed = false) {
      if (state.plan) tell({ type: "check", plan: state.plan, isAgreed });
    },
    act: (act) => tell({ type: "act", act }),
    preview() {
      const told = state.upload?.step === "checked" ? state.upload.corrections.preview : undefined;
      if (told && "isSignedOut" in told && told.isSignedOut) session.renew(session.token()).then(preview);
      else preview();
    },
    query<A extends CheckQuery>(query: A) {
      const id = ++asked;
      tell({ type: "ask", id, query });
      // The worker answers each question in its own form.
      return new Promise<Extract<CheckAnswer, { for: A["for"] }>>((resolve) => answers.set(id, resolve as (answer: CheckAnswer) => void));
    },
    upload() {
      const token = session.token();
      if (!token) return;
      uploadId = [markOf(baseUrl), ...crypto.getRandomValues(new Uint32Array(4))].join("-");
      tell({ type: "upload", uploadId, baseUrl, token });
    },
    goOn(upload, collection, chosen) {
      const token = session.token();
      if (!token) return;
      uploadId = upload.id;
      become({ ...EMPTY, collection, fileName: upload.fileName, upload: { step: "preparing" } });
      tell({ type: "goOn", uploadId, file: chosen ?? file, collection, baseUrl, token });
    },
    undo(upload, collection) {
      const token = session.token();
      if (!token) return;
      uploadId = upload.id;
      become({ ...EMPTY, collection, fileName: upload.fileName, upload: state.upload });
      tell({ type: "undo", uploadId, collection, baseUrl, token });
    },
    current: () => ({ id: uploadId, fileName: state.fileName ?? "" }),
    pause: () => tell({ type: "hold", why: "paused" }),
    resume: () => tell({ type: "lift", why: "paused" }),
    cancel: () => tell({ type: "cancel" }),
    errorsFile() {
      tell({ type: "errorsFile" });
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
        tell({ type: "cancel" });
        await ended;
      }
      const own = uploadId;
      close();
      await kept.forgetRows(own);
    },
    uploads() {
      const isAtWork = AT_WORK.includes(state.upload?.step ?? "file");
      return kept.list(isAtWork ? uploadId : undefined);
    },
    drop: kept.drop,
    storedErrorsFile: kept.errorsFile,
    clear: kept.clear,
  };
}
