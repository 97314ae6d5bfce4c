// Sends the valid rows of a file in batches. A slow service slows down the reading.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { t } from "../../core/i18n/translate.ts";
import { createRowValidator, describeProblems, loadForms, type ValidateRow } from "../checking/validate-row.ts";
import { type RowSource, rowsOf } from "../containers/row-source.ts";
import { createIdentity } from "../mapping/match-records.ts";
import { acknowledgedBy } from "../model/corrections.ts";
import { OUTCOMES, type Outcome } from "../model/outcomes.ts";
import type { Plan } from "../model/plan.ts";
import { addRow, Batcher, createBatch, type KeyedBatch, type RowWay } from "./batches.ts";
import { InFlight } from "./in-flight.ts";
import type { BatchLog, SentBatch } from "./journal.ts";
import { JournaledBatch } from "./journaled-batch.ts";
import { MAYBE_STORED } from "./reconcile.ts";
import { type BatchSending, sendBatch } from "./send-batch.ts";
import { wayFinder } from "./similar-updates.ts";
import type { Stopwatch } from "./stopwatch.ts";

export interface SendJob extends Omit<BatchSending, "marks">, RowSource {
  collection: Collection;
  plan: Plan;
  uploadId: string;
  /** Holds what an earlier run of this upload has sent: it keeps its rows, keys and outcomes. */
  log: BatchLog;
  /** Its time is stored with each batch. */
  watch?: Stopwatch;
  /** Is called for each row that got its outcome in an earlier run. */
  onEarlier?: () => void;
  /** Is called after a cancel or a stop: says whether to read on, so that rows that were not sent can be listed. */
  readOn(): boolean;
  /** Replaces the plan's own validation: a preview needs more. */
  validateRow?: ValidateRow;
}

/** Makes the second pass over the file. Resolves when every row that was read has an outcome. */
export async function sendFile(job: SendJob): Promise<void> {
  const onRepeat = () => false; // the later row wins
  const validateRow =
    job.validateRow ?? createRowValidator(job.collection, job.plan, { onRepeat, readForm: await loadForms(job.plan, job.collection) });
  const line = new Line(job, await job.log.from(1));
  const wayOf = wayFinder(job);
  let isWhole = false;
  try {
    for await (const { rows, lines, first, malformed, modes } of rowsOf(job)) {
      for (let i = 0; i < rows.length; i++) {
        if (job.scheduler.over.aborted && !job.readOn()) return;
        const [row, at, cells] = [first + i, lines[i] as number, rows[i] as string[]];
        const record: Fields = {};
        const mode = modes?.[i];
        const problems = validateRow(row, cells, malformed.get(i), record, mode);
        const way = problems ? undefined : wayOf(row, record, mode);
        if (problems) job.recordOutcome(row, at, "notSent", describeProblems(problems));
        else if (line.isInEarlier(row)) line.repeat(row, at, record, way);
        else await line.add(row, at, cells, record, way);
      }
    }
    isWhole = true;
  } finally {
    if (!isWhole) line.setAside();
    await line.end();
  }
}

/** The rows in order: those that an earlier run sent become its batches again, the others become new batches. */
class Line {
  readonly #job: SendJob;
  readonly #idOf: (record: Fields) => unknown;
  readonly #batcher: Batcher;
  readonly #inFlight: InFlight<SentBatch>;
  #earlier: SentBatch | undefined;
  #repeated: KeyedBatch | undefined;

  constructor(job: SendJob, earlier: SentBatch | undefined) {
    this.#job = job;
    this.#earlier = earlier;
    this.#idOf = createIdentity(job.collection, job.plan.matchBy);
    this.#batcher = new Batcher(job.uploadId, this.#idOf, () => job.scheduler.concurrency.batchRows);
    this.#inFlight = new InFlight(job.scheduler, (batch, earlier) => sendJournaled(batch, earlier, job));
  }

  isInEarlier(row: number): boolean {
    return this.#earlier !== undefined && this.#earlier.first <= row && row <= this.#earlier.last;
  }

  repeat(row: number, line: number, record: Fields, way: RowWay | undefined): void {
    const { first, sentAt, result } = this.#earlier as SentBatch;
    if (result) {
      this.#job.watch?.isAfter(result.spent ?? 0);
      this.#job.onEarlier?.();
      const reason = result.reasons.find(([at]) => at === row - first)?.[1];
      this.#job.recordOutcome(row, line, OUTCOMES[result.outcomes[row - first] ?? 0] as Outcome, reason);
    } else {
      this.#repeated ??= { ...createBatch(this.#job.uploadId, first, way), sentBefore: sentAt };
      addRow(this.#repeated, row, line, record, this.#idOf(record), way);
    }
  }

  async add(row: number, line: number, cells: readonly string[], record: Fields, way: RowWay | undefined): Promise<void> {
    while (this.#earlier && this.#earlier.last < row) await this.#leaveEarlier();
    if (this.isInEarlier(row)) return this.repeat(row, line, record, way);
    const full = this.#batcher.add(row, line, cells, record, way);
    if (full) await this.#inFlight.add(full);
  }

  /** The file was not read to its end. A batch that was sent before and lacks rows now must not be sent under its key: a later run has them. */
  setAside(): void {
    const { rows = [], lines = [] } = this.#repeated ?? {};
    for (const [i, row] of rows.entries()) this.#job.recordOutcome(row, lines[i] as number, "inDoubt", t(MAYBE_STORED));
    this.#repeated = undefined;
  }

  async end(): Promise<void> {
    if (this.#earlier) await this.#leaveEarlier();
    const rest = this.#batcher.take();
    if (rest) await this.#inFlight.add(rest);
    await this.#inFlight.empty();
  }

  /**
   * Rows between two earlier batches become a batch of their own: their first row is its number, and it may not reach into the
   * next one.
   */
  async #leaveEarlier(): Promise<void> {
    const { last } = this.#earlier as SentBatch;
    const [batch, earlier] = [this.#repeated, this.#earlier];
    this.#repeated = undefined;
    this.#earlier = await this.#job.log.from(last + 1);
    const between = this.#batcher.take();
    if (between) await this.#inFlight.add(between);
    if (batch) await this.#inFlight.add(batch, earlier);
  }
}

async function sendJournaled(batch: KeyedBatch, earlier: SentBatch | undefined, job: SendJob): Promise<void> {
  const { scheduler, log, recordOutcome } = job;
  const entry = new JournaledBatch(log, batch, earlier);
  const to: BatchSending = {
    ...job,
    how: { acknowledge: acknowledgedBy(job.plan.fixes), matchBy: job.plan.matchBy, onDuplicate: job.plan.onDuplicate },
    marks: entry,
    recordOutcome: (row, line, outcome, reason, result) => {
      entry.recordOutcome(row, outcome, reason);
      recordOutcome(row, line, outcome, reason, result);
    },
  };
  const ended = await sendBatch(batch, to);
  if (ended.isWhole) await entry.close(job.watch?.total);
  // If the first batch ever sent is refused row by row, the reason is not in the rows, and the next batch would fail too.
  if (ended.refused > 1 && ended.refused === batch.rows.length && !scheduler.hasAnswer) {
    scheduler.stop(`${t("The service refused every row of a whole batch.")} ${ended.detail}`.trim());
  }
}
