// `status`: describes each run of a file, an id or a folder in one line.

import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { Options } from "../console/arguments.ts";
import { count } from "../console/exit-codes.ts";
import { countStored } from "../console/outcome-groups.ts";
import { STATE_FOLDER } from "../formats/source-file.ts";
import { findRuns } from "../runs/find-runs.ts";
import { openRuns, type StoredRun } from "../runs/run-registry.ts";

/** `status [FILE|RUN|DIR]`: the latest run first. For a file, runs of other bytes with its name are included. */
export async function listRuns(target: string | undefined, { state }: Options): Promise<Listed> {
  const runs = openRuns(resolve(state ?? STATE_FOLDER));
  const { known, folder } = target === undefined ? { known: await runs.list(), folder: runs.folder } : await allOf(target, state);
  return { listed: known.map((run) => ({ run, text: describeRun(run) })), folder };
}

interface Listed {
  listed: { run: StoredRun; text: string }[];
  /** The state folder in which they are. */
  folder: string;
}

async function allOf(target: string, state: string | undefined): Promise<{ known: StoredRun[]; folder: string }> {
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) {
    const inside = openRuns(basename(resolve(target)) === STATE_FOLDER ? resolve(target) : join(resolve(target), STATE_FOLDER));
    return { known: await inside.list(), folder: inside.folder };
  }
  const { known, namesakes, runs } = await findRuns(target, state);
  return { known: [...known, ...namesakes].sort((a, b) => b.startedAt - a.startedAt), folder: runs.folder };
}

/** In one line. */
export function describeRun(run: StoredRun): string {
  const { id, fileName, collection, plan, rowsTotal, report, startedAt } = run;
  const taken = report ? countStored(report.counts) : undefined;
  const stored = taken === undefined ? "" : `, ${taken.toLocaleString("en")} stored`;
  const at = new Date(startedAt).toISOString().slice(0, 16).replace("T", " ");
  return `${at} UTC  ${id}  ${fileName}  ${collection}, ${plan.mode}: ${count(rowsTotal, "record")}${stored}; ${stateOf(run)}`;
}

function stateOf({ endedAt, isUndone, isUndoing, isUnreported }: StoredRun): string {
  if (isUndone) return "taken back";
  if (isUndoing) return "ONLY PARTLY TAKEN BACK";
  if (endedAt === undefined) return "NOT FINISHED";
  return isUnreported ? "ended, WITHOUT ITS REPORT" : "ended";
}
