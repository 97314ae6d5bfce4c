// Runs the real command and the real service as child processes, for tests.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterAll } from "vitest";
import { setCatalogue } from "../../core/i18n/translate.ts";
import { builtFile } from "../../server/testing/built-files.ts";
import { ADMIN_SECRET, authorize, type Started, startProcess } from "../../server/testing/process.ts";
import { runCommand } from "../command.ts";
import jsonLines from "../console/json-lines.schema.json" with { type: "json" };

export const KEY = `ink_preset.${ADMIN_SECRET}`;
const MAIN = builtFile("intake-batch.js");
const UNBOUNDED = { RATE_PER_SECOND: "100000", RATE_BURST: "100000" };

/** A temporary folder. */
export function makeFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "intake-batch-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }) };
}

/** Give a port to restart a service where it was. */
export async function startService(folder: string, port = "0", env: Record<string, string> = {}): Promise<Started> {
  const service = await startProcess({ PORT: port, DATA_DIR: folder, ADMIN_KEY: KEY, ...UNBOUNDED, ...env });
  if (!service.url) throw new Error(`The service did not start: ${service.output()}`);
  return service;
}

/** A service with this dictionary in a temporary folder, until the tests of the file have ended; `headers` are those of its administrator. */
export async function serveDictionary(dictionary: object) {
  const { path: folder, remove } = makeFolder();
  const place = join(folder, "dictionary.json");
  writeFileSync(place, JSON.stringify(dictionary));
  const service = await startService(join(folder, "store"), "0", { DICTIONARY: place });
  afterAll(() => {
    service.child.kill();
    remove();
  });
  let files = 0;
  const fileOf = (...rows: string[]) => {
    const path = join(folder, `f${++files}.csv`);
    writeFileSync(path, rows.join("\n"));
    return path;
  };
  return { folder, service, headers: await authorize(service.url, "preset", ADMIN_SECRET), fileOf };
}

/** The address of a server that does not speak HTTP. */
export async function startUnreachable(): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => socket.on("error", () => undefined).end("not HTTP\r\n\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

export interface CommandResult {
  code: number | null;
  out: string;
  /** Standard error without its last line end. */
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<CommandResult>;
  /** Resolves with true once standard output contains the text, or with false when the command ends without it. */
  untilOutput(text: string): Promise<boolean>;
}

/** `first`: a shell command to run before. */
export function startBatch(url: string, args: readonly string[], env: Record<string, string> = {}, first = ":"): Running {
  const child = spawn("sh", ["-c", `${first}; exec "$0" "$@"`, process.execPath, MAIN, ...args], {
    env: { PATH: process.env.PATH, INTAKE_URL: url, INTAKE_KEY: KEY, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, stderr] = ["", ""];
  const listeners = new Set<() => void>();
  child.stdout.on("data", (data) => {
    out += data;
    for (const listener of listeners) listener();
  });
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const ended = new Promise<CommandResult>((resolve, reject) =>
    child.once("close", (code) => {
      try {
        if (args.includes("--json")) requireJsonLines(out.slice(0, out.lastIndexOf("\n") + 1)); // what was killed may end within a line
        resolve({ code, out, stderr: stderr.trimEnd() });
      } catch (error) {
        reject(error);
      }
    }),
  );
  const untilOutput = (text: string) =>
    new Promise<boolean>((resolve) => {
      const check = () => out.includes(text) && resolve(true);
      listeners.add(check);
      check();
      ended.then(() => resolve(out.includes(text)));
    });
  return { child, ended, untilOutput };
}

let running = 0; // commands within this process

/** Runs the command within this process, which is faster. Its words are not left to other tests, which share the modules. `now`: its clock. */
export async function batch(
  url: string,
  args: readonly string[],
  env: Record<string, string> = {},
  now?: () => number,
): Promise<CommandResult> {
  running += 1;
  try {
    return await runHere(url, args, env, now);
  } finally {
    running -= 1;
    if (running === 0) setCatalogue();
  }
}

async function runHere(url: string, args: readonly string[], env: Record<string, string>, now?: () => number): Promise<CommandResult> {
  let [out, stderr] = ["", ""];
  const screen = (append: (text: string) => void) => ({ write: append });
  const code = await runCommand(args, {
    env: { INTAKE_URL: url, INTAKE_KEY: KEY, ...env },
    out: screen((text) => {
      out += text;
    }),
    error: screen((text) => {
      stderr += text;
    }),
    signal: new AbortController().signal,
    ...(now && { now }),
  });
  if (args.includes("--json") && args[0] !== "layout") requireJsonLines(out);
  return { code, out, stderr: stderr.trimEnd() };
}

const isJsonLine = new Ajv({ strict: false }).addFormat("date-time", (text) => !Number.isNaN(Date.parse(text))).compile(jsonLines);

/** Whatever a test runs with --json is held to the documented schema. */
function requireJsonLines(out: string): void {
  for (const line of out.split("\n").filter((line) => line !== "")) {
    if (!isJsonLine(JSON.parse(line)))
      throw new Error(`${line} is not as json-lines.schema.json says: ${JSON.stringify(isJsonLine.errors)}`);
  }
}

/** Customers without ids, so that storing one twice makes two records. Their accounts are a0, a1 and so on. */
export function customersCsv(rows: number, name = "a"): string {
  const lines = Array.from({ length: rows }, (_, i) => `Märta,Ångström,${name}${i}\n`);
  return `First name,Last name,Account ID\n${lines.join("")}`;
}
