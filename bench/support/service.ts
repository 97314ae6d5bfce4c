// The service as a child process on an empty store, on a free port of 127.0.0.1.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ADMIN_KEY = "ink_bench.for-measuring-only-Hd7sWq2Jx9Lr4TbYm6Kv1Zp8Nc3Gf5Ue";
const START_LIMIT = 30_000; // ms
const STOP_LIMIT = 5_000; // ms

export interface Service {
  /** "http://127.0.0.1:40123" */
  origin: string;
  pid: number;
  /** Is the path of its SQLite file. */
  folder: string;
  /** A fresh access token. */
  signIn(): Promise<string>;
  /** Ends the process and deletes its store. */
  stop(): Promise<void>;
}

/**
 * Resolves when the service is ready. `env` adds to its settings; with DATABASE_URL its store is that one and stays.
 * `checkout` is the folder of another version, built unless it is so old that it runs from its sources.
 * Throws with the output of the service when it is not ready within 30 s.
 */
export async function startService(env: Readonly<Record<string, string>> = {}, checkout = "."): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "intake-bench-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const own = { PORT: "0", HOST: "127.0.0.1", DATA_DIR: folder, ADMIN_KEY, LOG: "error", ...env };
    const isBuilt = existsSync(join(checkout, "dist/node/intake.js"));
    const program = isBuilt ? ["dist/node/intake.js", "start"] : ["--import", "tsx", "server/main.ts"];
    const { origin, pid, stop } = await startProcess(program, own, checkout);
    return { origin, pid, folder, stop: () => stop().then(removeFolder), signIn: () => exchange(origin) };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

export interface Running {
  origin: string;
  pid: number;
  stop(): Promise<void>;
}

/** A program of ours that says "… ready at http://…" when it can be called. */
export async function startProcess(program: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = "."): Promise<Running> {
  const child = spawn(process.execPath, program, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  try {
    return { origin: await readOrigin(child), pid: child.pid as number, stop: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

function readOrigin(child: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`The service did not start in time. Its output: ${output}`)), START_LIMIT);
    const hear = (data: Buffer) => {
      output += data;
      const origin = /ready at (http:\S+)/.exec(output)?.[1];
      if (!origin) return;
      clearTimeout(limit);
      resolve(origin);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", () => {
      clearTimeout(limit);
      reject(new Error(`The service ended. Its output: ${output}`));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const limit = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT);
  await ended;
  clearTimeout(limit);
}

async function exchange(origin: string): Promise<string> {
  const [id = "", secret = ""] = ADMIN_KEY.replace("ink_", "").split(".");
  const reply = await fetch(`${origin}/v1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret }),
  });
  if (!reply.ok) throw new Error(`The service gave no token: ${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { access_token: string }).access_token;
}
