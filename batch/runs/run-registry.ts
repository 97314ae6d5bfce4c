// The runs of a state folder: one JSON file each, replaced as a whole, with its journal beside it.

import { createHash, randomBytes } from "node:crypto";
import { closeSync, existsSync, lstatSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Report } from "../../pipeline/model/outcomes.ts";
import type { Plan } from "../../pipeline/model/plan.ts";
import type { Fingerprint } from "../../pipeline/reading/fingerprint.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError, EXIT, type Exit, systemError } from "../console/exit-codes.ts";
import type { ReadingChoices } from "../files/choose-reader.ts";
import type { RunReport } from "../reports/report-files.ts";
import { RunJournal } from "./file-journal.ts";
import { APPEND, prepareFolder, readOwnFile, replaceFile, requireOwnFolder } from "./own-files.ts";

/** One run of a file. It keeps the plan, layout and dictionary with which it started. */
export interface StoredRun {
  /** The start of every idempotency key. */
  id: string;
  collection: string;
  /** The collections that are loaded from the file together, each by a run of its own, and how the file is read. */
  parts?: readonly string[];
  readBy?: { layout: string } | { recipe: string };
  /** Holds what the person chose about a file without a layout. */
  readWith?: ReadingChoices;
  fileName: string;
  /** Says where the file is, as far as this program knows. */
  path: string;
  /** Epoch milliseconds, like all times here. */
  startedAt: number;
  plan: Plan;
  /** The text of the layout; undefined for a delimited file whose form was detected. */
  layout?: string;
  /** The data package of the service. */
  dictionary: unknown;
  rowsTotal: number;
  /** Records that the check refused. */
  rejected: number;
  /** Records that a recipe leaves out. */
  leftOut: number;
  /** The most rejects; null for any number. */
  limit: number | null;
  fingerprint: Fingerprint;
  /** Sentences about how the file was read. */
  notes: string[];
  /** Holds the notes that the last sentence of the run repeats: what of the file is not loaded. */
  losses?: string[];
  /** Lists what the check found. */
  problems: RunReport["problems"];
  /** Holds what the header of the file says. */
  header?: { sender?: string; fileId?: string; sequence?: string; businessDate?: string };
  /** Says how the run ended for good, or stopped because too many records were refused. */
  exit?: Exit;
  /** The latest known outcomes of its records. */
  report?: Report;
  /** Is set when nothing is left to send. */
  endedAt?: number;
  /** Its first pass is not over, so that nothing was sent: how the file is loaded from the start. Plan and figures are not known yet. */
  begun?: BegunOptions;
  /** Everything is sent, but the report could not be written. */
  isUnreported?: boolean;
  /** An undo has started, so that nothing of this run may be sent any more. */
  isUndoing?: boolean;
  isUndone?: boolean;
}

/** The options of `run` by which `resume` begins again. Paths are absolute. */
export type BegunOptions = Pick<Options, "mode" | "limit" | "maxRows" | "maxBytes" | "rehearse" | "again"> &
  Partial<Pick<Options, "collection" | "layout" | "recipe" | "out" | keyof ReadingChoices>>;

