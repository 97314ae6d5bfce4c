// A file that says which process works on something, so that no second one does. A lock whose process is gone is taken over.

import { link, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";

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

/** Runs `work` while this process holds the lock. Throws Locked when another one does. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await take(path);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<void> {
  const own: Holder = { pid: process.pid, host: hostname(), began: await beginningOf(process.pid) };
  for (;;) {
    if (await create(path, JSON.stringify(own))) return;
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text === undefined) continue; // let go meanwhile
    const holder = readHolder(text);
    if (await isAlive(holder)) throw new Locked(heldBy(path, holder));
    await takeAway(path, text);
  }
}

/** Whole or not at all: the lock is written under another name and then linked, so that nobody reads half of one. */
async function create(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

/** Of two that find the same dead lock only one may take it away, and neither the fresh lock of the other. */
async function takeAway(path: string, dead: string): Promise<void> {
  const aside = `${path}.${process.pid}.dead`;
  await rename(path, aside).catch(() => undefined);
  const taken = await readFile(aside, "utf8").catch(() => undefined);
  if (taken !== undefined && taken !== dead) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

function readHolder(text: string): Partial<Holder> {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return {}; // nobody writes half a lock: a disk that was full, or another program's
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

function heldBy(path: string, { pid, host }: Partial<Holder>): string {
  const where = host === hostname() ? "" : ` on ${host}`;
  const unless = host === hostname() ? "" : ` If it no longer runs there, delete ${path}.`;
  return `process ${pid}${where} works on it.${unless}`;
}
