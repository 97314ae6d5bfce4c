// Which thread reads what, and in whose turn. A costly read delays only other reads of its owner.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { NEAR_BUDGET, type NearQuery } from "../near-search.ts";
import type { CountedSelection, Page, ReadOptions } from "../store.ts";
import type { ReaderThread } from "./reader.ts";

const HEAVY = 250; // ms; a read that long makes its owner wait for a turn
const HALF_LIFE = 10_000; // ms in which half of what is remembered of an owner is forgotten
const MOST_OWNERS = 10_000; // remembered; to forget one gives it a turn too early

export interface ReaderPool {
  /** Runs `read` on a thread as soon as it is this owner's turn. Rejects with the reason of `signal` as soon as it is aborted. */
  run<T>(options: TurnOptions, read: (reader: ReaderThread) => Promise<T>): Promise<T>;
}

interface TurnOptions extends ReadOptions {
  /** It looks as if it could be costly. */
  mayBeLong?: boolean;
}

interface Job {
  owner: string;
  mayBeLong: boolean;
  run(reader: ReaderThread): Promise<void>;
}

/**
 * `size` threads, at least two, started when they are needed. An owner holds all but one at most; one whose reads
 * were long lately, or who is new and begins with one that may be long, holds a single one, and all of those together leave one free. So a
 * colleague's read finds a thread at once, however many short ones were before it. Among those who wait, the one who has read least in all
 * is next.
 */
export function createReaderPool(
  size: number,
  start: () => Promise<ReaderThread>,
  clock: () => number = () => performance.now(),
): ReaderPool {
  let [started, starting] = [0, 0];
  const idle: ReaderThread[] = [];
  const waiting: Job[] = [];
  const running = new Set<Job>();
  const usage = createUsage(clock);
  const isHeavy = ({ owner, mayBeLong }: Job) => usage.longest(owner) > HEAVY || (mayBeLong && !usage.isKnown(owner));

  function mayRun(job: Job): boolean {
    const own = [...running].filter(({ owner }) => owner === job.owner).length;
    if (!isHeavy(job)) return own < size - 1;
    return own === 0 && [...running].filter(isHeavy).length < size - 1;
  }

  function next(): Job | undefined {
    let best: Job | undefined;
    for (const job of waiting) if (mayRun(job) && (!best || usage.sum(job.owner) < usage.sum(best.owner))) best = job;
    return best;
  }

  function pump(): void {
    for (let job = next(); job; job = next()) {
      const reader = idle.pop();
      if (!reader) {
        startOne();
        return;
      }
      waiting.splice(waiting.indexOf(job), 1);
      void runJob(job, reader);
    }
  }

  /** While it starts, which takes longer than most reads, another thread may become free for the same job. */
  function startOne(): void {
    if (started >= size || starting >= waiting.length) return;
    started += 1;
    starting += 1;
    void start().then((reader) => {
      starting -= 1;
      idle.push(reader);
      pump();
    });
  }

  async function runJob(job: Job, reader: ReaderThread): Promise<void> {
    const { owner } = job;
    const began = clock();
    running.add(job);
    await job.run(reader);
    running.delete(job);
    usage.add(owner, clock() - began);
    idle.push(reader);
    pump();
  }

  const leave = (job: Job) => void waiting.splice(waiting.indexOf(job), 1);
  return {
    run(options, read) {
      return new Promise((resolve, reject) => {
        if (options.signal?.aborted) return reject(options.signal.reason);
        waiting.push(toJob(options, (reader) => read(reader).then(resolve, reject), { leave, reject }));
        pump();
      });
    },
  };
}

interface OnAbort {
  /** Takes the job out of the queue. */
  leave(job: Job): void;
  reject(reason: unknown): void;
}

function toJob({ owner = "", signal, mayBeLong = false }: TurnOptions, read: Job["run"], { leave, reject }: OnAbort): Job {
  let running: ReaderThread | undefined;
  const job: Job = {
    owner,
    mayBeLong,
    async run(reader) {
      running = reader;
      await read(reader);
      signal?.removeEventListener("abort", onAbort);
    },
  };
  const onAbort = () => {
    if (running) void running.call("interrupt");
    else leave(job);
    reject(signal?.reason);
  };
  signal?.addEventListener("abort", onAbort);
  return job;
}

/** What each owner has read lately, in ms: in all, and in one read. */
function createUsage(clock: () => number) {
  const owners = new Map<string, { sum: number; longest: number; at: number }>();
  const recent = (owner: string, kind: "sum" | "longest"): number => {
    const known = owners.get(owner);
    return known ? known[kind] * 0.5 ** ((clock() - known.at) / HALF_LIFE) : 0;
  };
  return {
    isKnown: (owner: string) => owners.has(owner),
    sum: (owner: string) => recent(owner, "sum"),
    longest: (owner: string) => recent(owner, "longest"),
    add(owner: string, ms: number): void {
      const now = { sum: recent(owner, "sum") + ms, longest: Math.max(recent(owner, "longest"), ms), at: clock() };
      owners.delete(owner); // moves it to the end: a Map keeps the order of insertion
      owners.set(owner, now);
      const [oldest] = owners.size > MOST_OWNERS ? owners.keys() : [];
      if (oldest !== undefined) owners.delete(oldest);
    },
  };
}

/** By key or by one field, whose index gives the page as it is. */
function isPlain({ words, filters = [], sort }: Page): boolean {
  return words.length === 0 && filters.length === 0 && sort.length <= 2;
}

/** Pages and counts of one file, read by the pool. `budget`: ms that each may take. */
export function createReads(
  pool: ReaderPool,
  { file, collections, budget }: { file: string; collections: readonly Collection[]; budget: number },
) {
  const opened = new Map<ReaderThread, Promise<unknown>>();
  const ready = async (reader: ReaderThread): Promise<void> => {
    const opening = opened.get(reader) ?? reader.call("open", file, collections);
    opened.set(reader, opening);
    await opening.catch((error) => {
      opened.delete(reader); // the next read tries again
      throw error;
    });
  };
  const run = <T>(options: TurnOptions, read: (reader: ReaderThread) => Promise<T>) =>
    pool.run(options, async (reader) => {
      await ready(reader);
      options.signal?.throwIfAborted(); // the pool's interrupt came while the file was opened
      return read(reader);
    });
  return {
    list: (collection: string, page: Page, options: ReadOptions = {}) =>
      run({ ...options, mayBeLong: !isPlain(page) }, (reader) => reader.call("list", file, collection, page, budget)),
    count: (collection: string, selection: CountedSelection, options: ReadOptions = {}) =>
      run({ ...options, mayBeLong: true }, (reader) => reader.call("count", file, collection, selection, budget)),
    near: (collection: string, query: NearQuery, options: ReadOptions = {}) =>
      run({ ...options, mayBeLong: true }, (reader) => reader.call("near", file, collection, query, Math.min(budget, NEAR_BUDGET))),
    async close(): Promise<void> {
      for (const [reader, opening] of opened) {
        await opening;
        await reader.call("close", file);
      }
      opened.clear();
    },
  };
}