export interface Runs {
  folder: string;
  /** Lists the latest first. `isMeant`: those of which it is true, so that the others need not be read. */
  list(isMeant?: (summary: Summary) => boolean): Promise<StoredRun[]>;
  /** Resolves to what is searched for in each run, the latest first, without reading them. */
  summaries(): Promise<Summary[]>;
  /** Returns undefined when there is none with this id. */
  get(id: string): Promise<StoredRun | undefined>;
  /** Lists the runs of a file with exactly these bytes, the latest first. */
  of(fingerprint: Fingerprint): Promise<StoredRun[]>;
  /** Lists the runs whose file is here, the latest first. */
  at(path: string): Promise<StoredRun[]>;
  /** Resolves when it is on the disk. */
  put(run: StoredRun): Promise<void>;
  /** Forgets a run of which nothing was sent. One that went on in the meantime stays. */
  forget(id: string): Promise<void>;
  /** Creates the journal of a new run. */
  makeJournal(id: string): Promise<RunJournal>;
  /** Throws CommandError when the journal is gone: then it is not known what was sent. */
  journal(id: string): Promise<RunJournal>;
  /** Keeps what becomes of the items of tables: written before anything is sent. */
  putItems(id: string, items: readonly number[]): Promise<void>;
  /** Throws CommandError when they are gone: then it is not known what was sent. */
  items(id: string): Promise<number[]>;
  /**
   * Deletes, at most once an hour, the journals and item plans of runs that ended long ago, and drafts that a kill left behind. The runs
   * themselves stay known: by them a file that comes again is recognized, its sequence is compared, and it is taken back.
   */
  tidy(now: number): Promise<void>;
}

const KEEP_DAYS = 90; // for this long it is known what an ended run has sent

/** Makes an id that is unique and sorts by time. */
export function newRunId(now: Date): string {
  const [date, time] = now.toISOString().slice(0, 19).replace(/[-:]/g, "").split("T");
  return `${date}-${time}-${randomBytes(6).toString("hex")}`;
}

/** Returns a short name for the bytes of a file. Files with the same bytes have the same name. */
export function digestOf({ size, blocks }: Fingerprint): string {
  return createHash("sha256").update(`${size} `).update(blocks).digest("hex").slice(0, 24);
}

/** Holds what is searched for in a run; `stamp` tells a replaced file from the one that was read. */
export interface Summary extends Pick<StoredRun, "id" | "collection" | "fileName" | "path" | "startedAt" | "header"> {
  stamp: string;
  digest: string;
  /** Is undefined also for a run whose report is left to write, which needs its journal. */
  endedAt?: number | undefined;
}

/** Keeps them by the path of the run's file. A watcher looks through the runs for each of its files, and each run holds a whole dictionary. */
const summaries = new Map<string, Summary>();

const TIDY_EVERY = 3_600_000; // ms
const tidiedAt = new Map<string, number>();

/** Returns undefined when the run is gone: another process has forgotten it. */
async function summaryOf(path: string): Promise<Summary | undefined> {
  const stamp = stampOf(path);
  const before = summaries.get(path);
  if (before && before.stamp === stamp) return before;
  const run = await readRun(path);
  if (run && stamp !== undefined) return summarize(path, stamp, run);
  summaries.delete(path);
  return undefined;
}

function stampOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

function summarize(path: string, stamp: string, run: StoredRun): Summary {
  const { id, collection, fileName, path: source, startedAt, header, endedAt, isUnreported, fingerprint } = run;
  const kept = { id, collection, fileName, path: source, startedAt, ...(header && { header }) };
  const summary = { ...kept, stamp, digest: digestOf(fingerprint), endedAt: isUnreported ? undefined : endedAt };
  summaries.set(path, summary);
  return summary;
}

/** The summaries of a state folder on the disk, so that a start does not read thousands of runs. It may be gone or old at any time. */
const INDEX = "runs.index";
const FORM = 1; // another number where a summary gets more properties
const WORTH_AN_INDEX = 50; // runs that were read

/** Takes those that are still as the runs are, and resolves to their paths. */
async function readIndex(folder: string): Promise<Set<string>> {
  const path = join(folder, INDEX);
  const fresh = new Set<string>();
  if (!existsSync(path)) return fresh;
  try {
    const { form, runs } = JSON.parse(await readOwnFile(path)) as { form: number; runs: Summary[] };
    for (const summary of form === FORM ? runs : []) {
      const run = join(folder, `${summary.id}.json`);
      if (summaries.has(run) || stampOf(run) !== summary.stamp) continue;
      summaries.set(run, summary);
      fresh.add(run);
    }
  } catch {
    // Whatever it does not say is read from the runs, and it is written anew.
  }
  return fresh;
}

