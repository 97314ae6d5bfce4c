// Runs a command line of the operator by the shell. Data reaches it by its environment alone.

import { spawn } from "node:child_process";

const LAST_WORDS = 1_000; // characters of its output
const AFTER_STOP = 10_000; // ms that it has once this program is asked to stop
const AFTER_EXIT = 1_000; // ms for output that is still on its way; what it left running in the background may hold it open for ever

export interface ShellJob {
  env?: Readonly<Record<string, string>>;
  /** Descriptors that it reads from and writes to. Without them it reads nothing, and its output is only said when it fails. */
  stdin?: number;
  stdout?: number;
  /** Milliseconds after which it is ended. */
  within?: number;
  /** Aborted when this program is asked to stop. */
  signal: AbortSignal;
}

/** Resolves with undefined when the command ended with 0, else with how it ended and its last words. Never throws for what it does. */
export function runShell(line: string, { env, stdin, stdout, within, signal }: ShellJob): Promise<string | undefined> {
  const child = spawn(line, {
    shell: true,
    detached: process.platform !== "win32", // a group of its own, so that all of it can be ended
    env: { ...process.env, ...env },
    stdio: [stdin ?? "ignore", stdout ?? "pipe", "pipe"],
  });
  let [words, why] = ["", ""];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data) => {
      words = (words + data).slice(-LAST_WORDS);
    });
  const timers: NodeJS.Timeout[] = [];
  const endAfter = (ms: number, reason: string) => {
    const end = () => {
      why = reason;
      if (child.pid === undefined || process.platform === "win32") child.kill("SIGKILL");
      else process.kill(-child.pid, "SIGKILL"); // it has not ended, or the timer would be cleared
    };
    timers.push(setTimeout(end, ms));
  };
  if (within !== undefined) endAfter(within, `did not end within ${within / 1000} seconds`);
  const stop = () => endAfter(AFTER_STOP, "was ended, because the command was asked to stop");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return new Promise((resolve) => {
    const done = (how: string | undefined) => {
      signal.removeEventListener("abort", stop);
      for (const timer of timers) clearTimeout(timer);
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      const last = words.trim().replace(/\s*\n\s*/g, " ");
      resolve(how === undefined ? undefined : `${why || how}${last ? `: ${last}` : ""}`);
    };
    const howOf = (code: number | null, by: string | null) =>
      code === 0 ? undefined : `ended with ${code === null ? by : `code ${code}`}`;
    child.once("error", (error) => done(`cannot be started (${error.message})`));
    child.once("close", (code, by) => done(howOf(code, by)));
    child.once("exit", (code, by) => {
      for (const timer of timers.splice(0)) clearTimeout(timer);
      timers.push(setTimeout(() => done(howOf(code, by)), AFTER_EXIT));
    });
  });
}
