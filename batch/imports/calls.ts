// Calls from the thread of an import to the service, which answers each.

import type { MessagePort } from "node:worker_threads";
import type { ImportCalls } from "../../core/contract/imports.ts";

interface Answer {
  id: number;
  result?: unknown;
  error?: { message: string };
}

/** `onCancel` is called when somebody has asked the import to end. */
export function createCalls(port: MessagePort, onCancel: () => void): ImportCalls {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let last = 0;
  port.on("message", (message: Answer | { cancel: true }) => {
    if ("cancel" in message) return onCancel();
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) call?.reject(new Error(message.error.message));
    else call?.resolve(message.result);
  });
  const call = (name: keyof ImportCalls, ...args: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      port.postMessage({ id: last, name, args });
    });
  return {
    begin: async (begun) => void (await call("begin", begun)),
    fromRow: (row) => call("fromRow", row) as Promise<string | undefined>,
    keepBatch: async (first, entry) => void (await call("keepBatch", first, entry)),
    progress: async (progress) => void (await call("progress", progress)),
    end: async (end) => void (await call("end", end)),
  };
}
