// Finds the cells that break a rule of today and are stored just so, by asking the service what it would do with them.

import { createRowValidator, loadForms, type ValidateRow } from "../checking/validate-row.ts";
import { createIdentity } from "../mapping/match-records.ts";
import { realClock } from "../model/clock.ts";
import type { Plan } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { Concurrency } from "../sending/concurrency.ts";
import { classifyResponse, type PostBatch, type Refused } from "../sending/responses.ts";
import { Scheduler } from "../sending/scheduler.ts";
import { fieldOfProblem } from "../sending/send-batch.ts";
import { sendFile } from "../sending/send-file.ts";
import { createTicker } from "../sending/throttle.ts";
import { type DryRun, dryRun, IN_FLIGHT } from "./preview.ts";

const MOST_FRUITLESS = 20; // requests in a row, after which a broken rule is the file's own and not the records'

/**
 * Returns `Plan.asStored` of the file, undefined where nothing is, and yields `state` of the row to which the file was read, at most ten
 * times a second. Only the service compares with what is stored (decision 0209). What it does not answer at once stays a problem of the
 * file, because a check does not wait for a service. The result takes one bit for each row and field.
 */
export async function* findAsStored<T>(job: DryRun, state: (row: number) => T): AsyncGenerator<T, Plan["asStored"]> {
  const { collection, plan, signal, clock = realClock } = job;
  const identityOf = createIdentity(collection, plan.matchBy);
  const asked = new Map<number, string[]>();
  const found = new Map<string, RowSet>();
  let broken: string[] = [];
  let rowsRead = 0;
  let fruitless = 0;
  const validateRow = createRowValidator(collection, plan, {
    readForm: await loadForms(plan, collection),
    onBrokenRule: (field) => broken.push(field),
    onRepeat: () => false,
  });
  const ticker = createTicker(clock);
  const sendsBroken: ValidateRow = (row, cells, malformed, into = {}, mode) => {
    broken = [];
    rowsRead = row;
    ticker.ring();
    validateRow(row, cells, malformed, into, mode);
    if (broken.length === 0 || identityOf(into) === undefined) return [];
    asked.set(row, broken);
    return undefined;
  };
  const askOnce: PostBatch = async (...batch) => {
    if (fruitless >= MOST_FRUITLESS) return STOP;
    const answer = await job.dryPost(...batch);
    const outcome = classifyResponse(answer);
    if (outcome === "take") fruitless++; // until one of its rows says otherwise
    return outcome === "take" || outcome === "cut" ? answer : STOP;
  };
  const scheduler = new Scheduler(clock, signal, () => undefined, undefined, new Concurrency(IN_FLIGHT));
  const work = sendFile({
    ...dryRun(job, clock),
    validateRow: sendsBroken,
    postBatch: askOnce,
    scheduler,
    recordOutcome(row, _line, outcome, _reason, result) {
      const isKept = outcome === "updated" || outcome === "unchanged";
      if (!isKept && result?.problem?.code !== "VALIDATION") asked.delete(row);
      const refused = new Set(isKept ? [] : result?.problem?.errors?.map(fieldOfProblem));
      for (const name of asked.get(row) ?? []) {
        if (refused.has(name)) continue;
        const rows = found.get(name) ?? new RowSet();
        rows.add(row);
        found.set(name, rows);
        fruitless = 0;
      }
      asked.delete(row);
    },
  });
  signal.addEventListener("abort", () => scheduler.close(), { once: true }); // nobody waits for the last responses
  try {
    yield* ticker.states(work, () => state(rowsRead));
  } finally {
    scheduler.close();
  }
  if (found.size === 0 || signal.aborted) return undefined;
  return Object.fromEntries([...found].map(([name, rows]) => [name, [...rows.bits()]]));
}

const STOP: Refused = { kind: "refused", status: 0, code: "", detail: "", problems: [], retryAfter: null };
