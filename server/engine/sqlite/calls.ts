// Calls from the main thread to a thread that holds SQLite connections, and back: arguments, results and errors.

import type { MessagePort, Worker } from "node:worker_threads";
import { StoreFull, StoreOpenError, StoreOutdated, StoreTooCostly, StoreUnavailable } from "../store.ts";

/** The functions that a thread offers. Arguments and results are copied (structured clone), so they are plain data. */
// biome-ignore lint/suspicious/noExplicitAny: each caller names its own arguments and results
export type Calls = Record<string, (...args: any[]) => unknown>;

interface CallMessage {
  id: number;
  name: string;
  args: unknown[];
}

interface ResultMessage {
  id: number;
  result?: unknown;
  error?: PackedError;
}

/** Neither a class nor a property such as `code` crosses between threads with an error. */
interface PackedError {
  /** The class, if it is one of STORE_ERRORS; otherwise it is a bug, or an error of SQLite's. */
  kind: keyof typeof STORE_ERRORS | undefined;
  message: string;
  stack: string | undefined;
  code: string | undefined;
  cause: PackedError | undefined;
}

const STORE_ERRORS = { StoreFull, StoreOutdated, StoreUnavailable, StoreOpenError, StoreTooCostly } as const;

/** Answers calls that arrive at the port, each with one of `calls`. */
export function serveCalls(port: MessagePort, calls: Calls): void {
  port.on("message", async ({ id, name, args }: CallMessage) => {
    try {
      const run = calls[name];
      if (!run) throw new Error(`the thread has no call ${name}`);
      const result = await run(...args);
      port.postMessage({ id, result } satisfies ResultMessage);
    } catch (error) {
      port.postMessage({ id, error: packError(error) } satisfies ResultMessage);
    }
  });
}

/** One thread, to which any number of calls may be under way. They begin in order. */
export interface Thread<Offered extends Calls> {
  call<Name extends keyof Offered & string>(name: Name, ...args: Parameters<Offered[Name]>): Promise<Awaited<ReturnType<Offered[Name]>>>;
}

/**
 * Calls what `worker` offers. The worker keeps the process alive only while a call is under way. If it ends by itself, which
 * is a bug, the process ends, too: what it has not acknowledged is not on disk, and a supervisor starts it anew.
 */
export function callThread<Offered extends Calls>(worker: Worker): Thread<Offered> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let last = 0;
  worker.unref();
  worker.on("message", ({ id, result, error }: ResultMessage) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    if (error) call?.reject(unpackError(error));
    else call?.resolve(result);
  });
  return {
    call(name, ...args) {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        worker.postMessage({ id, name, args } satisfies CallMessage); // throws for what cannot be copied
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
        if (waiting.size === 1) worker.ref();
      });
    },
  };
}

function packError(error: unknown): PackedError {
  const { message, stack, code, cause } = error as Error & { code?: unknown };
  const kinds = Object.keys(STORE_ERRORS) as (keyof typeof STORE_ERRORS)[];
  return {
    kind: kinds.find((name) => STORE_ERRORS[name] === (error as Error).constructor),
    message,
    stack,
    code: typeof code === "string" ? code : undefined,
    cause: cause instanceof Error ? packError(cause) : undefined,
  };
}

function unpackError({ kind, message, stack, code, cause }: PackedError): Error {
  const error = new (kind ? STORE_ERRORS[kind] : Error)(message, cause && { cause: unpackError(cause) });
  return Object.assign(error, { stack: stack ?? "" }, code !== undefined && { code });
}
