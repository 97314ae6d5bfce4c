// The journal entry of one batch while it is in flight.

import { OUTCOMES, type Outcome } from "../model/outcomes.ts";
import type { KeyedBatch } from "./batches.ts";
import type { BatchLog, SentBatch } from "./journal.ts";
import type { Marks } from "./send-batch.ts";

type Result = NonNullable<SentBatch["result"]>;

export class JournaledBatch implements Marks {
  readonly #log: BatchLog;
  readonly #result: Result;
  #entry: Omit<SentBatch, "upload">;
  #isJournaled: boolean;

  /** `earlier`: the entry that an earlier run made for this batch. */
  constructor(log: BatchLog, batch: KeyedBatch, earlier?: SentBatch) {
    this.#log = log;
    this.#isJournaled = earlier !== undefined;
    const first = batch.rows[0] as number;
    const last = batch.rows.at(-1) as number;
    this.#entry = earlier ?? { first, last, sentAt: 0, split: [] };
    const length = this.#entry.last - first + 1;
    this.#result = {
      outcomes: new Uint8Array(length),
      reasons: [],
    };
  }

  async sent(at: number): Promise<void> {
    if (this.#isJournaled) return;
    this.#entry = { ...this.#entry, sentAt: at };
    await this.#log.keep(this.#entry, true);
    this.#isJournaled = true;
  }

  isSplit(key: string): boolean {
    return this.#entry.split.includes(key);
  }

  async split(key: string): Promise<void> {
    this.#entry = { ...this.#entry, split: [...this.#entry.split, key] };
    await this.#log.keep(this.#entry, true);
  }

  recordOutcome(row: number, outcome: Outcome, reason: string | undefined): void {
    const at = row - this.#entry.first;
    this.#result.outcomes[at] = OUTCOMES.indexOf(outcome);
    if (reason !== undefined) this.#result.reasons.push([at, reason]);
  }

  /** Every row has its final outcome. If this entry is lost, the batch is sent again under its key, which does no harm. */
  async close(spent: number | undefined): Promise<void> {
    await this.#log.keep({ ...this.#entry, result: { ...this.#result, ...(spent !== undefined && { spent }) } }, false);
  }
}
