// Forgets what has been kept long enough: history, reports of runs, exports, stored answers and deliveries.

import { setTimeout as sleep } from "node:timers/promises";
import { EXPORT_DAYS, EXPORT_QUERY_DAYS } from "../core/contract/history.ts";
import { IDEMPOTENCY_HOURS } from "../core/contract/limits.ts";
import { RUN_DAYS } from "../core/contract/runs.ts";
import { DELIVERY_DAYS } from "../core/contract/webhooks.ts";
import { type ReportWork, unattended, type WorkName } from "./engine/background.ts";
import type { Store } from "./engine/store.ts";
import type { Cutoffs } from "./history/store/retention.ts";
import { StartError } from "./open-store.ts";

/** In days; undefined: for ever. */
export interface Retention {
  historyDays: number | undefined;
  changesDays: number | undefined;
  /** Bounds how long the reports of uploads and batch runs are kept; RUN_DAYS of the contract unless given. */
  runDays?: number | undefined;
}

/** All in ms. */
export interface SweeperTiming {
  first: number;
  every: number;
  pause: number;
}

/** The first one late: by then a machine that starts has got the right time. Between two steps others write. */
const TIMING: SweeperTiming = { first: 300_000, every: 3_600_000, pause: 20 };
const DAY = 86_400_000; // ms
const ANSWER_DAYS = (2 * IDEMPOTENCY_HOURS) / 24; // twice what the API promises

/** Throws StartError. */
export function readRetention(env: Readonly<Record<string, string | undefined>>): Retention {
  const { HISTORY_DAYS, CHANGES_DAYS } = env;
  const runDays = readDays("RUN_DAYS", env.RUN_DAYS);
  const historyDays = readDays("HISTORY_DAYS", HISTORY_DAYS);
  const changesDays = readDays("CHANGES_DAYS", CHANGES_DAYS) ?? historyDays;
  const why = "without the change there are no values of it.";
  if (changesDays !== undefined && historyDays === undefined)
    throw new StartError(`CHANGES_DAYS needs HISTORY_DAYS, which is not set: ${why} Set it to as many days or fewer.`);
  if (changesDays !== undefined && historyDays !== undefined && historyDays > changesDays)
    throw new StartError(`CHANGES_DAYS (${changesDays}) must not be less than HISTORY_DAYS (${historyDays}): ${why}`);
  return { historyDays, changesDays, runDays };
}

function readDays(name: string, text = ""): number | undefined {
  if (text === "") return undefined;
  if (/^[1-9][0-9]{0,4}$/.test(text)) return Number(text);
  throw new StartError(`${name} must be a whole number of days from 1 to 99999, not "${text}".`);
}

/**
 * Sweeps until the signal is aborted, and reports each step. Several processes may sweep one store. A sweep that fails, as on a store that
 * cannot be written, is tried again the next time.
 */
export function createSweeper(
  store: Store,
  { historyDays, changesDays, runDays = RUN_DAYS }: Retention,
  report: ReportWork,
  timing = TIMING,
): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    const [startedAt, from] = [Date.now(), performance.now()];
    // A clock that is set ahead does not make anything old: it is counted from the start of this process. PostgreSQL's bigint takes no fraction.
    const before = (days: number) => Math.floor(Math.min(Date.now(), startedAt + performance.now() - from) - days * DAY);
    const beforeSome = (days: number | undefined) => (days === undefined ? undefined : before(days));
    /** Returns false when the service stops. */
    const pause = (ms: number): Promise<boolean> => sleep(ms, true, { signal, ref: false }).catch(() => false); // aborted
    for (let wait = timing.first; await pause(wait); wait = timing.every) {
      const cutoffs: Cutoffs = { values: beforeSome(historyDays), changes: beforeSome(changesDays) };
      const queries = before(Math.min(historyDays ?? EXPORT_QUERY_DAYS, EXPORT_QUERY_DAYS));
      const exports = before(Math.min(changesDays ?? EXPORT_DAYS, EXPORT_DAYS));
      const [answers, deliveries] = [before(ANSWER_DAYS), before(DELIVERY_DAYS)];
      const sweeps: [WorkName, () => Promise<boolean>][] = [
        ["history", async () => historyDays !== undefined && store.sweepHistory(cutoffs)],
        ["exports", () => store.exportLog.sweepExports(queries, exports)],
        // The rows that a run did not store have values, as the history has.
        ["runs", () => store.runs.sweepRuns(before(Math.min(historyDays ?? runDays, runDays)))],
        ["imports", () => store.imports.sweepImports(before(Math.min(historyDays ?? runDays, runDays)))],
        ["stored answers", () => store.sweepAnswers(answers)],
        ["deliveries", () => store.webhooks.sweepDeliveries(deliveries)],
      ];
      for (const [work, step] of sweeps) while (await unattended(work, report, step)) if (!(await pause(timing.pause))) return;
    }
  };
}
