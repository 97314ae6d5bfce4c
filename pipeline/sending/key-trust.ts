// Decides whether a request may be repeated under its idempotency key, and whether a record was made after a request.

import { mayRepeat } from "../../core/contract/limits.ts";
import type { KeyHours } from "./responses.ts";

export class KeyTrust {
  readonly #now: () => number;
  readonly #hours: number;
  /** Says how far the service's clock is ahead of ours, at least; ms. */
  readonly #ahead: number | undefined;

  /** `answer`: what the service promises, just received; undefined when it promises nothing. */
  constructor(answer: Pick<KeyHours, "hours" | "now"> | undefined, now: () => number) {
    this.#now = now;
    this.#hours = answer?.hours ?? 0;
    this.#ahead = answer?.now === undefined ? undefined : answer.now - now();
  }

  /** `sentAt`, epoch ms: when the request was first sent. */
  mayRepeat(sentAt: number): boolean {
    return mayRepeat(sentAt, this.#now(), this.#hours);
  }

  /**
   * Says whether a time of the service (RFC 3339) is after a request was sent. Exact to the second, like its `Date` header (RFC 9110
   * section 6.6.1).
   */
  isSince(time: unknown, sentAt: number): boolean {
    return this.#ahead !== undefined && typeof time === "string" && Date.parse(time) >= sentAt + this.#ahead;
  }
}
