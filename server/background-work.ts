// Work that the service does by itself, from when it listens until it stops, and how it is reported.

import type { ReportWork, WorkName } from "./engine/background.ts";
import type { Metrics } from "./http/metrics.ts";
import type { ServiceLog } from "./people/auth/security-events.ts";

const LOG_EVERY = 60_000; // ms; while a store is lost, each request would have a line

export interface BackgroundWork {
  start(): void;
  /** Begins nothing any more, and ends when what is under way has ended. */
  stop(): Promise<void>;
}

/** `run` goes on until its signal is aborted. */
export function createBackgroundWork(run: (signal: AbortSignal) => Promise<void>): BackgroundWork {
  const stopping = new AbortController();
  let ended = Promise.resolve();
  return {
    start() {
      ended = run(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Counts each piece of work, and logs failures, at most one line a minute for work of one name: from `logTo` on, for the store is there before the log. */
export function createReport(metrics: Pick<Metrics, "countWork">): { report: ReportWork; logTo(log: ServiceLog): void } {
  const loggedAt = new Map<WorkName, number>();
  let logTo: (log: ServiceLog) => void = () => {};
  const log = new Promise<ServiceLog>((resolve) => {
    logTo = resolve;
  });
  const report: ReportWork = (work, error) => {
    metrics.countWork(work, error === undefined ? "done" : "failed");
    if (error === undefined || performance.now() - (loggedAt.get(work) ?? -LOG_EVERY) < LOG_EVERY) return;
    loggedAt.set(work, performance.now());
    void log.then((ready) => ready.error({ err: error, work }, "background work failed"));
  };
  return { report, logTo };
}
