// A watched folder: which files are complete, in which order they are taken, and where they go afterwards.

import { lstatSync, readdirSync, renameSync, rmSync, type Stats } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { CommandError, EXIT, systemError } from "../console/exit-codes.ts";
import { OUTPUT_SUFFIXES } from "../reports/output-names.ts";
import { syncFolder } from "../runs/own-files.ts";

/** Ends the name of an empty file that marks another one as complete. */
const MARKER = ".done";
const STALE_MARKER = 3_600_000; // ms without a file
/** Names that other programs use while they are still writing. */
const UNFINISHED = /^(?:\.|~\$)|\.(part|filepart|tmp|temp|crdownload|done)$/i;

interface Seen {
  size: number;
  mtime: number;
  /** When this size and time were first seen. Epoch ms of this machine, so that the clock of a file server does not matter. */
  since: number;
}

export type Order = "name" | "mtime";

const PLACES = ["processing", "archive", "rejected"] as const;

export interface InboxRules {
  /** For so many milliseconds a file must not change before it counts as complete; undefined: only a marker says that it is. */
  stableMs: number | undefined;
  order: Order;
  /** Says whether the file is for this inbox at all. */
  takes?: (name: string) => boolean;
}

export class Inbox {
  readonly path: string;
  readonly #rules: InboxRules;
  readonly #seen = new Map<string, Seen>();
  /** The names of taken files by those that they have in `processing`. */
  readonly #names = new Map<string, string>();

  constructor(path: string, rules: InboxRules) {
    this.path = path;
    this.#rules = rules;
  }

  /** Creates the folders in it. Throws CommandError. */
  async prepare(): Promise<void> {
    try {
      await readdir(this.path);
      for (const name of PLACES) await mkdir(join(this.path, name), { recursive: false }).catch(unlessThere);
      this.#requireFolders();
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const why = systemError(error);
      throw why === undefined ? error : new CommandError(EXIT.nothing, `The folder ${this.path} cannot be watched: ${why}.`);
    }
  }

