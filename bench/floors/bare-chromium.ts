// Chromium without Playwright, because Playwright's log of responses would count as the tab's memory.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { findChromium } from "../../e2e/support/browser.ts";

const LIMIT = 180_000; // ms for any one wait
const POLL_EVERY = 200; // ms

export interface BareTab {
  goTo(url: string): Promise<void>;
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until the expression is truthy. */
  until(expression: string): Promise<void>;
  chooseFile(selector: string, path: string): Promise<void>;
  /** Resident memory (VmRSS, garbage included) of the tab's process in MB. Reads /proc: 0 on other systems than Linux. */
  megabytes(): number;
  close(): Promise<void>;
}

type Send = <T>(method: string, params?: object, sessionId?: string) => Promise<T>;

export async function openBareTab(): Promise<BareTab> {
  const { executablePath, args } = findChromium();
  const profile = await mkdtemp(join(tmpdir(), "intake-bench-profile-"));
  const own = ["--headless=new", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"];
  const child = spawn(executablePath, [...args, ...own], { detached: true, stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  // The whole group: Debian starts Chromium by a script, and a signal would end the script alone.
  const kill = () => process.kill(-(child.pid as number), "SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const send = connect(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const { targetId } = await send<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send<{ sessionId: string }>("Target.attachToTarget", { targetId, flatten: true });
  const toPage: Send = (method, params) => send(method, params, sessionId);
  const pids = new Set<number>();
  return {
    ...createPage(toPage),
    async goTo(url) {
      await toPage("Page.navigate", { url });
      const { processInfo } = await send<{ processInfo: { type: string; id: number }[] }>("SystemInfo.getProcessInfo");
      for (const { type, id } of processInfo) if (type === "renderer") pids.add(id);
    },
    megabytes: () => Math.max(0, ...[...pids].map(residentMegabytes)),
    async close() {
      const ended = once(child, "close"); // of its children, too, which write into the profile
      kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function createPage(send: Send): Pick<BareTab, "evaluate" | "until" | "chooseFile"> {
  async function evaluate<T>(expression: string): Promise<T> {
    const reply = await send<{ result: { value: T } }>("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    return reply.result.value;
  }
  return {
    evaluate,
    async until(expression) {
      const end = Date.now() + LIMIT;
      while (!(await evaluate<boolean>(`Boolean(${expression})`))) {
        if (Date.now() > end) throw new Error(`This did not come true: ${expression}`);
        await new Promise((resolve) => setTimeout(resolve, POLL_EVERY));
      }
    },
    async chooseFile(selector, path) {
      const { root } = await send<{ root: { nodeId: number } }>("DOM.getDocument");
      const { nodeId } = await send<{ nodeId: number }>("DOM.querySelector", { nodeId: root.nodeId, selector });
      await send("DOM.setFileInputFiles", { nodeId, files: [path] });
    },
  };
}

/** The DevTools protocol over pipes: JSON texts, each with a NUL after it. */
function connect(out: Writable, into: Readable): Send {
  const waiting = new Map<number, (reply: { result?: unknown; error?: { message: string } }) => void>();
  let [next, rest] = [0, ""];
  into.setEncoding("utf8").on("data", (text: string) => {
    const messages = (rest + text).split("\0");
    rest = messages.pop() ?? "";
    for (const message of messages) {
      const reply = JSON.parse(message) as { id?: number; result?: unknown; error?: { message: string } };
      if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
    }
  });
  return <T>(method: string, params = {}, sessionId?: string) =>
    new Promise<T>((resolve, reject) => {
      const id = ++next;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result as T);
      });
      out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
}

export function residentMegabytes(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}
