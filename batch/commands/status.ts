// `status`: finds the runs of a file or an id, and describes each in one line.

import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Options } from "../console/arguments.ts";
import { CommandError, count, EXIT } from "../console/exit-codes.ts";
import { countStored } from "../console/outcome-groups.ts";
import { fingerprintOf, openSource, STATE_FOLDER, stateFolder } from "../formats/source-file.ts";
import { statusCommand } from "../runs/next-commands.ts";
import { openRuns, type Runs, type StoredRun } from "../runs/run-registry.ts";

export interface Found {
  runs: Runs;
  /** The runs of a file with these bytes, or the run with this id. The latest comes first. */
  known: StoredRun[];
  /** Runs of files with this name and other bytes, for messages only. */
  namesakes: StoredRun[];
  /** Set when the target is a file. */
  path?: string;
}

/** Throws CommandError. */
export async function findRuns(target: string, state: string | undefined): Promise<Found> {
  const isFile = await stat(target).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) {
    const runs = openRuns(resolve(state ?? STATE_FOLDER));
    const known = (await runs.list()).filter(({ id }) => id === target);
    if (known.length > 0) return { runs, known, namesakes: [] };
    throw new CommandError(
      EXIT.nothing,
      `There is no file and no run ${target}. To list the runs in ${runs.folder}: ${statusCommand(runs.folder)}`,
    );
  }
  const runs = openRuns(stateFolder(target, state));
  const known = await runs.of(await fingerprintOf(await openSource(target)));
  const ids = new Set(known.map(({ id }) => id));
  const namesakes = (await runs.list()).filter(({ id, fileName }) => fileName === basename(target) && !ids.has(id));
  return { runs, known, namesakes, path: resolve(target) };
}

/** `status [FILE]`: the latest run first. For a file, runs of other bytes with its name are included. */
export async function listRuns(target: string | undefined, options: Options): Promise<{ run: StoredRun; text: string }[]> {
  const known = target === undefined ? await openRuns(resolve(options.state ?? STATE_FOLDER)).list() : await allOf(target, options.state);
  return known.map((run) => ({ run, text: describe(run) }));
}

async function allOf(target: string, state: string | undefined): Promise<StoredRun[]> {
  const { known, namesakes } = await findRuns(target, state);
  return [...known, ...namesakes].sort((a, b) => b.startedAt - a.startedAt);
}

function describe(run: StoredRun): string {
  const { id, fileName, collection, plan, rowsTotal, report, startedAt } = run;
  const taken = report ? countStored(report.counts) : undefined;
  const stored = taken === undefined ? "" : `, ${taken.toLocaleString("en")} stored`;
  const at = new Date(startedAt).toISOString().slice(0, 16).replace("T", " ");
  return `${at}  ${id}  ${fileName}  ${collection}, ${plan.mode}: ${count(rowsTotal, "record")}${stored}; ${stateOf(run)}`;
}

function stateOf({ endedAt, isUndone, isUndoing, isUnreported }: StoredRun): string {
  if (isUndone) return "taken back";
  if (isUndoing) return "NOT WHOLLY TAKEN BACK";
  if (endedAt === undefined) return "NOT FINISHED";
  return isUnreported ? "ended, WITHOUT ITS REPORT" : "ended";
}