async function writeIndex(folder: string, paths: readonly string[]): Promise<void> {
  try {
    await replaceFile(folder, INDEX, JSON.stringify({ form: FORM, runs: paths.flatMap((path) => summaries.get(path) ?? []) }));
  } catch (error) {
    if (systemError(error) === undefined) throw error; // on a full disk the next start reads the runs again
  }
}

const indexed = new Set<string>();
const complete = new Set<string>(); // folders whose runs were all looked at

function latestFirst(a: Pick<StoredRun, "id" | "startedAt">, b: Pick<StoredRun, "id" | "startedAt">): number {
  return b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);
}

const journalPath = (folder: string, id: string) => join(folder, `${id}.batches`);

/**
 * Has two bytes for each run that any process has begun: whoever knows how many of them are its own sees those of others without listing
 * thousands of names for each file.
 */
const COUNT = "runs.count";
const LIST_EVERY = 60_000; // ms; for runs that an earlier version of the command, or a person, has put there
const listings = new Map<string, { count: number; at: number }>();

function countIn(folder: string): number {
  return lstatSync(join(folder, COUNT), { throwIfNoEntry: false })?.size ?? 0;
}

function countOne(folder: string): void {
  const last = listings.get(folder);
  try {
    const file = openSync(join(folder, COUNT), APPEND, 0o600);
    try {
      writeSync(file, ".");
    } finally {
      closeSync(file);
    }
    if (last) last.count += 1;
  } catch (error) {
    if (systemError(error) === undefined) throw error; // on a full disk others see the run a minute later
  }
}

/** Resolves to the files of runs. `mayKnow`: those that this process knows will do, unless another one has begun a run since. */
function listRuns(folder: string, mayKnow: boolean): string[] {
  const prefix = join(folder, sep); // to join thousands of paths took a third of the time
  const [count, at] = [countIn(folder), Date.now()]; // before the names are read
  const last = listings.get(folder);
  if (mayKnow && last?.count === count && at - last.at < LIST_EVERY)
    return [...summaries.keys()].filter((path) => path.startsWith(prefix) && !path.includes(sep, prefix.length));
  listings.set(folder, { count, at });
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith(".json")).map((name) => prefix + name);
}

/** The latest run comes first. `isForGood`: what it does not mean now, as far as this process knows, it never means; then the file is not looked at again. */
async function search(folder: string, isMeant: (summary: Summary) => boolean, isForGood = false): Promise<Map<string, Summary>> {
  await requireOwnFolder(folder);
  const paths = listRuns(folder, isForGood && complete.has(folder));
  const fresh = indexed.has(folder) ? new Set() : await readIndex(folder);
  indexed.add(folder);
  const unknown = paths.filter((path) => !summaries.has(path)).length;
  const found: [path: string, summary: Summary][] = [];
  for (const path of paths) {
    const before = summaries.get(path);
    const isKnown = before && (fresh.has(path) || (isForGood && !isMeant(before)));
    const summary = isKnown ? before : await summaryOf(path);
    if (summary && isMeant(summary)) found.push([path, summary]);
  }
  complete.add(folder);
  if (unknown >= WORTH_AN_INDEX) await writeIndex(folder, paths);
  return new Map(found.sort(([, a], [, b]) => latestFirst(a, b)));
}

