// Locks work with files that name a process. A lock whose process has ended does not count.

import { randomBytes } from "node:crypto";
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { readOwnFile } from "./own-files.ts";

interface Holder {
  pid: number;
  host: string;
  /** Says when the process started, as the system counts. It tells apart two processes with the same number. */
  began: string;
  /** The id of the machine, because host names are not unique, and the id of its boot. */
  machine: string;
  boot: string;
  /** The namespace of process numbers: each container has its own. */
  space: string;
}

/** Another process has the lock. */
export class Locked extends Error {
  override name = "Locked";
  /** It runs. Otherwise it may have ended on another machine, and somebody has to look. */
  readonly isAlive: boolean;

  constructor({ text, isAlive }: Other) {
    super(text);
    this.isAlive = isAlive;
  }
}

interface Other {
  text: string;
  isAlive: boolean;
}

const TRIES = 4; // two processes that start together both step back and try again
const STEP_BACK = 200; // ms at most

/**
 * Runs `work` while this process has the lock. Throws Locked when another process has it. Each process first writes a file of its own and
 * then searches for others. Of two processes at least one finds the other, so that both never have the lock at once.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const own = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    for (let tries = 1; ; tries++) {
      await writeLock(own);
      const other = await findOther(path, own);
      if (!other) break;
      rmSync(own, { force: true });
      if (tries === TRIES) throw new Locked(other);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * STEP_BACK));
    }
    return await work();
  } finally {
    rmSync(own, { force: true });
  }
}

let own: Promise<string> | undefined; // when this process started
let here: ReturnType<typeof readThisProcess> | undefined; // both stay as they are as long as it runs

/** Writes the file under another name and renames it, so that nobody reads an incomplete file. */
async function writeLock(path: string): Promise<void> {
  own ??= startTimeOf(process.pid);
  const holder: Holder = { pid: process.pid, began: await own, ...(await thisProcess()) };
  try {
    writeFileSync(`${path}.new`, JSON.stringify(holder), { flag: "wx" });
    renameSync(`${path}.new`, path);
  } catch (error) {
    rmSync(`${path}.new`, { force: true }); // on a full disk it takes room until somebody finds it
    throw error;
  }
}

/** Describes another process that may be alive. Deletes the files of processes that have ended. */
async function findOther(path: string, own: string): Promise<Other | undefined> {
  const start = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(start) || !/^[0-9a-f]{12}$/.test(name.slice(start.length))) continue;
    const file = join(dirname(path), name);
    const text = file === own ? undefined : await readOwnFile(file).catch(unlessGone);
    if (text === undefined) continue;
    const holder = readHolder(text);
    const state = await holderState(holder);
    if (state !== "gone") return { text: heldBy(file, holder, state), isAlive: state === "lives" };
    rmSync(file, { force: true });
  }
  return undefined;
}

/**
 * Returns undefined for what was deleted in the meantime, or is a link of somebody else. A lock that cannot be read for another reason may
 * be held: the error is thrown.
 */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ELOOP") throw error;
}

function readHolder(text: string): Partial<Holder> {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return {}; // the disk was full when it was written
  }
}

type HolderState = "gone" | "lives" | "unknown";

/** Process numbers can be compared only within one machine and namespace. Never throws. */
async function holderState(holder: Partial<Holder>): Promise<HolderState> {
  const { pid, host, began, machine, boot, space } = holder;
  if (pid === undefined) return "gone";
  const own = await thisProcess();
  if (host !== own.host || machine !== own.machine || space !== own.space) return "unknown";
  if (boot !== own.boot) return machine !== "" && space === MACHINES_OWN ? "gone" : "unknown"; // no process survives a restart of its machine
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "gone";
    // Any other error, such as EPERM, is that of a process which lives and is somebody else's: its start time tells.
  }
  return (await startTimeOf(pid)) === began ? "lives" : "gone";
}

const MACHINES_OWN = "pid:[4026531836]"; // Linux, PROC_PID_INIT_INO: the namespace outside containers

/** Texts are empty on systems without these files, which have no such namespaces either. */
function thisProcess(): Promise<Omit<Holder, "pid" | "began">> {
  here ??= readThisProcess();
  return here;
}

async function readThisProcess(): Promise<Omit<Holder, "pid" | "began">> {
  const read = (path: string) => readFile(path, "utf8").then((text) => text.trim(), nothing);
  const [machine, boot] = await Promise.all(["/etc/machine-id", "/proc/sys/kernel/random/boot_id"].map(read));
  return { host: hostname(), machine: machine ?? "", boot: boot ?? "", space: await readlink("/proc/self/ns/pid").catch(nothing) };
}

/** Stands in place of a file that other systems do not have. An empty text never says that a process is gone. */
function nothing(): string {
  return "";
}

/** Reads field 22 of /proc/<pid>/stat; "" on systems without it. */
async function startTimeOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function heldBy(file: string, { pid, host }: Partial<Holder>, state: HolderState): string {
  if (state === "lives") return `process ${pid} works on it.`;
  const where = host === hostname() ? `in another container or on another machine named ${host}` : `on ${host}`;
  return `process ${pid} ${where} works on it. If it no longer runs there, delete ${file}`;
}
