// Files that say which process works on something, so that no second one does. Those of processes that are gone count for nothing.

import { randomBytes } from "node:crypto";
import { readdir, readFile, readlink, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

interface Holder {
  pid: number;
  host: string;
  /** When the process began, as the system counts: a number that comes again belongs to another process. */
  began: string;
  /** The machine, which may share its host's name with others, and since when it runs. */
  machine: string;
  boot: string;
  /** The namespace in which the number holds: containers have their own, and may share a host's name. */
  space: string;
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
  const holder: Holder = { pid: process.pid, began: await beginningOf(process.pid), ...(await here()) };
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
    const state = await holderState(holder);
    if (state !== "gone") return heldBy(file, holder, state);
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

type HolderState = "gone" | "lives" | "unknown";

/** Numbers of processes can be compared only where they were given. Throws nothing. */
async function holderState(holder: Partial<Holder>): Promise<HolderState> {
  const { pid, host, began, machine, boot, space } = holder;
  if (pid === undefined) return "gone";
  const own = await here();
  if (host !== own.host || machine !== own.machine || space !== own.space) return "unknown";
  if (boot !== own.boot) return machine !== "" && space === MACHINES_OWN ? "gone" : "unknown"; // a machine that has started anew has none of its processes
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "gone";
  }
  return (await beginningOf(pid)) === began ? "lives" : "gone";
}

const MACHINES_OWN = "pid:[4026531836]"; // Linux, PROC_PID_INIT_INO: the namespace that is no container's

/** Empty where the system has no such file: then it has no such namespaces either. */
async function here(): Promise<Omit<Holder, "pid" | "began">> {
  const read = (path: string) => readFile(path, "utf8").then((text) => text.trim(), nothing);
  const [machine, boot] = await Promise.all(["/etc/machine-id", "/proc/sys/kernel/random/boot_id"].map(read));
  return { host: hostname(), machine: machine ?? "", boot: boot ?? "", space: await readlink("/proc/self/ns/pid").catch(nothing) };
}

function nothing(): string {
  return "";
}

/** Field 22 of /proc/<pid>/stat; where there is no such file, every process has the same beginning. */
async function beginningOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function heldBy(file: string, { pid, host }: Partial<Holder>, state: HolderState): string {
  if (state === "lives") return `process ${pid} works on it.`;
  const where = host === hostname() ? `in another container or on another machine named ${host}` : `on ${host}`;
  return `process ${pid} ${where} works on it. If it no longer runs there, delete ${file}`;
}
