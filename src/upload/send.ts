// Good rows to batches to the service, four requests under way; a slow service slows the reading. Refuses: rows that fail the check; they are not sent.

import type { Fields, Problem } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import { Batcher, type KeyedBatch, shareKey } from "./batches.ts";
import { type Delivery, deliver } from "./deliver.ts";
import { createJudge, type JudgeRow, type Plan } from "./judge.ts";
import { parseRows, type RowBlock } from "./parse.ts";
import { readText } from "./read.ts";

const IN_FLIGHT = 4; // requests

export interface SendJob extends Delivery {
  file: Blob;
  collection: Collection;
  plan: Plan;
  uploadId: string;
  /** Asked after a cancel or a stop: whether to read on, so that rows which were not reached can be named. */
  readOn(): boolean;
  /** In the place of the plan's own judge: a preview asks more of a row. */
  judge?: JudgeRow;
}

/** The second pass over the file. Resolves when every row that was read has been settled. */
export async function sendFile(job: SendJob): Promise<void> {
  const judge = job.judge ?? createJudge(job.collection, job.plan);
  const batcher = new Batcher(job.uploadId, job.collection.key.name);
  const slots = new Slots(job);
  try {
    for await (const block of parseRows(readText(job.file), job.plan.dialect.delimiter)) {
      for (let i = 0; i < block.rows.length; i++) {
        if (job.pace.over.aborted && !job.readOn()) return;
        const full = takeRow(block, i, { judge, batcher, job });
        if (full) await slots.add(full);
      }
    }
  } finally {
    const rest = batcher.take();
    if (rest) await slots.add(rest);
    await slots.empty();
  }
}

export function describeProblems(problems: readonly Pick<Problem, "message">[]): string {
  return problems.map(({ message }) => message).join(" ");
}

function takeRow(
  block: RowBlock,
  i: number,
  { judge, batcher, job }: { judge: JudgeRow; batcher: Batcher; job: SendJob },
): KeyedBatch | undefined {
  const [row, line, cells] = [block.first + i, block.lines[i] as number, block.rows[i] as string[]];
  const record: Fields = {};
  const problems = judge(row, cells, block.torn.get(i), record);
  if (!problems) return batcher.add(row, line, cells, record);
  job.settle(row, line, "notSent", describeProblems(problems));
  return undefined;
}

/** The batches under way. */
class Slots {
  readonly #to: Delivery;
  readonly #underWay = new Map<Promise<void>, KeyedBatch>();
  #bug: { error: unknown } | undefined;

  constructor(to: Delivery) {
    this.#to = to;
  }

  /** Resolves when the batch is on its way: when there is room, and no batch before it has one of its keys. */
  async add(batch: KeyedBatch): Promise<void> {
    while (this.#underWay.size >= IN_FLIGHT || [...this.#underWay.values()].some((other) => shareKey(batch, other))) {
      await Promise.race(this.#underWay.keys());
    }
    if (this.#bug) throw this.#bug.error;
    const done = this.#deliver(batch).finally(() => this.#underWay.delete(done));
    this.#underWay.set(done, batch);
  }

  async empty(): Promise<void> {
    await Promise.all(this.#underWay.keys());
    if (this.#bug) throw this.#bug.error;
  }

  async #deliver(batch: KeyedBatch): Promise<void> {
    const { pace } = this.#to;
    try {
      const refusal = await deliver(batch, this.#to);
      // Before any batch was ever answered, a refusal of every row is one of the request as such: the next would fare no better.
      if (refusal.rows > 1 && refusal.rows === batch.rows.length && !pace.hasAnswer) {
        pace.stop(`The service refused every row of a whole batch. ${refusal.detail}`.trim());
      }
    } catch (error) {
      this.#bug ??= { error };
      pace.stop("An error of this program stopped the upload.");
    }
  }
}
