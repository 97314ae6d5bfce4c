// Files that say which process works on something, so that no second one does. Those of processes that are gone count for nothing.

import { randomBytes } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

interface Holder {
  pid: number;
  host: string;
  /** When the process began, as the system counts: a number that comes again belongs to another process. */
  began: string;
}

/** Somebody else holds the lock. */
export class Locked extends Error {
  override name = "Locked";
}

const TRIES = 4; // two that come at once both step back, and come again
const STEP_BACK = 200; // ms at most

/**
 * Runs `work` while this process holds the lock. Throws Locked when another one does. Each process puts down a file of its own and
 * only then looks for others: of two at least one sees the other, so there is never a moment in which both are in.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const own = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    for (let tries = 1; ; tries++) {
      await putDown(own);
      const other = await findOther(path, own);
      if (!other) break;
      await rm(own, { force: true });
      if (tries === TRIES) throw new Locked(other);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * STEP_BACK));
    }
    return await work();
  } finally {
    await rm(own, { force: true });
  }
}

/** Whole or not at all, so that nobody reads half of it. */
async function putDown(own: string): Promise<void> {
  const holder: Holder = { pid: process.pid, host: hostname(), began: await beginningOf(process.pid) };
  await writeFile(`${own}.new`, JSON.stringify(holder));
  await rename(`${own}.new`, own);
}

/** Words about another process that lives; files of those that do not are cleared away. */
async function findOther(path: string, own: string): Promise<string | undefined> {
  const start = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(start) || !/^[0-9a-f]{12}$/.test(name.slice(start.length))) continue;
    const file = join(dirname(path), name);
    const text = file === own ? undefined : await readFile(file, "utf8").catch(() => undefined); // let go meanwhile
    if (text === undefined) continue;
    const holder = readHolder(text);
    if (await isAlive(holder)) return heldBy(file, holder);
    await rm(file, { force: true });
  }
  return undefined;
}

function readHolder(text: string): Partial<Holder> {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return {}; // a disk that was full
  }
}

async function isAlive({ pid, host, began }: Partial<Holder>): Promise<boolean> {
  if (pid === undefined) return false;
  if (host !== hostname()) return true; // nobody can tell from here
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return (await beginningOf(pid)) === began;
}

/** Field 22 of /proc/<pid>/stat; where there is no such file, every process has the same beginning. */
async function beginningOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function heldBy(file: string, { pid, host }: Partial<Holder>): string {
  if (host === hostname()) return `process ${pid} works on it.`;
  return `process ${pid} on ${host} works on it. If it no longer runs there, delete ${file}`;
}
