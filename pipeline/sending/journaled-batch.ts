// The journal entry of one batch while it is in flight.

import type { BatchResult } from "../../core/contract/records.ts";
import { isStored, OUTCOMES, type Outcome } from "../model/outcomes.ts";
import type { KeyedBatch } from "./batches.ts";
import type { BatchLog, SentBatch } from "./journal.ts";
import type { Marks } from "./send-batch.ts";

type Result = NonNullable<SentBatch["result"]>;

export class JournaledBatch implements Marks {
  readonly #log: BatchLog;
  readonly #keyField: string;
  readonly #result: Result;
  #entry: Omit<SentBatch, "upload">;
  #isJournaled: boolean;

  /** `earlier`: the entry that an earlier run made for this batch. */
  constructor(log: BatchLog, batch: KeyedBatch, keyField: string, earlier?: SentBatch) {
    this.#log = log;
    this.#keyField = keyField;
    this.#isJournaled = earlier !== undefined;
    const first = batch.rows[0] as number;
    const last = batch.rows.at(-1) as number;
    this.#entry = earlier ?? { first, last, sentAt: 0, split: [] };
    const length = this.#entry.last - first + 1;
    const { repeats } = batch;
    this.#result = {
      outcomes: new Uint8Array(length),
      reasons: [],
      ids: new Float64Array(length),
      versions: new Uint32Array(length),
      old: [],
      ...(repeats.length > 0 && { repeats: repeats.map((row) => row - first) }),
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

  /** Returns whether an undo could take the row back. */
  recordOutcome(row: number, outcome: Outcome, reason: string | undefined, stored: BatchResult | undefined): boolean {
    const at = row - this.#entry.first;
    const { outcomes, reasons, ids, versions, old } = this.#result;
    outcomes[at] = OUTCOMES.indexOf(outcome);
    if (reason !== undefined) reasons.push([at, reason]);
    if (!stored || !isStored(outcome)) return false;
    const id = stored[this.#keyField];
    if (typeof id !== "number" || stored.version === undefined) return false;
    ids[at] = id;
    versions[at] = stored.version;
    if (stored.changes) old.push([at, Object.fromEntries(Object.entries(stored.changes).map(([name, [before]]) => [name, before]))]);
    return true;
  }

  /** Every row has its final outcome. If this entry is lost, the batch is sent again under its key, which does no harm. */
  async close(spent: number | undefined): Promise<void> {
    await this.#log.keep({ ...this.#entry, result: { ...this.#result, ...(spent !== undefined && { spent }) } }, false);
  }
}
