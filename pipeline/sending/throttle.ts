// Turns running work into at most ten states a second, and measures its speed.

import type { Clock } from "../model/clock.ts";

export const STATE_EVERY = 100; // ms

export interface Ticker {
  /** Something has changed that the next state will show. */
  ring(): void;
  /** Yields `state()` after changes until the work is done. Throws what the work throws. */
  states<T>(work: Promise<void>, state: () => T): AsyncGenerator<T>;
}

export function createTicker(clock: Clock): Ticker {
  // Rings are not counted: a new listener learns at once that there was one, and then waits for the next.
  let isRung = true; // so that the first state does not wait for a change
  let wake = (): void => undefined;
  function ring(): void {
    isRung = true;
    wake();
  }
  return {
    ring,
    async *states(work, state) {
      const done = new AbortController();
      const ended = work.finally(() => {
        done.abort();
        ring();
      });
      ended.catch(() => undefined); // thrown below, where it is awaited
      while (!done.signal.aborted) {
        if (!isRung) await new Promise<void>((resolve) => (wake = resolve));
        isRung = false;
        if (done.signal.aborted) break;
        yield state();
        await clock.sleep(STATE_EVERY, done.signal);
      }
      await ended;
    },
  };
}

const SPEED_OVER = 10_000; // ms; long enough not to jump, short enough to follow a change

export interface Speed {
  rowsPerSecond: number;
  /** Is null while it cannot be estimated. */
  secondsLeft: number | null;
}

/** Call it again and again. Only the last ten seconds count. */
export function createSpeed(clock: Pick<Clock, "now">): (total: number, done: number, waiting: unknown) => Speed {
  const seen = [{ at: clock.now(), done: 0 }];
  return (total, done, waiting) => {
    const at = clock.now();
    seen.push({ at, done });
    while (seen.length > 2 && at - (seen[1]?.at ?? at) > SPEED_OVER) seen.shift();
    const from = seen[0] ?? { at, done };
    const rowsPerSecond = at > from.at ? ((done - from.done) * 1000) / (at - from.at) : 0;
    const isKnown = rowsPerSecond > 0 && !waiting && at - from.at >= 1000;
    return { rowsPerSecond: Math.round(rowsPerSecond), secondsLeft: isKnown ? Math.ceil((total - done) / rowsPerSecond) : null };
  };
}
