// The batches under way: as many as the pace has room for, and never two that share a key. Knows nothing of what a batch is for.

import { say } from "../../core/i18n/translate.ts";
import { type KeyedBatch, shareKey } from "./batches.ts";
import type { Pace } from "./scheduler.ts";

export class Slots<Extra> {
  readonly #pace: Pace;
  readonly #deliver: (batch: KeyedBatch, extra: Extra | undefined) => Promise<void>;
  readonly #underWay = new Map<Promise<void>, KeyedBatch>();
  #bug: { error: unknown } | undefined;

  constructor(pace: Pace, deliver: (batch: KeyedBatch, extra: Extra | undefined) => Promise<void>) {
    this.#pace = pace;
    this.#deliver = deliver;
  }

  /** Resolves when the batch is on its way: when there is room, and no batch before it has one of its keys. */
  async add(batch: KeyedBatch, extra?: Extra): Promise<void> {
    while (this.#underWay.size >= this.#pace.flow.room || [...this.#underWay.values()].some((other) => shareKey(batch, other))) {
      await Promise.race(this.#underWay.keys());
    }
    if (this.#bug) throw this.#bug.error;
    const done = this.#run(batch, extra).finally(() => this.#underWay.delete(done));
    this.#underWay.set(done, batch);
  }

  /** Resolves when all have come back. Throws the error of this program that one of them met. */
  async empty(): Promise<void> {
    await Promise.all(this.#underWay.keys());
    if (this.#bug) throw this.#bug.error;
  }

  async #run(batch: KeyedBatch, extra: Extra | undefined): Promise<void> {
    try {
      await this.#deliver(batch, extra);
    } catch (error) {
      this.#bug ??= { error };
      this.#pace.stop(say("An error of this program stopped the upload."));
    }
  }
}
