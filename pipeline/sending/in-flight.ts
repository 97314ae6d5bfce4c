// The batches in flight: as many as concurrency allows, and never two that share a key.

import { t } from "../../core/i18n/translate.ts";
import { type KeyedBatch, shareKey } from "./batches.ts";
import type { Scheduler } from "./scheduler.ts";

export class InFlight<Extra> {
  readonly #scheduler: Scheduler;
  readonly #send: (batch: KeyedBatch, extra: Extra | undefined) => Promise<void>;
  readonly #batches = new Map<Promise<void>, KeyedBatch>();
  #bug: { error: unknown } | undefined;

  constructor(scheduler: Scheduler, send: (batch: KeyedBatch, extra: Extra | undefined) => Promise<void>) {
    this.#scheduler = scheduler;
    this.#send = send;
  }

  /** Resolves when the batch is sent: when there is room, and no batch in flight has one of its keys. */
  async add(batch: KeyedBatch, extra?: Extra): Promise<void> {
    while (this.#batches.size >= this.#scheduler.concurrency.room || [...this.#batches.values()].some((other) => shareKey(batch, other))) {
      await Promise.race(this.#batches.keys());
    }
    if (this.#bug) throw this.#bug.error;
    const done = this.#run(batch, extra).finally(() => this.#batches.delete(done));
    this.#batches.set(done, batch);
  }

  /** Resolves when all have ended. Throws the first unexpected error of any of them. */
  async empty(): Promise<void> {
    await Promise.all(this.#batches.keys());
    if (this.#bug) throw this.#bug.error;
  }

  async #run(batch: KeyedBatch, extra: Extra | undefined): Promise<void> {
    try {
      await this.#send(batch, extra);
    } catch (error) {
      this.#bug ??= { error };
      this.#scheduler.stop(t("An internal error stopped the upload."));
    }
  }
}
