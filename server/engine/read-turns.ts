// Decides who reads next where reads are costly: a read delays only other reads of its owner. Both engines use it.

import type { Page, ReadOptions } from "./store.ts";

const HEAVY = 250; // ms; a read that long makes its owner wait for a turn
const HALF_LIFE = 10_000; // ms in which half of what is remembered of an owner is forgotten
const MOST_OWNERS = 10_000; // remembered; to forget one gives it a turn too early

/** `Reader`: what reads, one read at a time: a thread of SQLite, the right to a connection of PostgreSQL. */
export interface ReadTurns<Reader> {
  /** Runs `read` with a reader as soon as it is this owner's turn. Rejects with the reason of `signal` as soon as it is aborted. */
  run<T>(options: TurnOptions, read: (reader: Reader) => Promise<T>): Promise<T>;
}

export interface TurnOptions extends ReadOptions {
  /** It looks as if it could be costly. */
  mayBeLong?: boolean;
}

interface Job<Reader> {
  owner: string;
  mayBeLong: boolean;
  run(reader: Reader): Promise<void>;
}

export interface ReaderKind<Reader> {
  /** Is called when one more is needed. */
  start(): Promise<Reader>;
  /** Ends the read that runs, whose client has gone. */
  interrupt(reader: Reader): void;
}

/**
 * `size` readers, at least two, started when they are needed. An owner holds all but one at most; one whose reads
 * were long lately, or who is new and begins with one that may be long, holds a single one, and all of those together leave one free. So a
 * colleague's read finds a reader at once, however many short ones were before it. Among those who wait, the one who has read least in all
 * is next.
 */
export function createReadTurns<Reader>(
  size: number,
  { start, interrupt }: ReaderKind<Reader>,
  clock: () => number = () => performance.now(),
): ReadTurns<Reader> {
  let [started, starting] = [0, 0];
  const idle: Reader[] = [];
  const waiting: Job<Reader>[] = [];
  const running = new Set<Job<Reader>>();
  const usage = createUsage(clock);
  const isHeavy = ({ owner, mayBeLong }: Job<Reader>) => usage.longest(owner) > HEAVY || (mayBeLong && !usage.isKnown(owner));

  function mayRun(job: Job<Reader>): boolean {
    const own = [...running].filter(({ owner }) => owner === job.owner).length;
    if (!isHeavy(job)) return own < size - 1;
    return own === 0 && [...running].filter(isHeavy).length < size - 1;
  }

  function next(): Job<Reader> | undefined {
    let best: Job<Reader> | undefined;
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

  /** While it starts, which takes longer than most reads, another reader may become free for the same job. */
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

  async function runJob(job: Job<Reader>, reader: Reader): Promise<void> {
    const { owner } = job;
    const began = clock();
    running.add(job);
    await job.run(reader);
    running.delete(job);
    usage.add(owner, clock() - began);
    idle.push(reader);
    pump();
  }

  const leave = (job: Job<Reader>) => void waiting.splice(waiting.indexOf(job), 1);
  return {
    run(options, read) {
      return new Promise((resolve, reject) => {
        if (options.signal?.aborted) return reject(options.signal.reason);
        waiting.push(toJob(options, (reader) => read(reader).then(resolve, reject), { leave, reject, interrupt }));
        pump();
      });
    },
  };
}

interface OnAbort<Reader> {
  /** Takes the job out of the queue. */
  leave(job: Job<Reader>): void;
  reject(reason: unknown): void;
  interrupt(reader: Reader): void;
}

function toJob<Reader>(
  { owner = "", signal, mayBeLong = false }: TurnOptions,
  read: Job<Reader>["run"],
  { leave, reject, interrupt }: OnAbort<Reader>,
): Job<Reader> {
  let running: Reader | undefined;
  const job: Job<Reader> = {
    owner,
    mayBeLong,
    async run(reader) {
      running = reader;
      await read(reader);
      signal?.removeEventListener("abort", onAbort);
    },
  };
  const onAbort = () => {
    if (running !== undefined) interrupt(running);
    else leave(job);
    reject(signal?.reason);
  };
  signal?.addEventListener("abort", onAbort);
  return job;
}

/** Keeps how long each owner has read lately, in ms: in all, and in one read. */
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

/** Is true of a page by key or by one field, whose index gives it as it is. */
export function isPlain({ words, filters = [], sort }: Page): boolean {
  return words.length === 0 && filters.length === 0 && sort.length <= 2;
}
