// How much goes at once: requests under way and rows in a batch, more while all is well, less when the service has trouble. Knows no time.

import { ADVISED_BATCH } from "../../core/contract/limits.ts";

const START = 4; // requests under way
const MOST = 5; // a browser opens six connections to a host; one stays for the pages
const SMALLEST = 25; // rows in a batch, whatever happens

export class Concurrency {
  /** Requests that may be under way. */
  room: number;
  /** Rows that a batch may have; what has been sent once keeps its size. */
  batchRows = ADVISED_BATCH;
  #clean = 0; // answers since the last trouble or step up
  #begun = 0;
  #lastCut = 0;
  readonly #most: number;

  /** `most`: requests that may ever be under way together. */
  constructor(most = MOST) {
    this.#most = most;
    this.room = Math.min(START, most);
  }

  /** A request begins; give the number back with what became of it. */
  begin(): number {
    return ++this.#begun;
  }

  /** It was answered as it should be: one more after as many answers as go at once. */
  answered(): void {
    if (++this.#clean < this.room) return;
    this.#clean = 0;
    this.room = Math.min(this.#most, this.room + 1);
    this.batchRows = Math.min(ADVISED_BATCH, this.batchRows + Math.ceil(ADVISED_BATCH / 10));
  }

  /** The service is overburdened. Requests that were under way together are one warning, not several. */
  slower(request: number): void {
    if (request <= this.#lastCut) return;
    this.#lastCut = this.#begun;
    this.#clean = 0;
    this.room = Math.max(1, Math.floor(this.room / 2));
  }

  /** A batch of so many rows was too much for one request. */
  smaller(rows: number): void {
    this.batchRows = Math.max(SMALLEST, Math.min(this.batchRows, Math.ceil(rows / 2)));
  }
}
