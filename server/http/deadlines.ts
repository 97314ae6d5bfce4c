// Ends a request when its time is over. One timer serves all: one for each would cost a read a tenth.

import type { ServerResponse } from "node:http";
import type { Awaitable } from "../engine/script/awaitable.ts";
import { type HttpError, httpErrors } from "./errors.ts";

/**
 * Resolves as the work does, or rejects with `late()` when the request's time is over; the work then runs on unheard. What is done
 * already is answered at once.
 */
export type Deadline = <T>(work: Awaitable<T>, late: () => HttpError) => Awaitable<T>;

export interface Deadlines {
  /** The time of one request begins. Time that is spent outside the deadline's own calls is not counted. */
  begin(): Deadline;
}

interface Waiting {
  until: number;
  reject(): void;
}

const CHECK_EVERY = 100; // ms

const ENDED = httpErrors.unavailable(); // one for all: to make its stack takes as long as to read a record

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
      return (work, late) => {
        if (!(work instanceof Promise)) return work;
        return new Promise((resolve, reject) => {
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
      };
    },
  };
}

/** Tells work that nobody waits for it any more: the answer is sent, the connection closed, or the time over. */
export class RequestEnd {
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Is made when it is first asked for, so ask only where something hears it: it costs more than reading a record. Its reason is a 503. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#response.destroyed) this.abort();
      else this.#response.once("close", () => this.abort());
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#controller?.abort(ENDED);
  }
}
