// Finds the cells that break a rule of today and are stored just so, by asking the service what it would do with them.

import { createRowValidator, loadForms, type ValidateRow } from "../checking/validate-row.ts";
import { realClock } from "../model/clock.ts";
import type { Plan } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { Scheduler } from "../sending/scheduler.ts";
import { fieldOfProblem } from "../sending/send-batch.ts";
import { sendFile } from "../sending/send-file.ts";
import { type DryRun, dryRun } from "./preview.ts";

/**
 * `Plan.asStored` of the file, undefined where nothing is. Only the service compares with what is stored (decision 0209). What it does
 * not answer stays a problem of the file. Memory grows by some bits for each row.
 */
export async function findAsStored(job: DryRun): Promise<Plan["asStored"]> {
  const { collection, plan, signal, clock = realClock } = job;
  const asked = new Map<number, string[]>();
  const found = new Map<string, RowSet>();
  let broken: string[] = [];
  const validateRow = createRowValidator(collection, plan, {
    readForm: await loadForms(plan),
    onBrokenRule: (field) => broken.push(field),
    onRepeat: () => false,
  });
  const sendsBroken: ValidateRow = (row, cells, malformed, into = {}, mode) => {
    broken = [];
    validateRow(row, cells, malformed, into, mode);
    if (broken.length === 0 || (into[collection.key.name] ?? null) === null) return [];
    asked.set(row, broken);
    return undefined;
  };
  const scheduler = new Scheduler(clock, signal, () => undefined);
  await sendFile({
    ...dryRun(job, clock),
    validateRow: sendsBroken,
    postBatch: job.dryPost,
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
      }
      asked.delete(row);
    },
  }).finally(() => scheduler.close());
  if (found.size === 0 || signal.aborted) return undefined;
  return Object.fromEntries([...found].map(([name, rows]) => [name, [...rows.bits()]]));
}
