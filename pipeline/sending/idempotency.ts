// Whether a request that may have been done can go again under its idempotency key without being done twice, and what was made since it left. Knows no request.

import type { KeyHours } from "./responses.ts";

const MARGIN_HOURS = 1; // for clocks that differ and requests that wait

export class KeyTrust {
  readonly #now: () => number;
  readonly #hours: number;
  /** By how many milliseconds the service's clock is ahead of ours, at least. */
  readonly #ahead: number | undefined;

  /** `said`: what the service promises, heard just now; undefined when it promises nothing. */
  constructor(said: Pick<KeyHours, "hours" | "now"> | undefined, now: () => number) {
    this.#now = now;
    this.#hours = said?.hours ?? 0;
    this.#ahead = said?.now === undefined ? undefined : said.now - now();
  }

  /** `sentAt`, epoch ms: when the request left for the first time. */
  mayRepeat(sentAt: number): boolean {
    return this.#now() - sentAt < (this.#hours - MARGIN_HOURS) * 3_600_000;
  }

  /** Whether a time of the service (RFC 3339) is one after a request had left, to within the second in which its clock is told (RFC 9110 section 6.6.1). */
  isSince(time: unknown, sentAt: number): boolean {
    return this.#ahead !== undefined && typeof time === "string" && Date.parse(time) >= sentAt + this.#ahead;
  }
}
