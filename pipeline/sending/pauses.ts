// Why nothing may be sent for now: the user's pause, a lost connection. Put and lifted from outside while an upload runs. Knows no upload.

export type PauseReason = "paused" | "offline";

export class Pauses {
  readonly #held = new Set<PauseReason>();
  readonly #listeners = new Set<() => void>();

  /** The weightiest reason; undefined when there is none. */
  get why(): PauseReason | undefined {
    return this.#held.has("paused") ? "paused" : this.#held.has("offline") ? "offline" : undefined;
  }

  put(reason: PauseReason): void {
    this.#held.add(reason);
    this.#notify();
  }

  lift(reason: PauseReason): void {
    this.#held.delete(reason);
    this.#notify();
  }

  /** Calls `listener` with every change, until the signal aborts. */
  listen(listener: () => void, until: AbortSignal): void {
    this.#listeners.add(listener);
    until.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
