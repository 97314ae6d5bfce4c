// Works on import jobs: takes one, starts its thread, and sees to it that exactly one process works on each.

import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessagePort, Worker, WorkerOptions } from "node:worker_threads";
import type { ImportCalls, ImportEnd, ImportOrder, ImportProgress } from "../../core/contract/imports.ts";
import { RUN_OUTCOMES, type RunCounts } from "../../core/contract/runs.ts";
import type { Content } from "../content/content.ts";
import type { ReportWork } from "../engine/background.ts";
import { serveCalls } from "../engine/sqlite/calls.ts";
import type { Store } from "../engine/store.ts";
import { createLentTokens, type LentTokens } from "../people/auth/lent-tokens.ts";
import type { Held, StoredImport } from "./store/imports.ts";

/** All in ms. */
export interface ImportTiming {
  /** Says for how long a process has an import without renewing that. */
  lease: number;
  /** Says how often it is renewed. */
  beat: number;
  /** Says how often other processes' imports, and those that a process left when it ended, are searched for. */
  search: number;
  /** Says how long it waits after a failure. */
  again: number;
}

const TIMING: ImportTiming = { lease: 10_000, beat: 2_000, search: 5_000, again: 30_000 };
const AT_ONCE = 2; // imports in one process
const MOST_ATTEMPTS = 5; // without anything new stored
const SWEEP_EVERY = 3_600_000; // ms
export const IMPORT_MEMORY = 512; // MB of one thread

export interface ImporterParts {
  store: Pick<Store, "imports" | "runs" | "isShared">;
  /** Holds the files that wait. Undefined: there is no place, and nothing is imported. */
  content: Content | undefined;
  report: ReportWork;
  /** Starts batch/imports/import-thread.ts. */
  startThread(options: WorkerOptions): Worker;
}

export interface Importer {
  content: Content | undefined;
  lent: LentTokens;
  /** Says that there is a new import, or one to be ended. */
  wake(): void;
  /** Names the root of the API of this process, once it listens. */
  serveAt(baseUrl: string): void;
  /** Works until the signal is aborted. What it has not finished, another process or a later start goes on with. */
  run(signal: AbortSignal): Promise<void>;
}

export function createImporter(parts: ImporterParts, timing = TIMING): Importer {
  const { store, content, report } = parts;
  const beats = new Set<() => void>(); // of the imports that it works on
  const lent = createLentTokens();
  let baseUrl = "";
  let sweptAt = Number.NEGATIVE_INFINITY;
  let wake = () => {};
  async function take(): Promise<{ job: StoredImport; held: Held } | undefined> {
    const now = Date.now();
    if (!(await store.imports.hasFreeImport(now))) return undefined;
    const holder = randomUUID();
    const job = await store.imports.takeImport(holder, now, now + timing.lease);
    return job && { job, held: { id: job.id, holder } };
  }
  async function run(signal: AbortSignal): Promise<void> {
    if (!content) return;
    const works = new Set<Promise<void>>();
    const failed = (error: unknown) => void report("imports", error);
    await dropStaleCopies().catch(failed);
    if (!store.isShared) await store.imports.freeImports().catch(failed);
    signal.addEventListener("abort", () => wake());
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const taken = works.size < AT_ONCE ? await take().catch(failed) : undefined;
      if (taken) {
        const work = workOn(taken.job, taken.held, { ...parts, content, lent, baseUrl, timing, beats, signal }).then(
          () => report("imports"),
          failed,
        );
        const ended = work.then(() => {
          works.delete(ended);
          sweptAt = Number.NEGATIVE_INFINITY;
          wake();
        });
        works.add(ended);
        continue;
      }
      if (performance.now() - sweptAt > SWEEP_EVERY) {
        sweptAt = performance.now();
        await sweepBodies(content, store).catch(failed);
      }
      const found = new AbortController();
      const searched = sleep(timing.search, undefined, { signal: found.signal, ref: false }).catch(() => undefined); // aborted
      await Promise.race([woken, searched]);
      found.abort();
    }
    await Promise.all(works);
  }
  return {
    content,
    lent,
    wake() {
      for (const beat of beats) beat();
      sweptAt = Number.NEGATIVE_INFINITY;
      wake();
    },
    serveAt(root) {
      baseUrl = root;
    },
    run,
  };
}

