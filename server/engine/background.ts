// Work that no request waits for: how it ended is reported, so that no failure goes unseen.

/** The names stand in the log and in the metric `background_work_total`. */
export const WORK_NAMES = [
  "stored answers", // those that are too old are deleted
  "history",
  "exports",
  "runs", // reports of uploads and batch runs that are too old are deleted
  "imports", // of files, and those that ended long ago are deleted
  "deliveries",
  "erasures", // those that an earlier process did not finish
  "search words", // renewed after the dictionary has changed
  "indexes", // of fields that are new, with PostgreSQL
  "key use", // when and from where a key was used
  "session use",
  "views", // of administrators who looked at the app as somebody else, and whose end is logged
  "former names", // how often they were used
  "dictionary", // one that another process has applied is served
  "conversions", // of fields into another kind, and values that are computed anew
  "violations", // counted once a day
  "duplicates", // records that may be the same
  "files", // content that nothing names any more is removed
] as const;
export type WorkName = (typeof WORK_NAMES)[number];

/** Is called when a piece of work has ended; `error` is there if it failed. */
export type ReportWork = (work: WorkName, error?: unknown) => void;

export const NO_REPORT: ReportWork = () => {};

/** Runs the work and reports how it ended. Resolves to undefined if it failed; never rejects. */
export async function unattended<T>(work: WorkName, report: ReportWork, run: () => Promise<T>): Promise<T | undefined> {
  try {
    const result = await run();
    report(work);
    return result;
  } catch (error) {
    report(work, error);
    return undefined;
  }
}

const LONG_PAUSE = 30_000; // ms, after a step that failed: a full disk, a database that does not answer

/**
 * Runs step after step until one has nothing left to do, and rests as long as each took. Returns a function that stops it and waits for
 * the step that is under way.
 */
export function runInSteps(work: WorkName, report: ReportWork, step: () => Promise<boolean>): () => Promise<void> {
  let isStopped = false;
  let wake = () => {};
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!isStopped) {
      const began = performance.now();
      const hasMore = await unattended(work, report, step);
      if (hasMore === false || isStopped) return;
      await rest(hasMore ? performance.now() - began : LONG_PAUSE);
    }
  };
  const running = run();
  return () => {
    isStopped = true;
    wake();
    return running;
  };
}
