// Says why nothing may be sent now: the user paused, or the connection broke.

export type PauseReason = "paused" | "offline";

export class Pauses {
  readonly #reasons = new Set<PauseReason>();
  readonly #listeners = new Set<() => void>();

  /** Returns the most important reason; undefined when there is none. */
  get why(): PauseReason | undefined {
    return this.#reasons.has("paused") ? "paused" : this.#reasons.has("offline") ? "offline" : undefined;
  }

  put(reason: PauseReason): void {
    this.#reasons.add(reason);
    this.#notify();
  }

  lift(reason: PauseReason): void {
    this.#reasons.delete(reason);
    this.#notify();
  }

  /** Calls `listener` after every change, until the signal aborts. */
  listen(listener: () => void, until: AbortSignal): void {
    this.#listeners.add(listener);
    until.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
