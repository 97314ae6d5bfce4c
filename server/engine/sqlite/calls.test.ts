// Calls between threads, over a real message port: results, errors and what cannot be copied.

import { MessageChannel, type Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { StoreFull, StoreTooCostly, StoreUnavailable } from "../store.ts";
import { type Calls, callThread, serveCalls } from "./calls.ts";

let close = () => {};
afterEach(() => close());

/** A port takes the place of the worker: it passes messages in the same way. */
function connect<Offered extends Calls>(offered: Offered) {
  const { port1, port2 } = new MessageChannel();
  serveCalls(port1, offered);
  close = () => port1.close();
  return callThread<Offered>(port2 as unknown as Worker);
}

test("a call that the thread does not have is an error", async () => {
  const thread = connect({ double: (n: number) => 2 * n }) as ReturnType<typeof connect<{ [name: string]: (n: number) => number }>>;
  await expect(thread.call("triple", 1)).rejects.toThrow("the thread has no call triple");
});

test("calls answer in order, each with its own result", async () => {
  const thread = connect({ double: (n: number) => 2 * n, later: async (n: number) => n });
  expect(await Promise.all([thread.call("double", 1), thread.call("later", 5), thread.call("double", 2)])).toEqual([2, 5, 4]);
});

test.each([
  [
    "the disk is full",
    new StoreFull("the disk is full", { cause: Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" }) }),
  ],
  ["a read took too long", new StoreTooCostly("the read was interrupted")],
  ["the store cannot be used", new StoreUnavailable("the store could not write")],
])("an error of the store keeps its class and its cause: %s", async (_, error) => {
  const thread = connect({
    fail: () => {
      throw error;
    },
  });
  const caught = await thread.call("fail").catch((one: unknown) => one as Error);
  expect([(caught as Error).constructor, (caught as Error).message]).toEqual([error.constructor, error.message]);
  expect(((caught as Error).cause as { code?: string } | undefined)?.code).toBe((error.cause as { code?: string } | undefined)?.code);
});

test("an error of SQLite keeps its code, and a bug its stack", async () => {
  const bug = Object.assign(new Error("no such table"), { code: "SQLITE_ERROR" });
  const thread = connect({
    fail: () => {
      throw bug;
    },
  });
  await expect(thread.call("fail")).rejects.toMatchObject({ message: "no such table", code: "SQLITE_ERROR", stack: bug.stack });
});

test("what cannot be copied is an error for its caller, and other calls go on", async () => {
  const thread = connect({ echo: (value: unknown) => value, make: () => () => 1 });
  await expect(thread.call("echo", () => 1)).rejects.toThrow("could not be cloned");
  await expect(thread.call("make")).rejects.toThrow("could not be cloned");
  expect(await thread.call("echo", "fine")).toBe("fine");
});
