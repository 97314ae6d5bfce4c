// How long rows have been on their way, over all runs of an upload: neither its pauses nor what lay between its runs. Knows no row.

import type { Pauses } from "./pauses.ts";

export class Stopwatch {
  /** It stood still for a while, or an earlier run had come some way. */
  hasPaused = false;
  readonly #now: () => number;
  readonly #pauses: Pauses | undefined;
  #waits = 0; // for someone, under way
  #since: number | undefined; // undefined: it stands
  #own = 0;
  #earlier = 0;

  /** Runs from now on, but stands as long as something holds. */
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

  /** An earlier run had come to so many ms; may be told again, in any order. */
  isAfter(ms: number): void {
    this.#earlier = Math.max(this.#earlier, ms);
    this.hasPaused = true;
  }

  /** Someone is waited for meanwhile. */
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
