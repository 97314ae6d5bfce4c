// A watched folder: which files are complete, in which order they are taken, and where they go afterwards.

import { lstatSync, readdirSync, renameSync, rmSync, type Stats } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { CommandError, EXIT, systemError } from "../console/exit-codes.ts";
import { OUTPUT_SUFFIXES } from "../reports/output-names.ts";
import { syncFolder } from "../runs/own-files.ts";
import { CHECKSUMS, SHORTEST } from "./checksums.ts";

/** Endings that are added to the name of a file for an empty file that marks it as complete. Its checksum does so as well. */
const MARKERS = [".done", ".ok"] as const;
const COMPANIONS = [...MARKERS, ...CHECKSUMS];
const STALE = 3_600_000; // ms of a marker or checksum without a file
/** Names that other programs use while they are still writing. */
const UNFINISHED = /^(?:\.|~\$)|\.(part|filepart|tmp|temp|crdownload|done|ok)$/i;

interface Seen {
  size: number;
  mtime: number;
  /** It was seen with another size or time before. */
  hasChanged: boolean;
  /** Says when this size and time were first seen, in epoch ms of this machine: the clock of a file server does not matter. */
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

export interface Scan {
  whole: string[];
  isWaiting: boolean;
  growing: string[];
  others: string[];
  links: string[];
  folders: string[];
  /** Checksums whose files have not come for an hour. */
  lone: string[];
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
      this.requireFolders();
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const why = systemError(error);
      throw why === undefined ? error : new CommandError(EXIT.nothing, `The folder ${this.path} cannot be watched: ${why}.`);
    }
  }

  /** Whoever may write to the inbox could put a link in the place of one of its folders. Throws CommandError. */
  requireFolders(): void {
    for (const name of PLACES) {
      const path = join(this.path, name);
      if (!lstatSync(path).isDirectory()) throw new CommandError(EXIT.nothing, `${path} is no folder, so ${this.path} cannot be watched.`);
    }
  }

  /**
   * Reads the folder once. Returns the complete files in order, whether any other could become complete by itself, files that changed while
   * it was looked at, files that it does not take, links, folders with a name that it would take, and checksums without a file. `now`: ms of a clock that nobody
   * sets, to tell how long a file has not changed; `wall`: epoch milliseconds, to tell how old a marker or checksum is.
   */
  async scan(now: number, wall: number): Promise<Scan> {
    const { stableMs, order, takes = () => true } = this.#rules;
    const [links, folders, growing]: [string[], string[], string[]] = [[], [], []];
    const all = await readdir(this.path);
    const names = new Set(all);
    const whole: { name: string; mtime: number }[] = [];
    const others: string[] = [];
    const present = new Set<string>();
    for (const name of all.filter((name) => !UNFINISHED.test(name) && !isChecksum(name))) {
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
      const isMarked = COMPANIONS.some((suffix) => names.has(name + suffix) && this.#isMarked(name, suffix, found.ctimeMs));
      const isWhole = this.#isWhole(name, { size: found.size, mtime, since: now });
      if (isWhole || isMarked) whole.push({ name, mtime });
      else if (stableMs !== undefined && this.#seen.get(name)?.hasChanged) growing.push(name);
    }
    this.#clearMarkers(all, present, wall);
    for (const name of this.#seen.keys()) if (!present.has(name)) this.#seen.delete(name);
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    whole.sort((a, b) => (order === "mtime" && a.mtime - b.mtime) || byName(a, b));
    const isWaiting = stableMs !== undefined && present.size > whole.length + others.length + growing.length;
    const lone = all.filter((name) => isChecksum(name) && !present.has(withoutSuffix(name)) && takes(withoutSuffix(name)));
    const isOld = (name: string) => wall - (statsOf(join(this.path, name))?.ctimeMs ?? wall) > STALE;
    return { whole: whole.map(({ name }) => name), isWaiting, growing, others, links, folders, lone: lone.filter(isOld) };
  }

  /** Moves the file to `processing`, under a name that is free in all folders. Returns undefined when it is gone, or has changed since it was seen. */
  async take(name: string): Promise<string | undefined> {
    this.requireFolders();
    const [found, seen] = [statsOf(join(this.path, name)), this.#seen.get(name)];
    if (!found || (seen && (seen.size !== found.size || seen.mtime !== found.mtimeMs))) return undefined;
    const target = join(this.path, "processing", this.#freeName(name));
    const moved = CHECKSUMS.filter((checksum) => moveFile(join(this.path, name + checksum), target + checksum)); // first: see leftovers
    try {
      renameSync(join(this.path, name), target);
    } catch (error) {
      for (const checksum of moved) renameSync(target + checksum, join(this.path, name + checksum));
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    for (const marker of MARKERS) rmSync(join(this.path, name + marker), { force: true }); // one that a kill leaves behind is older than the next file of this name
    this.#seen.delete(name);
    this.#names.set(basename(target), name);
    return target;
  }

  /**
   * Returns the name that a file in `processing` had before: it got a number where another file had that name. An earlier watcher may have
   * taken it.
   */
  nameOf(path: string): string {
    const [name, before] = [basename(path), unnumbered(basename(path))];
    return this.#names.get(name) ?? (before !== name && this.#freeName(before) !== before ? before : name);
  }

  /** Paths of files that an earlier watcher took and did not finish. A checksum whose file it did not come to take goes back to that. */
  async leftovers(): Promise<string[]> {
    const folder = join(this.path, "processing");
    const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
    for (const name of names.filter(isChecksum)) {
      const file = withoutSuffix(name);
      const before = join(this.path, this.nameOf(file) + name.slice(file.length));
      if (!names.includes(file) && !statsOf(before)) moveFile(join(folder, name), before);
    }
    const isOutput = (name: string) => names.some((other) => name !== other && isOutputOf(name, other));
    return names
      .filter((name) => !isOutput(name) && !isChecksum(name))
      .sort()
      .map((name) => join(folder, name));
  }

  /**
   * Moves the reports first and the file last: while the file is still there, the next watcher finishes the work. Returns where the file is
   * now, and its latest report for people, within the inbox.
   */
  async moveProcessed(path: string, where: "archive" | "rejected"): Promise<{ to: string; report?: string }> {
    this.requireFolders();
    const [folder, name] = [join(this.path, "processing"), basename(path)];
    const freeName = (wanted: string) => firstFree(wanted, (other) => statsOf(join(this.path, where, other)) !== undefined);
    let report: string | undefined;
    for (const output of readdirSync(folder)
      .filter((other) => isOutputOf(other, name))
      .sort(byNumber)) {
      const free = join(where, freeName(output));
      renameSync(join(folder, output), join(this.path, free));
      if (output.endsWith(".report.txt")) report = free;
    }
    const free = freeName(name);
    renameSync(path, join(this.path, where, free));
    this.#names.delete(name);
    for (const changed of [join(this.path, where), folder]) await syncFolder(changed); // before the move is reported
    return { to: join(where, free), ...(report !== undefined && { report }) };
  }

  /** A marker or checksum that is older than its file was meant for an earlier file of this name, or came before the file was whole. */
  #isMarked(name: string, suffix: string, changedAt: number): boolean {
    const found = statsOf(join(this.path, name + suffix));
    return found?.isFile() === true && found.ctimeMs >= changedAt && found.size >= (SHORTEST[suffix] ?? 0);
  }

  /** Deletes old markers whose file was taken before they came. */
  #clearMarkers(names: readonly string[], present: ReadonlySet<string>, wall: number): void {
    for (const name of names) {
      const suffix = MARKERS.find((marker) => name.endsWith(marker));
      if (suffix === undefined || name.startsWith(".") || present.has(name.slice(0, -suffix.length))) continue;
      const path = join(this.path, name);
      const marker = statsOf(path);
      if (marker?.isFile() && marker.size === 0 && wall - marker.ctimeMs > STALE) rmSync(path, { force: true });
    }
  }

  #isWhole(name: string, now: Omit<Seen, "hasChanged">): boolean {
    const before = this.#seen.get(name);
    const isSame = before?.size === now.size && before.mtime === now.mtime;
    if (!isSame) this.#seen.set(name, { ...now, hasChanged: before !== undefined });
    const { stableMs } = this.#rules;
    return stableMs !== undefined && isSame && now.since - before.since >= stableMs;
  }

  /**
   * Returns one that is free in all folders, so that no report of another file has its name. No folder is read: an archive may have a
   * million files.
   */
  #freeName(name: string): string {
    const isThere = (free: string) => PLACES.some((place) => OWN.some((suffix) => statsOf(join(this.path, place, free + suffix))));
    return firstFree(name, isThere);
  }
}

/** Endings of the file itself and of all that may be beside it under its name. */
const OWN = ["", ...OUTPUT_SUFFIXES, ...CHECKSUMS];

/** Moves a file, and no link. Returns whether there was one. */
function moveFile(from: string, to: string): boolean {
  const isFile = statsOf(from)?.isFile() === true;
  if (isFile) renameSync(from, to);
  return isFile;
}

/** Sorts `a.csv.2.report.txt` behind `a.csv.report.txt`, and `.10.` behind both. */
function byNumber(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

export function isChecksum(name: string): boolean {
  return CHECKSUMS.some((suffix) => name.endsWith(suffix));
}

function withoutSuffix(name: string): string {
  return name.replace(/\.[^.]+$/, "");
}

/** Asks without promises, whose threads cost more than the work. Undefined when it was removed in the meantime. */
function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Returns the name itself, or the first numbered one that is not taken. */
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

/** Says whether it is a report or rejects of the file, with a number or without, or its checksum. */
export function isOutputOf(name: string, file: string): boolean {
  if (!name.startsWith(`${file}.`)) return false;
  const suffix = name.slice(file.length);
  return CHECKSUMS.includes(suffix) || (OUTPUT_SUFFIXES as readonly string[]).includes(suffix.replace(/^\.\d+/, ""));
}

function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}
