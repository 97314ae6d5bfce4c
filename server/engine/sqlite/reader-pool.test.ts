// Tests whose turn it is to read: owners share the threads fairly.

import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import type { ReaderThread } from "./reader.ts";
import { createReaderPool } from "./reader-pool.ts";

/** A pool whose reads last until the test ends them, on a clock that the test moves. */
function createPool(size = 3) {
  let now = 0;
  let started = 0;
  const running = new Map<string, () => void>();
  const called: string[] = [];
  const start = async () => {
    started += 1;
    return { call: async (name: string) => void called.push(name) } as unknown as ReaderThread;
  };
  const pool = createReaderPool(size, start, () => now);
  const begin = (owner: string, name: string, signal?: AbortSignal, mayBeLong?: boolean) => {
    const read = () => new Promise<string>((resolve) => running.set(name, () => resolve(name)));
    return pool.run({ owner, ...(signal && { signal }), ...(mayBeLong && { mayBeLong }) }, read);
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** Ends a read after so many ms. */
  const end = async (name: string, ms: number) => {
    await turn();
    now += ms;
    running.get(name)?.();
    running.delete(name);
    await turn();
  };
  /** Returns what runs, once the threads that are needed have started. */
  const readRunning = async () => {
    await turn();
    return [...running.keys()].sort();
  };
  return { begin, end, called, running: readRunning, wait: (ms: number) => (now += ms), started: () => started };
}

test("one owner never holds all threads, so a colleague's read begins at once", async () => {
  const { begin, running } = createPool(3);
  for (const name of ["a1", "a2", "a3", "a4"]) begin("a", name);
  expect(await running()).toEqual(["a1", "a2"]);
  begin("b", "b1");
  expect(await running()).toEqual(["a1", "a2", "b1"]);
});

test("an owner whose reads are costly has one at a time", async () => {
  const { begin, end, running } = createPool(3);
  begin("a", "a1");
  await end("a1", 1_000);
  for (const name of ["a2", "a3"]) begin("a", name);
  expect(await running()).toEqual(["a2"]);
  await end("a2", 1_000);
  expect(await running()).toEqual(["a3"]);
});

test("owners of costly reads leave a thread free, together", async () => {
  const { begin, end, running } = createPool(3);
  for (const owner of ["a", "b", "c"]) {
    begin(owner, `${owner}0`);
    await end(`${owner}0`, 1_000);
  }
  for (const owner of ["a", "b", "c"]) begin(owner, `${owner}1`);
  expect(await running()).toHaveLength(2);
  begin("d", "d1");
  expect(await running()).toHaveLength(3);
  expect(await running()).toContain("d1");
});

test("those who are new and begin with what may be long leave a thread free, together", async () => {
  const { begin, end, running } = createPool(3);
  for (const owner of ["a", "b", "c"]) begin(owner, `${owner}1`, undefined, true);
  expect(await running()).toHaveLength(2);
  begin("d", "d1");
  expect(await running()).toContain("d1");
  await end("d1", 10);
  begin("d", "d2", undefined, true); // whose reads are short, as is known by now
  expect(await running()).toContain("d2");
});

test("who reads many short pages finds a thread at once, beside owners of costly reads", async () => {
  const { begin, end, running } = createPool(3);
  for (const owner of ["a", "b"]) {
    begin(owner, `${owner}0`);
    await end(`${owner}0`, 1_000);
  }
  for (let i = 0; i < 50; i++) {
    begin("pages", `page${i}`);
    await end(`page${i}`, 24);
  }
  for (const name of ["a1", "b1"]) begin(name.charAt(0), name);
  begin("pages", "next");
  expect(await running()).toEqual(["a1", "b1", "next"]);
});

test("of those who wait, the one who has read least is next", async () => {
  const { begin, end, running } = createPool(2);
  begin("much", "m0");
  await end("m0", 200);
  begin("little", "l0");
  await end("l0", 10);
  for (const name of ["x1", "y1"]) begin(name, name);
  begin("much", "m1");
  begin("little", "l1");
  await end("x1", 0);
  expect(await running()).toEqual(["l1", "y1"]);
});

test("what was read long ago does not count", async () => {
  const { begin, end, running, wait } = createPool(3);
  begin("a", "a0");
  await end("a0", 1_000);
  wait(120_000);
  for (const name of ["a1", "a2"]) begin("a", name);
  expect(await running()).toEqual(["a1", "a2"]);
});

test("a read that waits for a thread to start takes one that becomes free earlier", async () => {
  const starting: ((reader: ReaderThread) => void)[] = [];
  const pool = createReaderPool(2, () => new Promise((resolve) => starting.push(resolve)));
  const [first, second] = [{}, {}] as ReaderThread[];
  const readers: ReaderThread[] = [];
  const reads = ["a", "b"].map((owner) => pool.run({ owner }, async (reader) => void readers.push(reader)));
  expect(starting).toHaveLength(2);
  starting[0]?.(first as ReaderThread);
  await Promise.all(reads);
  expect(readers).toEqual([first, first]);
  starting[1]?.(second as ReaderThread);
});

test("threads are started when they are needed", () => {
  const { begin, started } = createPool(3);
  begin("a", "a1");
  expect(started()).toBe(1);
});

test("a read that fails gives its thread back", async () => {
  const pool = createReaderPool(2, async () => ({}) as ReaderThread);
  await expect(pool.run({ owner: "a" }, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  expect(await pool.run({ owner: "a" }, () => Promise.resolve("read"))).toBe("read");
});

test("a read that nobody wants any more leaves the queue", async () => {
  const { begin, end, running, called } = createPool(2);
  begin("a", "a1");
  const stop = new AbortController();
  const unwanted = begin("a", "a2", stop.signal);
  begin("a", "a3");
  stop.abort(new Error("gone"));
  await expect(unwanted).rejects.toThrow("gone");
  await expect(begin("a", "a4", stop.signal)).rejects.toThrow("gone");
  await end("a1", 10);
  expect(await running()).toEqual(["a3"]);
  expect(called).toEqual([]);
});

test("a running read that nobody wants any more is interrupted, and its thread is free when it has ended", async () => {
  const { begin, end, running, called } = createPool(2);
  const stop = new AbortController();
  const unwanted = begin("a", "a1", stop.signal);
  begin("a", "a2");
  expect(await running()).toEqual(["a1"]);
  stop.abort(new Error("gone"));
  await expect(unwanted).rejects.toThrow("gone");
  expect([called, await running()]).toEqual([["interrupt"], ["a1"]]);
  await end("a1", 10);
  expect(await running()).toEqual(["a2"]);
});

test("many reads with one signal leave nothing at it, and no read that has ended is interrupted", async () => {
  const { begin, end, called } = createPool(2);
  const stop = new AbortController();
  for (const name of ["page1", "page2", "page3"]) {
    const page = begin("a", name, stop.signal);
    await end(name, 10);
    expect(await page).toBe(name);
  }
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  stop.abort();
  expect(called).toEqual([]);
});
