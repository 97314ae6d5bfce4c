// A file in the worker until its upload begins: looked at, checked, and mended while the service is asked what would become of it. Sends nothing that is stored.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { CheckSummary, Findings } from "../../pipeline/checking/findings.ts";
import { carryOver, type Mended } from "../../pipeline/correction/carry-over.ts";
import { Mending, type MendingJob } from "../../pipeline/correction/correction-session.ts";
import type { Act, Answer, Ask, Loss } from "../../pipeline/correction/correction-state.ts";
import { mappingOf } from "../../pipeline/mapping/remembered-mapping.ts";
import type { History } from "../../pipeline/model/corrections.ts";
import type { Choices } from "../../pipeline/model/dialect.ts";
import { FileRefused } from "../../pipeline/model/file-error.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import { runCheck, runLook } from "../../pipeline/runs/run-upload.ts";
import type { UploadState } from "../../pipeline/runs/upload-state.ts";
import type { PostBatch } from "../../pipeline/sending/responses.ts";
import { openMappings } from "../storage/indexeddb-mappings.ts";

/** `tell` is heard until something else runs. */
export interface Run {
  signal: AbortSignal;
  tell(state: UploadState): void;
}

export interface CheckedFile {
  file: File;
  collection: Collection;
  /** With what has been mended so far. */
  plan: Plan;
  check: CheckSummary;
}

export class FileCheck {
  readonly #broken: (error: unknown) => void;
  readonly #mappings = openMappings();
  #chosen: { file: File; collection: Collection; columns: UploadState } | undefined;
  /** The checked file while the user mends it. */
  #mending: Mending | undefined;
  /** What was mended before the same file was looked at again. */
  #mended: Mended | undefined;

  constructor(broken: (error: unknown) => void) {
    this.#broken = broken;
  }

  /** Undefined unless a file stands checked. */
  get checked(): CheckedFile | undefined {
    if (!this.#mending || !this.#chosen) return undefined;
    const { file, collection } = this.#chosen;
    const { plan, check } = this.#mending;
    return { file, collection, plan, check };
  }

  async look(
    { file, collection, choices }: { file: File; collection: Collection; choices: Choices },
    { signal, tell }: Run,
  ): Promise<void> {
    if (!this.#isChosen(file)) this.#mended = undefined;
    let columns = await runLook(file, collection, choices, await this.#mappings.list());
    if (signal.aborted) return;
    if (columns.step === "columns") columns = { ...columns, hasMended: (this.#mended?.history.past.length ?? 0) > 0 };
    this.#chosen = { file, collection, columns };
    tell(columns);
  }

  /** With what was mended before. What another reading of the file would lose of that is told first, unless it was agreed to. */
  async check(base: Plan, isAgreed: boolean, { signal, tell }: Run): Promise<void> {
    if (!this.#chosen) throw new Error("No file was looked at.");
    const { file, collection, columns } = this.#chosen;
    if (columns.step !== "columns") throw new Error("The file could not be read.");
    this.#remember(collection, columns.look.header, base);
    const carried = await this.#carryOver(file, base, { signal, tell });
    if (signal.aborted) return tell(columns);
    if (carried && !isAgreed && carried.loss.cells + carried.loss.rows > 0) return tell({ ...columns, loss: carried.loss });
    const history = carried?.history;
    const plan = history ? { ...base, fixes: history.fixes } : base;
    let found: Findings | undefined;
    const onFound = (findings: Findings) => {
      found = findings;
    };
    for await (const state of runCheck({ file, collection, plan, signal, onFound })) {
      if (signal.aborted) break;
      if (state.step !== "checked" || !found) tell(state);
      else this.#mend({ file, collection, plan, findings: found, history }, tell);
    }
    if (signal.aborted) tell(columns);
  }

  act(act: Act): void {
    this.#mending?.act(act);
  }

  answer(ask: Ask): Answer | undefined {
    return this.#mending?.answer(ask);
  }

  preview(postDry: PostBatch): void {
    this.#mending?.preview(postDry);
  }

  /** The checked file stays as it is; when it is looked at again, what was mended comes back. */
  close(): void {
    if (!this.#mending) return;
    this.#mended = this.#mending.mended;
    this.#mending.close();
    this.#mending = undefined;
  }

  #mend(job: Pick<MendingJob, "file" | "collection" | "plan" | "findings" | "history">, tell: Run["tell"]): void {
    this.#mending = new Mending({
      ...job,
      tell: (check, mending) => tell({ step: "checked", check, mending }),
      fail: (error) => {
        if (!(error instanceof FileRefused)) return this.#broken(error);
        const { title, detail, remedy } = error;
        tell({ step: "refused", title, detail, remedy });
      },
    });
  }

  async #carryOver(file: File, { dialect }: Plan, { signal, tell }: Run): Promise<{ history: History; loss: Loss } | undefined> {
    const carried =
      this.#mended &&
      carryOver(this.#mended, { file, dialect }, ({ first, bytesRead }) => {
        tell({ step: "checking", rowsRead: first, bytesRead, bytesTotal: file.size });
        return !signal.aborted;
      });
    return carried?.catch((error: unknown) => {
      if (!(error instanceof FileRefused)) throw error;
      return undefined; // the check meets it, too
    });
  }

  #isChosen({ name, size, lastModified }: File): boolean {
    const file = this.#chosen?.file;
    return file?.name === name && file.size === size && file.lastModified === lastModified;
  }

  /** For the next file with these headings. A browser that keeps no data forgets. */
  #remember(collection: Collection, header: readonly string[], plan: Plan): void {
    this.#mappings.keep(mappingOf(collection, header, plan.columns)).catch(() => {});
  }
}