/** Removes the files of imports that have ended, wherever that was. */
async function sweepBodies(content: Content, { imports }: ImporterParts["store"]): Promise<void> {
  const needed = async () => new Set(await imports.listImportBodies());
  const all = await content.list();
  const known = await needed();
  const orphans = all.filter((hash) => !known.has(hash));
  if (orphans.length > 0) await content.remove(orphans, needed);
}

interface Work extends ImporterParts {
  content: Content;
  lent: LentTokens;
  baseUrl: string;
  timing: ImportTiming;
  beats: Set<() => void>;
  signal: AbortSignal;
}

const LARGE = `The file is too large: reading it takes more than ${IMPORT_MEMORY} MB of memory. Divide it, or send it as CSV.`;
const GONE = "The file is not there any more. Send it again.";
const FAILED = "The service tried several times and could not go on with this file. Ask its administrator to look into its log.";

async function workOn(job: StoredImport, held: Held, work: Work): Promise<void> {
  const { store, content, lent, timing } = work;
  if (job.isCancelled) return void (await endJob(job, held, withoutCounts(job, "cancelled", null), work));
  if (job.attempts > MOST_ATTEMPTS) return void (await endJob(job, held, withoutCounts(job, "stopped", FAILED), work));
  const token = lent.lend({ type: job.byType, id: job.byId, scope: job.scope });
  const path = join(tmpdir(), `${OWN_COPIES}${held.holder}`);
  try {
    if (!(await copyBody(content, job.body ?? "", path))) return void (await endJob(job, held, withoutCounts(job, "stopped", GONE), work));
    await runThread(job, held, { token, path }, work);
  } catch (error) {
    if (!work.signal.aborted) await store.imports.releaseImport(held, Date.now() + timing.again);
    throw error;
  } finally {
    lent.end(token);
    await rm(path, { force: true });
    if (work.signal.aborted) await store.imports.releaseImport(held, 0);
  }
}

