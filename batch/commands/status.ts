// `status`: describes each run of a file, an id or a folder in one line.

import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { count } from "../../core/text/count.ts";
import { isWhollyUndone, type RunSizes } from "../../pipeline/runs/undo-progress.ts";
import type { Options } from "../console/arguments.ts";
import { CommandError } from "../console/exit-codes.ts";
import { countStored } from "../console/outcome-groups.ts";
import { STATE_FOLDER } from "../files/source-file.ts";
import type { Connection } from "../runs/connection.ts";
import { findRuns } from "../runs/find-runs.ts";
import { openRuns, type Runs, type StoredRun } from "../runs/run-registry.ts";
import { notKnown, readRunSizes } from "../runs/taken-back.ts";

const MOST_ASKED = 100; // requests
const MOST_LISTED = 20; // runs that have ended, of a folder: as many as a person sees at once

/**
 * `status [FILE|RUN|DIR]`: the latest run first. For a file, runs of other bytes with its name are included. The service is asked whether
 * they were taken back elsewhere.
 */
export async function listRuns(target: string | undefined, options: Options, connect: () => Promise<Connection>): Promise<Listed> {
  const { state, json } = options;
  const runs = openRuns(resolve(state ?? STATE_FOLDER));
  const { known, folder, earlier = 0 } = target === undefined ? await latestIn(runs, json) : await allOf(target, state, json);
  const standing = known.filter(({ isUndone, isUndoing, begun }) => !isUndone && !isUndoing && !begun);
  const sizes = await readSizes(standing.slice(0, MOST_ASKED), connect);
  const listed = known.map((run) => {
    const elsewhere = sizes instanceof Map ? sizes.get(run.id) : undefined;
    const isUndone = run.isUndone ?? (elsewhere !== undefined && isWhollyUndone(elsewhere));
    const shown = isUndone ? { ...run, isUndone } : run;
    return { run: shown, text: describeRun(shown, elsewhere) };
  });
  const more = earlier > 0 ? `${count(earlier, "earlier run")} ${earlier === 1 ? "is" : "are"} not listed. ${HOW_TO_LIST}` : undefined;
  const warning = "unknown" in sizes ? notKnown(sizes.unknown, "they were") : standing.length > MOST_ASKED ? ONLY_LATEST : more;
  return { listed, folder, ...(warning !== undefined && { warning }) };
}

const HOW_TO_LIST = "To list one, give its file or its id; --json lists all.";

interface RunsInFolder {
  known: StoredRun[];
  folder: string;
  /** Counts the runs that are not read: all of them have ended, and a person does not look through thousands. */
  earlier?: number;
}

async function latestIn(runs: Runs, isAll: boolean): Promise<RunsInFolder> {
  if (isAll) return { known: await runs.list(), folder: runs.folder };
  const all = await runs.summaries();
  const shown = all.filter(({ endedAt }, i) => i < MOST_LISTED || endedAt === undefined);
  const read = await Promise.all(shown.map(({ id }) => runs.get(id)));
  return { known: read.filter((run) => run !== undefined), folder: runs.folder, earlier: all.length - shown.length };
}

const ONLY_LATEST = `The service was asked only about the latest ${MOST_ASKED} runs whether they were taken back in the app or on another computer. To ask about an older one, give its id.`;

async function readSizes(runs: readonly StoredRun[], connect: () => Promise<Connection>): ReturnType<typeof readRunSizes> {
  if (runs.length === 0) return new Map();
  const connection = await connect().catch((error: unknown) => {
    if (error instanceof CommandError) return error;
    throw error;
  });
  return connection instanceof CommandError ? { unknown: connection.sentence } : readRunSizes(connection, runs);
}

interface Listed {
  listed: { run: StoredRun; text: string }[];
  /** The state folder in which they are. */
  folder: string;
  /** Says what is not known of them. */
  warning?: string;
}

async function allOf(target: string, state: string | undefined, isAll: boolean): Promise<RunsInFolder> {
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) {
    const inside = openRuns(basename(resolve(target)) === STATE_FOLDER ? resolve(target) : join(resolve(target), STATE_FOLDER));
    return latestIn(inside, isAll);
  }
  const { known, namesakes, runs } = await findRuns(target, state);
  return { known: [...known, ...namesakes].sort((a, b) => b.startedAt - a.startedAt), folder: runs.folder };
}

/** Says it in one line. `elsewhere`: its sizes, as the service's history says. */
export function describeRun(run: StoredRun, elsewhere?: RunSizes): string {
  const { id, fileName, collection, plan, rowsTotal, report, startedAt } = run;
  const taken = report ? countStored(report.counts) : undefined;
  const stored = taken === undefined ? "" : `, ${taken.toLocaleString("en")} stored`;
  const at = new Date(startedAt).toISOString().slice(0, 16).replace("T", " ");
  if (run.begun)
    return `${at} UTC  ${id}  ${fileName}  ${[collection, plan.mode].filter(Boolean).join(", ")}: NOT FINISHED, nothing was sent`;
  return `${at} UTC  ${id}  ${fileName}  ${collection}, ${plan.mode}: ${count(rowsTotal, "record")}${stored}; ${stateOf(run)}${partOf(run, elsewhere)}`;
}

function stateOf({ endedAt, isUndone, isUndoing, isUnreported }: StoredRun): string {
  if (isUndone) return "taken back";
  if (isUndoing) return "ONLY PARTLY TAKEN BACK";
  if (endedAt === undefined) return "NOT FINISHED";
  return isUnreported ? "ended, WITHOUT ITS REPORT" : "ended";
}

function partOf({ isUndone }: StoredRun, elsewhere: RunSizes | undefined): string {
  if (isUndone || !elsewhere || elsewhere.undone === 0) return "";
  return `, ${elsewhere.undone.toLocaleString("en")} of its ${count(elsewhere.made, "change")} taken back`;
}
