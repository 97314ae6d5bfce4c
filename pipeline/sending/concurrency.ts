// Decides how many requests are in flight and how many rows a batch has: more while all goes well, less under overload.

import { ADVISED_BATCH } from "../../core/contract/limits.ts";

const START = 4; // requests in flight
const MOST = 5; // a browser opens six connections to a host; one stays free for the pages
const SMALLEST = 25; // rows in a batch, at the least

export class Concurrency {
  /** Requests that may be in flight. */
  room: number;
  /** Rows that a batch may have. A batch that was sent once keeps its size. */
  batchRows = ADVISED_BATCH;
  #clean = 0; // good responses since the last error or increase
  #begun = 0;
  #lastCut = 0;
  readonly #most: number;

  /** `most`: the limit of requests in flight. */
  constructor(most = MOST) {
    this.#most = most;
    this.room = Math.min(START, most);
  }

  /** A request begins. Pass the number to `slower` if it fails. */
  begin(): number {
    return ++this.#begun;
  }

  /** Notes a good response. After as many of them as there are requests in flight, one more may be. */
  answered(): void {
    if (++this.#clean < this.room) return;
    this.#clean = 0;
    this.room = Math.min(this.#most, this.room + 1);
    this.batchRows = Math.min(ADVISED_BATCH, this.batchRows + Math.ceil(ADVISED_BATCH / 10));
  }

  /** The service is overloaded. Requests that were in flight together count as one warning. */
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