/** Resolves when its thread has ended. Throws what another try may change. */
async function runThread(job: StoredImport, held: Held, { token, path }: Pick<ImportOrder, "token" | "path">, work: Work): Promise<void> {
  const { store, beats, signal, timing, baseUrl } = work;
  const { imports } = store;
  const { id, fileName, collection, options, begun } = job;
  const order: ImportOrder = { id, baseUrl, token, path, fileName, collection, options, begun };
  const resourceLimits = { maxOldGenerationSizeMb: IMPORT_MEMORY };
  const thread = work.startThread({ workerData: order, resourceLimits });
  let { progress } = job;
  let isOver = false;
  const own = async (isKept: Promise<boolean>) => {
    if (await isKept) return;
    isOver = true;
    throw new Error("another process has this import");
  };
  serveCalls(thread as unknown as MessagePort, {
    begin: (text) => own(imports.beginImport(held, text)),
    fromRow: (row) => imports.readImportBatch(id, row),
    keepBatch: (first, entry) => own(imports.keepImportBatch(held, first, entry)),
    async progress(next) {
      progress = next;
    },
    async end(end) {
      await endJob(job, held, end, work);
      isOver = true;
    },
  } satisfies ImportCalls);
  const lease = { held, timing, imports, progress: () => progress, onLost: () => void thread.terminate() };
  const beat = createBeat(lease, thread, work);
  const end = () => void thread.terminate();
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  beats.add(beat.now);
  try {
    const error = await ended(thread);
    if (isOver || signal.aborted || beat.isLost()) return;
    if ((error as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY")
      return void (await endJob({ ...job, progress }, held, withoutCounts({ ...job, progress }, "stopped", LARGE), work));
    throw error ?? new Error("the thread of an import ended too early");
  } finally {
    beats.delete(beat.now);
    beat.end();
    signal.removeEventListener("abort", end);
  }
}

/** Resolves to its error, if it has ended with one. */
function ended(thread: Worker): Promise<unknown> {
  return new Promise((resolve) => {
    let failure: unknown;
    thread.once("error", (error) => {
      failure = error;
    });
    thread.once("exit", () => resolve(failure));
  });
}

interface Lease extends Pick<Work, "timing"> {
  held: Held;
  imports: Store["imports"];
  progress(): ImportProgress;
  onLost(): void;
}

/** Renews the lease again and again, and tells the thread when somebody has asked for its end. */
function createBeat({ held, timing, imports, progress, onLost }: Lease, thread: Worker, { report }: Pick<Work, "report">) {
  let isLost = false;
  let isRenewing = false;
  const now = async () => {
    if (isRenewing) return;
    isRenewing = true;
    try {
      const answer = await imports.renewImport(held, Date.now() + timing.lease, progress());
      if (answer === "cancel") thread.postMessage({ cancel: true });
      isLost = answer === "lost";
      if (isLost) onLost();
    } catch (error) {
      report("imports", error); // a batch asks again whether it is still ours
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void now(), timing.beat);
  timer.unref();
  return { now: () => void now(), isLost: () => isLost, end: () => clearInterval(timer) };
}

function withoutCounts({ progress, result }: StoredImport, state: ImportEnd["state"], why: string | null): ImportEnd {
  const { counts, rowsTotal } = progress;
  const { problems, notes } = result;
  return { state, why, problems, notes, counts, rowsTotal, seconds: 0, isReported: false };
}

/** Ends it, and its run where the thread could not do that. */
async function endJob(job: StoredImport, held: Held, end: ImportEnd, { store }: Pick<Work, "store">): Promise<void> {
  const { seconds, isReported, ...kept } = end;
  if (!(await store.imports.isOwnImport(held))) return; // another process ends it, and its run
  if (!isReported && !job.options.dryRun) await endRun(job, end, seconds, store);
  await store.imports.endImport(held, kept, Date.now());
}

/** Reports a run that has begun, so that Uploads does not say that it goes on. What became of rows that had no outcome yet nobody knows. */
async function endRun({ id, byType, byId, progress }: StoredImport, end: ImportEnd, seconds: number, { runs }: Pick<Store, "runs">) {
  const by = { type: byType, id: byId };
  const run = await runs.readRun(id, by);
  if (run?.state !== "running") return;
  const none = Object.fromEntries(RUN_OUTCOMES.map((outcome) => [outcome, 0])) as RunCounts;
  const known = end.counts ?? progress.counts ?? none;
  const sum = RUN_OUTCOMES.reduce((all, outcome) => all + known[outcome], 0);
  const rowsRead = Math.max(sum, end.rowsTotal ?? progress.rowsTotal ?? 0);
  const counts = { ...known, inDoubt: known.inDoubt + rowsRead - sum };
  const report = { state: "cancelled" as const, counts, rowsRead, seconds, ...(end.why !== null && { why: end.why }), rows: [] };
  await runs.putRun({ ...run, by, now: Date.now(), report });
}

const COPIES = "intake-import-";
const OWN_COPIES = `${COPIES}${process.pid}-${Math.round(performance.timeOrigin)}-`;

/** The content may stand in a bucket, and its place may change while it is read. False where it is not there. */
async function copyBody(content: Content, hash: string, path: string): Promise<boolean> {
  const found = await content.find(hash);
  if (!found) return false;
  await pipeline(await found.stream(), createWriteStream(path, { mode: 0o600, flags: "wx" }));
  return true;
}

/** Removes copies of processes that were ended: those whose number nobody has, and of ours those from before our start. */
async function dropStaleCopies(): Promise<void> {
  const copies = (await readdir(tmpdir())).filter((name) => name.startsWith(COPIES) && !name.startsWith(OWN_COPIES));
  for (const name of copies) {
    const [, pid = ""] = /^intake-import-(\d+)-/.exec(name) ?? [];
    if (Number(pid) === process.pid || !isAlive(Number(pid))) await rm(join(tmpdir(), name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