  /** Whoever may write to the inbox could put a link in the place of one of its folders. Throws CommandError. */
  #requireFolders(): void {
    for (const name of PLACES) {
      const path = join(this.path, name);
      if (!lstatSync(path).isDirectory()) throw new CommandError(EXIT.nothing, `${path} is no folder, so ${this.path} cannot be watched.`);
    }
  }

  /**
   * Reads the folder once. Returns the complete files in order, whether any other could become complete by itself, files that it does not
   * take, and links, and folders with a name that it would take. `now`: ms of a clock that nobody sets, to tell how long a file has not
   * changed; `wall`: epoch milliseconds, to tell how old a marker is.
   */
  async scan(
    now: number,
    wall: number,
  ): Promise<{ whole: string[]; isWaiting: boolean; others: string[]; links: string[]; folders: string[] }> {
    const { stableMs, order, takes = () => true } = this.#rules;
    const [links, folders]: [string[], string[]] = [[], []];
    const all = await readdir(this.path);
    const names = new Set(all);
    const whole: { name: string; mtime: number }[] = [];
    const others: string[] = [];
    const present = new Set<string>();
    for (const name of all.filter((name) => !UNFINISHED.test(name))) {
      const found = statsOf(join(this.path, name));
      if (found?.isSymbolicLink() && takes(name)) links.push(name);
      if (found?.isDirectory() && this.#rules.takes?.(name) && !(PLACES as readonly string[]).includes(name)) folders.push(name);
      if (!found?.isFile()) continue;
      present.add(name);
      if (!takes(name)) {
        others.push(name);
        continue;
      }
      const mtime = found.mtimeMs;
      const isMarked = names.has(name + MARKER) && this.#isMarked(name, found.ctimeMs);
      if (this.#isWhole(name, { size: found.size, mtime, since: now }) || isMarked) whole.push({ name, mtime });
    }
    this.#clearMarkers(all, present, wall);
    for (const name of this.#seen.keys()) if (!present.has(name)) this.#seen.delete(name);
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    whole.sort((a, b) => (order === "mtime" && a.mtime - b.mtime) || byName(a, b));
    const isWaiting = stableMs !== undefined && present.size > whole.length + others.length;
    return { whole: whole.map(({ name }) => name), isWaiting, others, links, folders };
  }

  /** Moves the file to `processing`, under a name that is free in all folders. Returns undefined when it is gone, or has changed since it was seen. */
  async take(name: string): Promise<string | undefined> {
    this.#requireFolders();
    const [found, seen] = [statsOf(join(this.path, name)), this.#seen.get(name)];
    if (!found || (seen && (seen.size !== found.size || seen.mtime !== found.mtimeMs))) return undefined;
    const target = join(this.path, "processing", this.#freeName(name));
    try {
      renameSync(join(this.path, name), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    rmSync(join(this.path, name + MARKER), { force: true }); // one that a kill leaves behind is older than the next file of this name
    this.#seen.delete(name);
    this.#names.set(basename(target), name);
    return target;
  }

  /** The name that a file in `processing` had before: it got a number where another file had that name. An earlier watcher may have taken it. */
  nameOf(path: string): string {
    const [name, before] = [basename(path), unnumbered(basename(path))];
    return this.#names.get(name) ?? (before !== name && this.#freeName(before) !== before ? before : name);
  }

  /** Paths of files that an earlier watcher took and did not finish. */
  async leftovers(): Promise<string[]> {
    const names = (await readdir(join(this.path, "processing"))).filter((name) => !name.startsWith("."));
    const isOutput = (name: string) => names.some((other) => name !== other && isOutputOf(name, other));
    return names
      .filter((name) => !isOutput(name))
      .sort()
      .map((name) => join(this.path, "processing", name));
  }

  /** Moves the reports first and the file last: while the file is still there, the next watcher finishes the work. */
  async moveProcessed(path: string, where: "archive" | "rejected"): Promise<string> {
    this.#requireFolders();
    const [folder, name] = [join(this.path, "processing"), basename(path)];
    const taken = new Set(readdirSync(join(this.path, where)));
    const freeName = (wanted: string) => {
      const free = firstFree(wanted, (other) => taken.has(other));
      taken.add(free);
      return free;
    };
    for (const output of readdirSync(folder)) {
      if (isOutputOf(output, name)) renameSync(join(folder, output), join(this.path, where, freeName(output)));
    }
    const free = freeName(name);
    renameSync(path, join(this.path, where, free));
    this.#names.delete(name);
    for (const changed of [join(this.path, where), folder]) await syncFolder(changed); // before the move is reported
    return join(where, free);
  }

  /** A marker that is older than its file was meant for an earlier file of this name. */
  #isMarked(name: string, changedAt: number): boolean {
    const marker = statsOf(join(this.path, name + MARKER));
    return marker !== undefined && marker.ctimeMs >= changedAt;
  }

  /** Deletes old markers whose file was taken before they came. */
  #clearMarkers(names: readonly string[], present: ReadonlySet<string>, wall: number): void {
    for (const name of names) {
      if (!name.endsWith(MARKER) || name.startsWith(".") || present.has(name.slice(0, -MARKER.length))) continue;
      const path = join(this.path, name);
      const marker = statsOf(path);
      if (marker?.isFile() && marker.size === 0 && wall - marker.ctimeMs > STALE_MARKER) rmSync(path, { force: true });
    }
  }

  #isWhole(name: string, now: Seen): boolean {
    const before = this.#seen.get(name);
    const isSame = before?.size === now.size && before.mtime === now.mtime;
    if (!isSame) this.#seen.set(name, now);
    const { stableMs } = this.#rules;
    return stableMs !== undefined && isSame && now.since - before.since >= stableMs;
  }

  /** Free in all folders, and so that no report of another file has its name. */
  #freeName(name: string): string {
    const there = PLACES.flatMap((place) => readdirSync(join(this.path, place)));
    return firstFree(name, (free) => there.some((other) => other === free || isOutputOf(other, free)));
  }
}

/** Without promises, whose threads cost more than the work. Undefined when it was removed in the meantime. */
function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** The name itself, or the first numbered one that is not taken. */
function firstFree(name: string, isTaken: (name: string) => boolean): string {
  const dot = name.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${stem}.${n}${extension}`;
    if (!isTaken(free)) return free;
  }
}

/** Undoes what `firstFree` may have done. A longer number, or one with zeros in front, is a date or a sequence of the file's own. */
export function unnumbered(name: string): string {
  return name.replace(/\.(?:[2-9]|[1-9]\d{1,3})(\.[^.]*)?$/, "$1");
}

function isOutputOf(name: string, file: string): boolean {
  return (
    name.startsWith(`${file}.`) &&
    OUTPUT_SUFFIXES.some((extension) => new RegExp(`^(\\.\\d+)?${extension.replaceAll(".", "\\.")}$`).test(name.slice(file.length)))
  );
}

function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}
