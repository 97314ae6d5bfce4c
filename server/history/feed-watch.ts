// Waiting for changes: one question to the store serves all who wait in this process.

import { setTimeout as sleep } from "node:timers/promises";
import type { Feed, FeedFilter, FeedPage } from "./store/feed.ts";

const ASK_EVERY = 100; // ms

const STOPPING = "stopping"; // no state of a feed

export interface FeedWatch {
  /** Returns the feed's state as it was known last. Take it before you read. */
  state(): Promise<string>;
  /** Resolves when the state is another one, after `ms`, when nobody waits any more, and when the service stops. */
  wait(state: string, ms: number, signal: AbortSignal): Promise<void>;
  /** Reads a page of the feed, no older than `state`. Who asks for the same while it is read shares it: a thousand streams read once. */
  read(state: string, after: string | undefined, filter: FeedFilter, limit: number): Promise<FeedPage>;
}

/** `source`: asks for the state in place of this one, which then only reads: for callers who see another part of the same feed. */
export function createFeedWatch(feed: Feed, isStopping: () => boolean, source?: Pick<FeedWatch, "state" | "wait">): FeedWatch {
  const waiting = new Set<(state: string) => void>();
  let known: string | undefined; // while somebody waits
  const underWay = new Map<string, Promise<FeedPage>>();

  async function ask(): Promise<void> {
    while (waiting.size > 0) {
      await sleep(ASK_EVERY, undefined, { ref: false });
      // When the store cannot answer, whoever waits learns it from the next read.
      const state = isStopping() ? STOPPING : await feed.state().catch(() => undefined);
      if (state === undefined) continue;
      known = state;
      for (const notify of waiting) notify(state);
    }
    known = undefined;
  }

  return {
    state: source?.state ?? (async () => known ?? feed.state()),
    read(state, after, filter, limit) {
      const key = JSON.stringify([state, after, filter, limit]); // a read that began in an older state may lack what is new
      const shared = underWay.get(key);
      if (shared) return shared;
      const page = feed.read(after, filter, limit).finally(() => underWay.delete(key));
      underWay.set(key, page);
      return page;
    },
    wait: (state, ms, signal) =>
      source?.wait(state, ms, signal) ??
      new Promise((resolve) => {
        const end = () => {
          waiting.delete(notify);
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          resolve();
        };
        const notify = (now: string) => {
          if (now !== state) end();
        };
        const timer = setTimeout(end, ms);
        if (signal.aborted) return end();
        signal.addEventListener("abort", end, { once: true });
        waiting.add(notify);
        if (waiting.size === 1) void ask();
      }),
  };
}
