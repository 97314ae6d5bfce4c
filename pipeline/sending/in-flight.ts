// The batches in flight: as many as concurrency allows, and never two that share a key.

import { t } from "../../core/i18n/translate.ts";
import { type KeyedBatch, shareKey } from "./batches.ts";
import type { Scheduler } from "./scheduler.ts";

export class InFlight<Extra> {
  readonly #scheduler: Scheduler;
  readonly #send: (batch: KeyedBatch, extra: Extra | undefined) => Promise<void>;
  readonly #underWay = new Map<Promise<void>, KeyedBatch>();
  #bug: { error: unknown } | undefined;

  constructor(scheduler: Scheduler, send: (batch: KeyedBatch, extra: Extra | undefined) => Promise<void>) {
    this.#scheduler = scheduler;
    this.#send = send;
  }

  /** Resolves when the batch is sent: when there is room, and no batch in flight has one of its keys. */
  async add(batch: KeyedBatch, extra?: Extra): Promise<void> {
    while (
      this.#underWay.size >= this.#scheduler.concurrency.room ||
      [...this.#underWay.values()].some((other) => shareKey(batch, other))
    ) {
      await Promise.race(this.#underWay.keys());
    }
    if (this.#bug) throw this.#bug.error;
    const done = this.#run(batch, extra).finally(() => this.#underWay.delete(done));
    this.#underWay.set(done, batch);
  }

  /** Resolves when all have ended. Throws the first unexpected error of any of them. */
  async empty(): Promise<void> {
    await Promise.all(this.#underWay.keys());
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
