// One upload a tab: starts the worker, keeps what it last said for whoever draws it, and outlives the pages. Draws nothing.

import type { Collection } from "../../dictionary/collections.ts";
import type { TabSession } from "../api/session.ts";
import type { Dialect } from "../upload/detect.ts";
import { openHistory, type PastUpload } from "../upload/history.ts";
import type { Plan } from "../upload/judge.ts";
import type { Act, Answer, Ask } from "../upload/mending-state.ts";
import type { UploadState } from "../upload/run.ts";
import type { Command, WorkerEvent } from "../worker.ts";

export interface DeskState {
  collection: Collection | undefined;
  file: File | undefined;
  upload: UploadState | undefined;
  /** What the user has chosen for this file so far. */
  plan: Plan | undefined;
  /** The worker itself failed: nothing more will come from it. */
  broken: string | undefined;
}

export interface UploadDesk {
  state(): DeskState;
  subscribe(listener: () => void): () => void;
  look(file: File, collection: Collection): void;
  /** The same file once more; what stands on the page stays until it is read. With the same delimiter what was chosen stays too. */
  lookAgain(delimiter: Dialect["delimiter"]): void;
  choose(plan: Plan): void;
  check(): void;
  /** Mends something of the checked file, or takes it back; the state follows. */
  act(act: Act): void;
  /** Rows of the checked file, or the place of the next problem. A file that is gone meanwhile never answers. */
  ask<A extends Ask>(ask: A): Promise<Extract<Answer, { for: A["for"] }>>;
  upload(): void;
  /** Ends a running check or upload. */
  cancel(): void;
  /** Rows that were not stored, as a CSV file; resolves when it is made. */
  errorsFile(): Promise<{ blob: Blob; name: string }>;
  /** Forgets the file. */
  close(): void;
  /** Ends a running upload in order, its report in the history; then forgets the file. */
  stop(): Promise<void>;
  history(): Promise<PastUpload[]>;
  forgetHistory(): Promise<void>;
}

const EMPTY: DeskState = { collection: undefined, file: undefined, upload: undefined, plan: undefined, broken: undefined };

export function createUploadDesk(startWorker: () => Worker, session: TabSession, baseUrl: string): UploadDesk {
  let state = EMPTY;
  let worker: Worker | undefined;
  let uploadId = "";
  let onErrorsFile: (file: { blob: Blob; name: string }) => void = () => {};
  let onEnded = () => {};
  let asked = 0;
  const answers = new Map<number, (answer: Answer) => void>();
  const history = openHistory();
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
        if (event.state.step === "checked" && state.upload?.step !== "checked") preview();
        become({ upload: event.state, plan: planFor(event.state) });
        if (event.state.step === "report") remember(event.state.report);
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

  /** A file that was looked at again as before keeps what was chosen; read otherwise, it keeps what a row means. */
  function planFor(next: UploadState): Plan | undefined {
    const { plan } = state;
    if (next.step !== "columns") return plan;
    const { dialect, columns } = next.look;
    if (plan?.dialect.delimiter === dialect.delimiter) return plan;
    return { dialect, columns, mode: plan?.mode ?? "create" };
  }

  function remember({ counts, rowsRead, seconds, ended }: PastUpload["report"]): void {
    const past = { id: uploadId, collection: state.collection?.name ?? "", fileName: state.file?.name ?? "", endedAt: Date.now() };
    const kept = history.add({ ...past, report: { counts, rowsRead, seconds, ended } });
    kept.catch(() => {}).then(() => onEnded()); // a browser that keeps no data has no history
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
      tell({ type: "look", file, collection });
    },
    lookAgain(delimiter) {
      const { file, collection } = state;
      if (file && collection) tell({ type: "look", file, collection, delimiter });
    },
    choose(plan) {
      become({ plan });
    },
    check() {
      if (state.plan) tell({ type: "check", plan: state.plan });
    },
    act: (act) => tell({ type: "act", act }),
    ask<A extends Ask>(ask: A) {
      const id = ++asked;
      tell({ type: "ask", id, ask });
      // The worker answers each question in its own form.
      return new Promise<Extract<Answer, { for: A["for"] }>>((resolve) => answers.set(id, resolve as (answer: Answer) => void));
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
    },
    history: () => history.list().catch(() => []),
    forgetHistory: () => history.clear().catch(() => {}),
  };
}
