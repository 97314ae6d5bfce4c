// The real command as a child process, beside the real service as another one: what a scheduler would see. For tests only.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ADMIN_SECRET, type Started, startProcess } from "../../server/testing/process.ts";
import { runCommand } from "../command.ts";

export const KEY = `ink_preset.${ADMIN_SECRET}`;
const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const UNBOUNDED = { RATE_PER_SECOND: "100000", RATE_BURST: "100000" };

/** A folder that is gone with the test. */
export function makeFolder(): { path: string; inbox(): void } {
  const path = mkdtempSync(join(tmpdir(), "intake-batch-"));
  return { path, inbox: () => rmSync(path, { recursive: true, force: true }) };
}

/** On the same port again when one is given, as a service has that was started again. */
export async function startService(folder: string, port = "0", env: Record<string, string> = {}): Promise<Started> {
  const service = await startProcess({ PORT: port, DATA_DIR: folder, ADMIN_KEY: KEY, ...UNBOUNDED, ...env });
  if (!service.url) throw new Error(`The service did not start: ${service.output()}`);
  return service;
}

export interface Heard {
  code: number | null;
  out: string;
  /** What stands on standard error, without its last line end. */
  said: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Heard>;
  /** Resolves with true when it has written this to standard output, and with false when it has ended without. */
  says(text: string): Promise<boolean>;
}

/** `first`: a command of the shell that is done before. */
export function startBatch(url: string, args: readonly string[], env: Record<string, string> = {}, first = ":"): Running {
  const child = spawn("sh", ["-c", `${first}; exec "$0" "$@"`, process.execPath, "--import", "tsx", MAIN, ...args], {
    env: { PATH: process.env.PATH, INTAKE_URL: url, INTAKE_KEY: KEY, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, said] = ["", ""];
  const listeners = new Set<() => void>();
  child.stdout.on("data", (data) => {
    out += data;
    for (const listener of listeners) listener();
  });
  child.stderr.on("data", (data) => {
    said += data;
  });
  const ended = new Promise<Heard>((resolve) => child.once("close", (code) => resolve({ code, out, said: said.trimEnd() })));
  const says = (text: string) =>
    new Promise<boolean>((resolve) => {
      const look = () => out.includes(text) && resolve(true);
      listeners.add(look);
      look();
      ended.then(() => resolve(out.includes(text)));
    });
  return { child, ended, says };
}

/** Runs the command to its end within this process: what it does is the same, and it starts in no time. */
export async function batch(url: string, args: readonly string[], env: Record<string, string> = {}): Promise<Heard> {
  let [out, said] = ["", ""];
  const screen = (hear: (text: string) => void) => ({ write: hear });
  const code = await runCommand(args, {
    env: { INTAKE_URL: url, INTAKE_KEY: KEY, ...env },
    out: screen((text) => {
      out += text;
    }),
    error: screen((text) => {
      said += text;
    }),
    signal: new AbortController().signal,
  });
  return { code, out, said: said.trimEnd() };
}

/** Customers without ids, so that a record that is stored twice is seen: their accounts are a0, a1 and so on. */
export function customersCsv(rows: number, name = "a"): string {
  const lines = Array.from({ length: rows }, (_, i) => `Märta,Ångström,${name}${i}\n`);
  return `First name,Last name,Account ID\n${lines.join("")}`;
}
