// Starts the real service process and its commands, and kills them after the test.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { builtFile } from "./built-files.ts";

export const ADMIN_SECRET = "fR7kQm2wZx9Tc4Vb6Np1Hs8Jd3Lg5Yu0Ae_Oi-CqXtW";

export interface Started {
  child: ChildProcess;
  /** Empty when the process has ended instead of starting. */
  url: string;
  output(): string;
  ended: Promise<number | null>;
}

const INTAKE = builtFile("intake.js");
const running = new Set<ChildProcess>();

/** Starts the service on a free port. Resolves when it is ready or has ended. */
export function startProcess(env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, [INTAKE, "start"], {
    env: { PATH: process.env.PATH, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  ended.then(() => running.delete(child));
  return new Promise((resolve) => {
    const onData = (data: Buffer) => {
      output += data;
      const url = /Intake is ready at (http:\/\/\S+)/.exec(output)?.[1];
      if (url) resolve({ child, url, output: () => output, ended });
    };
    child.stdout?.on("data", onData);
    child.stderr?.on("data", onData);
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
    const child = execFile(process.execPath, [INTAKE, name, ...args], { env: { PATH: process.env.PATH, ...env } }, (_, out, error) =>
      resolve({ out, error, code: child.exitCode ?? -1 }),
    );
  });
}

export function killProcesses(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** The headers of a client that has exchanged this key for a token. */
export async function authorize(url: string, id: string, secret: string): Promise<Record<string, string>> {
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
  const reply = await fetch(`${url}/v1/oauth/token`, { method: "POST", body });
  const { access_token } = (await reply.json()) as { access_token: string };
  return { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
}

export interface Stored {
  objectId: number;
  firstName: string | null;
  accountID: string;
  version: number;
}

/** All customers, or those that meet the filter, in the order of their ids. */
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
