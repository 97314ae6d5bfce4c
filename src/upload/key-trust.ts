// Whether a request that may have been done can go again under its idempotency key without being done twice. Knows no request.

const MARGIN_HOURS = 1; // for clocks that differ and requests that wait

export class KeyTrust {
  readonly #now: () => number;
  readonly #hours: number;

  /** `hours`: how long the service promises to keep answers under their keys; 0 when it promises nothing. */
  constructor(hours: number, now: () => number) {
    this.#hours = hours;
    this.#now = now;
  }

  /** `sentAt`, epoch ms: when the request left for the first time. */
  mayRepeat(sentAt: number): boolean {
    return this.#now() - sentAt < (this.#hours - MARGIN_HOURS) * 3_600_000;
  }
}
