// Notices files that went on growing after they were taken: the sender still had them open.

import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { count } from "../../core/text/count.ts";
import type { ProgressWriter } from "../console/progress.ts";
import { commandFor } from "../runs/next-commands.ts";
import { openRuns, type StoredRun } from "../runs/run-registry.ts";
import type { Notify } from "./notices.ts";

const WATCHED_FOR = 600_000; // ms after a file was moved
const INSPECT_EVERY = 10_000; // ms

/** A file where it was moved to, with the size that it had when it was taken. */
interface Moved {
  path: string;
  size: number;
  since: number;
}

/** The same for the next watch, with how many milliseconds ago it was moved. */
export type RecentMove = Omit<Moved, "since"> & { ago: number };

/** The command comes last, so that nothing behind it is copied with it. */
export function putAgain(run: StoredRun, state: string): string {
  return `Before you put the whole file into the folder again, take back what is stored of it with: ${commandFor("undo", run, state)}`;
}

export class GrowthWatch {
  readonly #state: string;
  readonly #progress: ProgressWriter;
  readonly #notify: Notify;
  #moved: Moved[] = [];
  #inspectedAt = 0;

  /** `state`: the state folder. */
  constructor(state: string, progress: ProgressWriter, notify: Notify) {
    this.#state = state;
    this.#progress = progress;
    this.#notify = notify;
  }

  /** Inspects it at once. Returns whether it has grown. `now`: ms of a clock that nobody sets; `ago`: ms since it was moved. */
  async add(path: string, size: number, now: number, ago = 0): Promise<boolean> {
    const moved = { path, size, since: now - ago };
    if (await this.#hasChanged(moved)) return true;
    this.#moved.push(moved);
    return false;
  }

  /** Lists the files that the next watch inspects once more: with `--once` they may grow while nobody looks. */
  recentMoves(now: number): RecentMove[] {
    return this.#moved.map(({ path, size, since }) => ({ path, size, ago: now - since })).filter(({ ago }) => ago < WATCHED_FOR);
  }

  /** Inspects the files that were moved lately, now and then. Returns whether one of them has grown. */
  async inspect(now: number): Promise<boolean> {
    if (now - this.#inspectedAt < INSPECT_EVERY) return false;
    this.#inspectedAt = now;
    const before = this.#moved;
    this.#moved = [];
    let hasGrown = false;
    for (const moved of before) {
      const hasChanged = await this.#hasChanged(moved);
      hasGrown ||= hasChanged;
      if (!hasChanged && now - moved.since < WATCHED_FOR) this.#moved.push(moved);
    }
    return hasGrown;
  }

  async #hasChanged({ path, size }: Moved): Promise<boolean> {
    const found = lstatSync(path, { throwIfNoEntry: false }); // undefined: somebody tidied up
    if (!found || found.size <= size) return false;
    const runs = openRuns(this.#state);
    const [run] = await runs.at(path);
    const name = basename(path);
    const grown = `${name}: grew from ${count(size, "byte")} to ${count(found.size, "byte")} after it was taken, and what was added is not stored.`;
    const prevention = "A sender that writes under another name first, or a marker with --done, prevents this.";
    const again = run ? putAgain(run, runs.folder) : "Put the whole file into the folder again.";
    const sentence = `${grown} ${prevention} ${again}`;
    this.#progress.line(sentence, { step: "grew", file: name, from: size, to: found.size, ...(run && { run: run.id }) });
    await this.#notify({ step: "grew", file: name, sentence, path });
    return true;
  }
}
