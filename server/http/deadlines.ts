// The time in which a request must be answered. One timer serves all requests: one for each would cost a read a tenth.

import type { HttpError } from "./errors.ts";

/** Resolves as the work does, or rejects with `late()` when the request's time is over; the work then runs on unheard. */
export type Deadline = <T>(work: Promise<T>, late: () => HttpError) => Promise<T>;

export interface Deadlines {
  /** The time of one request begins. Time that is spent outside the deadline's own calls is not counted. */
  begin(): Deadline;
}

interface Waiting {
  until: number;
  reject(): void;
}

const CHECK_EVERY = 100; // ms

export function createDeadlines(seconds: number): Deadlines {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const now = performance.now();
    for (const one of waiting) if (one.until <= now) one.reject();
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    begin() {
      let left = seconds * 1_000;
      return (work, late) =>
        new Promise((resolve, reject) => {
          const from = performance.now();
          const one = { until: from + left, reject: () => end(() => reject(late())) };
          const end = (then: () => void) => {
            waiting.delete(one);
            left -= performance.now() - from;
            then();
          };
          waiting.add(one);
          timer ??= setInterval(check, CHECK_EVERY).unref();
          work.then(
            (result) => end(() => resolve(result)),
            (error) => end(() => reject(error)),
          );
        });
    },
  };
}
