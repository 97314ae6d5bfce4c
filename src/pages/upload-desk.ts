// One upload a tab: starts the worker, keeps what it last said for whoever draws it, and outlives the pages. Draws nothing.

import type { Collection } from "../../dictionary/collections.ts";
import type { TabSession } from "../api/session.ts";
import type { Choices } from "../upload/dialect.ts";
import { openHistory, type PastUpload } from "../upload/history.ts";
import type { Plan } from "../upload/judge.ts";
import { openMappings } from "../upload/mappings.ts";
import type { UploadState } from "../upload/run.ts";
import type { Command, WorkerEvent } from "../worker.ts";

export interface DeskState {
  collection: Collection | undefined;
  file: File | undefined;
  upload: UploadState | undefined;
  /** How the user wants this file read; the rest is detected. */
  choices: Choices;
  /** What the user has chosen for this file so far. */
  plan: Plan | undefined;
  /** The worker itself failed: nothing more will come from it. */
  broken: string | undefined;
}

export interface UploadDesk {
  state(): DeskState;
  subscribe(listener: () => void): () => void;
  look(file: File, collection: Collection): void;
  /** The same file once more; what stands on the page stays until it is read. With the same heading what was chosen stays too. */
  lookAgain(choices: Choices): void;
  choose(plan: Plan): void;
  check(): void;
  upload(): void;
  /** Ends a running check or upload. */
  cancel(): void;
  /** Rows that were not stored, as a CSV file; resolves when it is made. */
  errorsFile(): Promise<{ blob: Blob; name: string }>;
  /** Forgets the file. */
  close(): void;
  /** Before sign-out. Ends a running upload in order, its report in the history; then forgets the file and remembered columns. */
  stop(): Promise<void>;
  history(): Promise<PastUpload[]>;
  /** Also the columns that are remembered from earlier files. */
  forgetHistory(): Promise<void>;
}

const EMPTY: DeskState = {
  collection: undefined,
  file: undefined,
  upload: undefined,
  choices: {},
  plan: undefined,
  broken: undefined,
};

export function createUploadDesk(startWorker: () => Worker, session: TabSession, baseUrl: string): UploadDesk {
  let state = EMPTY;
  let worker: Worker | undefined;
  let uploadId = "";
  let onErrorsFile: (file: { blob: Blob; name: string }) => void = () => {};
  let onEnded = () => {};
  let heading = ""; // of the file as it was last looked at
  const history = openHistory();
  const mappings = openMappings();
  const listeners = new Set<() => void>();

  function become(change: Partial<DeskState>): void {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  function tell(command: Command): void {
    if (!worker) {
      worker = startWorker();
      worker.addEventListener("message", ({ data }: MessageEvent<WorkerEvent>) => hear(data));
      worker.addEventListener("error", (event) => become({ broken: event.message || "The upload stopped for an unknown reason." }));
    }
    worker.postMessage(command);
  }

  function hear(event: WorkerEvent): void {
    switch (event.type) {
      case "state":
        become({ upload: event.state, plan: planFor(event.state) });
        if (event.state.step === "report") remember(event.state.report);
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
    const { dialect, columns, header } = next.look;
    const before = heading;
    heading = JSON.stringify(header);
    if (plan && heading === before) return { ...plan, dialect };
    return { dialect, columns, mode: plan?.mode ?? "create" };
  }

  function remember({ counts, rowsRead, seconds, ended }: PastUpload["report"]): void {
    const past = { id: uploadId, collection: state.collection?.name ?? "", fileName: state.file?.name ?? "", endedAt: Date.now() };
    const kept = history.add({ ...past, report: { counts, rowsRead, seconds, ended } });
    kept.catch(() => {}).then(() => onEnded()); // a browser that keeps no data has no history
  }

  function close(): void {
    worker?.terminate();
    worker = undefined;
    become(EMPTY);
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look(file, collection) {
      become({ ...EMPTY, collection, file });
      tell({ type: "look", file, collection, choices: {} });
    },
    lookAgain(choices) {
      const { file, collection } = state;
      become({ choices });
      if (file && collection) tell({ type: "look", file, collection, choices });
    },
    choose(plan) {
      become({ plan });
    },
    check() {
      if (state.plan) tell({ type: "check", plan: state.plan });
    },
    upload() {
      const token = session.token();
      if (!state.plan || !token) return;
      uploadId = crypto.getRandomValues(new Uint32Array(4)).join("-");
      tell({ type: "upload", uploadId, plan: state.plan, baseUrl, token });
    },
    cancel: () => tell({ type: "cancel" }),
    errorsFile() {
      tell({ type: "errorsFile" });
      return new Promise((resolve) => {
        onErrorsFile = resolve;
      });
    },
    close,
    async stop() {
      if (state.upload?.step === "sending") {
        const ended = new Promise<void>((resolve) => {
          onEnded = resolve;
        });
        tell({ type: "cancel" });
        await ended;
      }
      close();
      mappings.clear().catch(() => {});
    },
    history: () => history.list().catch(() => []),
    forgetHistory: () => Promise.allSettled([history.clear(), mappings.clear()]).then(() => {}),
  };
}
