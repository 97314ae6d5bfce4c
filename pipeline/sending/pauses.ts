// Why nothing may be sent for now: the user's pause, a lost connection. Put and lifted from outside while an upload runs. Knows no upload.

export type Hold = "paused" | "offline";

export class Holds {
  readonly #held = new Set<Hold>();
  readonly #listeners = new Set<() => void>();

  /** The weightiest reason; undefined when there is none. */
  get why(): Hold | undefined {
    return this.#held.has("paused") ? "paused" : this.#held.has("offline") ? "offline" : undefined;
  }

  put(hold: Hold): void {
    this.#held.add(hold);
    this.#tell();
  }

  lift(hold: Hold): void {
    this.#held.delete(hold);
    this.#tell();
  }

  /** Calls `listener` with every change, until the signal aborts. */
  listen(listener: () => void, until: AbortSignal): void {
    this.#listeners.add(listener);
    until.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