export function openRuns(folder: string): Runs {
  async function find(isMeant: (summary: Summary) => boolean, isForGood?: boolean): Promise<StoredRun[]> {
    const runs = await Promise.all([...(await search(folder, isMeant, isForGood)).keys()].map(readRun));
    return runs.filter((run) => run !== undefined);
  }
  return {
    folder,
    list: (isMeant = () => true) => find(isMeant),
    summaries: async () => [...(await search(folder, () => true)).values()],
    get: (id) => readRun(join(folder, `${id}.json`)),
    of(fingerprint) {
      const digest = digestOf(fingerprint);
      return find((summary) => summary.digest === digest, true);
    },
    // Only a watcher gives a run the path of a file in its folder, and there is one watcher: what it knows it need not read anew.
    at: (path) => (complete.has(folder) ? knownAt(path, folder) : find((summary) => summary.path === path, true)),
    async put(run) {
      await prepareFolder(folder);
      const path = join(folder, `${run.id}.json`);
      const isNew = !summaries.has(path);
      if (isNew) countOne(folder); // before and after: whoever lists the names in between lists them again
      await replaceFile(folder, `${run.id}.json`, formatRun(run));
      summarize(path, stampOf(path) ?? "", run);
      if (isNew) countOne(folder);
    },
    async forget(id) {
      const path = join(folder, `${id}.json`);
      if (!(await readRun(path))?.begun) return;
      rmSync(path, { force: true });
      summaries.delete(path);
    },
    async makeJournal(id) {
      await prepareFolder(folder);
      return RunJournal.open(journalPath(folder, id)); // its name is on the disk with that of the run, which is stored next
    },
    async journal(id) {
      if (existsSync(journalPath(folder, id))) return RunJournal.open(journalPath(folder, id));
      throw new CommandError(EXIT.nothing, `What run ${id} has sent is no longer known: ${journalPath(folder, id)} is gone.`);
    },
    putItems: (id, items) => replaceFile(folder, `${id}.items`, JSON.stringify(items)),
    async items(id) {
      const path = join(folder, `${id}.items`);
      if (existsSync(path)) return JSON.parse(await readOwnFile(path)) as number[];
      throw new CommandError(EXIT.nothing, `Which stored items run ${id} replaces is no longer known: ${path} is gone.`);
    },
    async tidy(now) {
      if (now - (tidiedAt.get(folder) ?? 0) < TIDY_EVERY) return;
      tidiedAt.set(folder, now);
      const before = now - KEEP_DAYS * 86_400_000;
      const newest = newRunId(new Date(before));
      for (const name of existsSync(folder) ? readdirSync(folder) : []) {
        const [, id, kind] = /^(.+)\.(batches|items|new)$/.exec(name) ?? [];
        if (id === undefined || (/^\d{8}-/.test(id) && id > newest)) continue; // the name of a younger run says so
        const [path, run] = [join(folder, name), join(folder, `${id}.json`)];
        if ((lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > before) continue;
        const summary = kind === "new" ? undefined : await summaryOf(run);
        if ((summary ? (summary.endedAt ?? now) : 0) < before) rmSync(path, { force: true });
      }
    },
  };
}

async function knownAt(source: string, folder: string): Promise<StoredRun[]> {
  const runs: StoredRun[] = [];
  for (const [path, summary] of summaries) {
    if (summary.path !== source || dirname(path) !== join(folder, ".")) continue;
    const run = await readRun(path);
    if (run) runs.push(run);
  }
  return runs.sort(latestFirst);
}

/** Returns undefined when it is gone. */
async function readRun(path: string): Promise<StoredRun | undefined> {
  const text = await readOwnFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (text === undefined) return undefined;
  try {
    return parseRun(text);
  } catch {
    throw new CommandError(EXIT.nothing, `${path} is not the state of a run. Move it away, or restore it from a backup.`);
  }
}

/** Returns the text of a run's file: JSON, with `blocks` in Base64. */
export function formatRun({ fingerprint: { size, blocks }, ...run }: StoredRun): string {
  return `${JSON.stringify({ ...run, fingerprint: { size, blocks: Buffer.from(blocks).toString("base64") } })}\n`;
}

/** Throws when the text is not the file of a run. */
function parseRun(text: string): StoredRun {
  const { fingerprint, ...run } = JSON.parse(text) as Omit<StoredRun, "fingerprint"> & { fingerprint: { size: number; blocks: string } };
  return { ...run, fingerprint: { size: fingerprint.size, blocks: new Uint8Array(Buffer.from(fingerprint.blocks, "base64")) } };
}
