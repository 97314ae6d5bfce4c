// The working time of an upload, over all its runs, without pauses and without the time between runs.

import type { Pauses } from "./pauses.ts";

export class Stopwatch {
  /** It was paused, or an earlier run has worked already. */
  hasPaused = false;
  readonly #now: () => number;
  readonly #pauses: Pauses | undefined;
  #waits = 0; // how many waits are running
  #since: number | undefined; // undefined: it is stopped
  #own = 0;
  #earlier = 0;

  /** Starts at once, but stops while there is a pause. */
  constructor(now: () => number, pauses: Pauses | undefined, until: AbortSignal) {
    this.#now = now;
    this.#pauses = pauses;
    this.#since = now();
    pauses?.listen(() => this.#update(), until);
    this.#update();
  }

  /** ms of this run. */
  get own(): number {
    return this.#own + (this.#since === undefined ? 0 : this.#now() - this.#since);
  }

  /** ms of all runs. */
  get total(): number {
    return this.#earlier + this.own;
  }

  /** An earlier run had worked for so long; may be called again, in any order. */
  isAfter(ms: number): void {
    this.#earlier = Math.max(this.#earlier, ms);
    this.hasPaused = true;
  }

  /** Stops while `wait` is pending. */
  async without<T>(wait: Promise<T>): Promise<T> {
    this.#waits++;
    this.#update();
    return wait.finally(() => {
      this.#waits--;
      this.#update();
    });
  }

  #update(): void {
    if (this.#pauses?.why || this.#waits > 0) this.#stand();
    else this.#go();
  }

  #stand(): void {
    this.#own = this.own;
    this.#since = undefined;
    this.hasPaused = true;
  }

  #go(): void {
    this.#since ??= this.#now();
  }
}
