// A checked file with its corrections, in the browser's storage from the first of them until its upload begins.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Corrected } from "../../../pipeline/model/corrections.ts";
import type { Choices } from "../../../pipeline/model/dialect.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import type { Fingerprint } from "../../../pipeline/reading/fingerprint.ts";
import type { UploadStorage } from "../../../pipeline/runs/resumable-run.ts";
import type { SentAgain } from "../../../pipeline/sending/journal.ts";
import { timeToStore } from "../../browser/clock.ts";
import { takeLock } from "./upload-lock.ts";

export interface Unsent {
  file: File;
  collection: Collection;
  plan: Plan;
  rowsTotal: number;
  choices: Choices;
  corrected: Corrected;
  again?: SentAgain | undefined;
}

/** Is undefined when nothing is corrected any more. */
type Latest = () => Unsent | undefined;

const STEPS = 100; // of undo that are stored: each of them holds all corrections

/** Holds the upload's lock while it has something stored, so that no other tab works on the same file. */
export class UnsentFile {
  readonly #storage: UploadStorage;
  readonly #onKept: () => void;
  #id = "";
  #fingerprint: Fingerprint | undefined;
  #release: (() => Promise<void>) | undefined;
  #next: Latest | undefined;
  #writing: Promise<void> | undefined;
  /** The latest corrections are stored: nothing is lost with the tab. */
  isKept = false;
  /** The file is the copy itself. */
  isCopy = false;

  /** `onKept` is called when `isKept` has changed by itself. */
  constructor(storage: UploadStorage, onKept: () => void) {
    this.#storage = storage;
    this.#onKept = onKept;
  }

  /** Begins another file, or the same one anew. What is stored of the one before stays. */
  async begin(id: string): Promise<void> {
    if (id === this.#id) return;
    await this.end();
    this.#id = id;
  }

  /** Takes over a file that was stored earlier. False when another tab works on it. */
  async adopt(id: string, fingerprint: Fingerprint, isCopy: boolean): Promise<boolean> {
    await this.begin(id);
    if (!(await this.#hold())) return false;
    this.#fingerprint = fingerprint;
    this.isCopy = isCopy;
    this.isKept = true;
    return true;
  }

  /** Stores what `latest` gives, after the write before has ended. */
  keep(latest: Latest): void {
    this.isKept = false;
    this.#next = latest;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Nothing is written afterwards, and others may work on it. Returns the fingerprint of what is stored under this id. */
  async end(id = ""): Promise<Fingerprint | undefined> {
    await this.#writing;
    const fingerprint = id === this.#id ? this.#fingerprint : undefined;
    await this.#release?.();
    this.#release = this.#fingerprint = undefined;
    this.#id = "";
    this.isKept = this.isCopy = false;
    return fingerprint;
  }

  async #write(): Promise<void> {
    for (let latest = this.#take(); latest; latest = this.#take()) {
      try {
        const unsent = latest();
        this.isKept = unsent ? await this.#put(unsent) : await this.#drop();
      } catch {
        // The browser stores nothing, or the disk is full: the page asks before the file is closed.
      }
    }
    if (this.isKept) this.#onKept();
  }

  #take(): Latest | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  async #put({ file, collection, plan, rowsTotal, choices, corrected, again }: Unsent): Promise<boolean> {
    if (!(await this.#hold())) return false;
    const { journal, copies } = this.#storage;
    this.#fingerprint ??= await copies.keep(this.#id, file);
    const { history } = corrected;
    await journal.put({
      ...{ id: this.#id, collection: collection.name, fileName: file.name, startedAt: timeToStore(), hasRows: true },
      ...(again && { again }),
      job: { plan, rowsTotal, fingerprint: this.#fingerprint },
      unsent: { choices, corrected: { ...corrected, history: { ...history, past: history.past.slice(-STEPS) } } },
    });
    return true;
  }

  /** Without corrections there is nothing to keep. The copy stays until the next list of uploads: it may be needed again. */
  async #drop(): Promise<boolean> {
    if (this.#fingerprint) await this.#storage.journal.drop(this.#id);
    return true;
  }

  async #hold(): Promise<boolean> {
    this.#release ??= await takeLock(this.#id);
    return this.#release !== undefined;
  }
}
