// The real process, as `npm start` runs it: started with an environment, heard, and ended with the test. For tests only.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ADMIN_SECRET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

export interface Started {
  child: ChildProcess;
  /** Empty when it has ended instead. */
  url: string;
  output(): string;
  ended: Promise<number | null>;
}

const INTAKE = fileURLToPath(new URL("../cli/intake.ts", import.meta.url));
const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const running = new Set<ChildProcess>();

/** Resolves when the service is ready or has ended. */
export function startProcess(env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, ["--import", "tsx", MAIN], {
    env: { PATH: process.env.PATH, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  ended.then(() => running.delete(child));
  return new Promise((resolve) => {
    const hear = (data: Buffer) => {
      output += data;
      const url = /Intake is ready at (http:\/\/\S+)/.exec(output)?.[1];
      if (url) resolve({ child, url, output: () => output, ended });
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    ended.then(() => resolve({ child, url: "", output: () => output, ended }));
  });
}

/** Runs a command of `intake`, such as "keys", to its end. */
export function runCommand(
  name: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ out: string; error: string; code: number }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--import", "tsx", INTAKE, name, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (_, out, error) => resolve({ out, error, code: child.exitCode ?? -1 }),
    );
  });
}

export function killProcesses(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Headers of a client that exchanged this key. */
export async function authorize(url: string, id: string, secret: string): Promise<Record<string, string>> {
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
  const reply = await fetch(`${url}/v1/oauth/token`, { method: "POST", body });
  const { access_token } = (await reply.json()) as { access_token: string };
  return { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
}

export interface Stored {
  objectId: number;
  accountID: string;
}

/** All customers, or those that a filter lets through, in the order of their ids. */
export async function readAll(url: string, headers: Record<string, string>, filter = ""): Promise<Stored[]> {
  const all: Stored[] = [];
  for (let query = `limit=1000${filter}`; query; ) {
    const reply = await fetch(`${url}/v1/customers?${query}`, { headers });
    const page = (await reply.json()) as { customers: Stored[]; next?: string };
    all.push(...page.customers);
    query = page.next ? `limit=1000${filter}&cursor=${page.next}` : "";
  }
  return all;
}
