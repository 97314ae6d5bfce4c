// The runs that somebody means who names a file or a run's id, and what is said of each in a list. Begins and changes none.

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
  /** The runs of these bytes, or the one of this id, the latest first. */
  known: StoredRun[];
  /** Runs of other bytes under this file's name: never meant, but worth a word. */
  namesakes: StoredRun[];
  /** When a file was named. */
  path?: string;
}

/** Throws Ended. */
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
      `There is no file and no run ${target}. The runs in ${runs.folder} are told by: ${statusCommand(runs.folder)}`,
    );
  }
  const runs = openRuns(stateFolder(target, state));
  const known = await runs.of(await fingerprintOf(await openSource(target)));
  const ids = new Set(known.map(({ id }) => id));
  const namesakes = (await runs.list()).filter(({ id, fileName }) => fileName === basename(target) && !ids.has(id));
  return { runs, known, namesakes, path: resolve(target) };
}

/** `status [FILE]`: one line a run, the latest first; of a file also the runs of other bytes under its name. */
export async function listRuns(target: string | undefined, options: Options): Promise<{ run: StoredRun; words: string }[]> {
  const known = target === undefined ? await openRuns(resolve(options.state ?? STATE_FOLDER)).list() : await allOf(target, options.state);
  return known.map((run) => ({ run, words: wordsFor(run) }));
}

async function allOf(target: string, state: string | undefined): Promise<StoredRun[]> {
  const { known, namesakes } = await findRuns(target, state);
  return [...known, ...namesakes].sort((a, b) => b.startedAt - a.startedAt);
}

function wordsFor(run: StoredRun): string {
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
