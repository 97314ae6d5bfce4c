// A folder into which others put files: which of them are whole, in which order they are taken, and where they go afterwards. Loads none of them.

import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { CommandError, EXIT, systemError } from "../console/exit-codes.ts";
import { OUTPUT_ENDINGS } from "../reports/output-names.ts";
import { syncFolder } from "../runs/run-registry.ts";

/** The marker beside a file that says it is whole. */
const MARKER = ".done";
const STALE_MARKER = 3_600_000; // ms without a file
/** Names under which other programs write before they rename. */
const UNFINISHED = /^\.|\.(part|filepart|tmp|temp|crdownload|done)$/i;

interface Seen {
  size: number;
  mtime: number;
  /** When it was first seen like this; epoch ms of this computer, so that clocks of others do not matter. */
  since: number;
}

export type Order = "name" | "mtime";

const PLACES = ["processing", "archive", "rejected"] as const;

export class Inbox {
  readonly path: string;
  readonly #settleMs: number;
  readonly #order: Order;
  readonly #seen = new Map<string, Seen>();

  /** `settleMs`: milliseconds for which a file must not change before it is whole. */
  constructor(path: string, settleMs: number, order: Order) {
    this.path = path;
    this.#settleMs = settleMs;
    this.#order = order;
  }

  /** Makes the folders in it. Throws Ended. */
  async prepare(): Promise<void> {
    try {
      await readdir(this.path);
      for (const name of PLACES) await mkdir(join(this.path, name), { recursive: false }).catch(unlessThere);
    } catch (error) {
      const why = systemError(error);
      throw why === undefined ? error : new CommandError(EXIT.nothing, `The folder ${this.path} cannot be watched: ${why}.`);
    }
  }

  /** Looks once. Gives the first file that is whole, and whether others are still coming. */
  async scan(now: number): Promise<{ whole: string | undefined; isEmpty: boolean }> {
    const names = await readdir(this.path);
    const whole: { name: string; mtime: number }[] = [];
    const here = new Set<string>();
    for (const name of names.filter((name) => !UNFINISHED.test(name))) {
      const found = await lstat(join(this.path, name)).catch(() => undefined); // taken back meanwhile
      if (!found?.isFile()) continue;
      here.add(name);
      const mtime = found.mtimeMs;
      const isMarked = names.includes(name + MARKER) && (await this.#isMarked(name, found.ctimeMs));
      if (this.#isWhole(name, { size: found.size, mtime, since: now }) || isMarked) whole.push({ name, mtime });
    }
    await this.#clearMarkers(names, here, now);
    for (const name of this.#seen.keys()) if (!here.has(name)) this.#seen.delete(name);
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    whole.sort((a, b) => (this.#order === "mtime" && a.mtime - b.mtime) || byName(a, b));
    return { whole: whole[0]?.name, isEmpty: here.size === 0 };
  }

  /** To `processing`, under a name that neither `archive` nor `rejected` has. Undefined when it is gone. */
  async take(name: string): Promise<string | undefined> {
    const target = join(
      this.path,
      "processing",
      await this.#freeName(name, PLACES, (there, free) => there === free || isOutputOf(there, free)),
    );
    await rm(join(this.path, name + MARKER), { force: true }); // first: left behind it would mark the next file of this name
    try {
      await rename(join(this.path, name), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    this.#seen.delete(name);
    return target;
  }

  /** Files that an earlier watcher took and did not finish with. */
  async leftovers(): Promise<string[]> {
    const names = (await readdir(join(this.path, "processing"))).filter((name) => !name.startsWith("."));
    const isOutput = (name: string) => names.some((other) => name !== other && isOutputOf(name, other));
    return names
      .filter((name) => !isOutput(name))
      .sort()
      .map((name) => join(this.path, "processing", name));
  }

  /** The file goes last: as long as it is there, whoever comes next knows that something is left to do. */
  async moveProcessed(path: string, where: "archive" | "rejected"): Promise<string> {
    const [folder, name] = [join(this.path, "processing"), basename(path)];
    for (const output of await readdir(folder)) {
      if (isOutputOf(output, name)) await rename(join(folder, output), join(this.path, where, await this.#freeName(output, [where])));
    }
    const free = await this.#freeName(name, [where]);
    await rename(path, join(this.path, where, free));
    for (const changed of [join(this.path, where), folder]) await syncFolder(changed); // before anyone says that it is there
    return join(where, free);
  }

  /** A marker says that its file is whole as the file was then: one that is older was meant for another file of this name. */
  async #isMarked(name: string, changedAt: number): Promise<boolean> {
    const marker = await lstat(join(this.path, name + MARKER)).catch(() => undefined);
    return marker !== undefined && marker.ctimeMs >= changedAt;
  }

  /** Markers that came after their file was taken. */
  async #clearMarkers(names: readonly string[], here: ReadonlySet<string>, now: number): Promise<void> {
    for (const name of names) {
      if (!name.endsWith(MARKER) || name.startsWith(".") || here.has(name.slice(0, -MARKER.length))) continue;
      const path = join(this.path, name);
      const marker = await lstat(path).catch(() => undefined);
      if (marker?.isFile() && marker.size === 0 && now - marker.ctimeMs > STALE_MARKER) await rm(path, { force: true });
    }
  }

  #isWhole(name: string, now: Seen): boolean {
    const before = this.#seen.get(name);
    const isSame = before?.size === now.size && before.mtime === now.mtime;
    if (!isSame) this.#seen.set(name, now);
    return isSame && now.since - before.since >= this.#settleMs;
  }

  /** The name, or the first numbered one that nothing in the places takes. */
  async #freeName(name: string, places: readonly string[], takes = (there: string, free: string) => there === free): Promise<string> {
    const dot = name.lastIndexOf(".");
    const [stem, exit] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
    const there = (await Promise.all(places.map((place) => readdir(join(this.path, place))))).flat();
    for (let n = 1; ; n++) {
      const free = n === 1 ? name : `${stem}.${n}${exit}`;
      if (!there.some((other) => takes(other, free))) return free;
    }
  }
}

function isOutputOf(name: string, file: string): boolean {
  return (
    name.startsWith(`${file}.`) &&
    OUTPUT_ENDINGS.some((exit) => new RegExp(`^(\\.\\d+)?${exit.replaceAll(".", "\\.")}$`).test(name.slice(file.length)))
  );
}

function unlessThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}
