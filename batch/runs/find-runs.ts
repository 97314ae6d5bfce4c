// Finds the runs that a file, its name or an id means, also where the file was moved or is gone.

import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CommandError, EXIT } from "../console/exit-codes.ts";
import { fingerprintOf, openSource, STATE_FOLDER, stateFolder } from "../files/source-file.ts";
import type { Decrypt } from "./decrypt-file.ts";
import { statusCommand } from "./next-commands.ts";
import { openRuns, type Runs, type StoredRun, type Summary } from "./run-registry.ts";

export interface Found {
  runs: Runs;
  /** The runs of a file with these bytes, or the run with this id; of a file that is gone, the runs under its path or name. The latest comes first. */
  known: StoredRun[];
  /** Runs of files with this name and other bytes, for messages only. */
  namesakes: StoredRun[];
  /** Is set when the target is a file. */
  path?: string;
  /** The runs were found by a name, which several files may have had. */
  isByName?: true;
}

/** Throws CommandError. */
export async function findRuns(target: string, state: string | undefined, decrypt?: Decrypt): Promise<Found> {
  const isFile = await stat(target).then(
    (found) => found.isFile(),
    () => false,
  );
  const places = placesOf(target, state).map(openRuns);
  return isFile ? findByBytes(target, places, decrypt) : findByName(target, places);
}

/** Says where a watcher keeps its files within the folder that it watches. */
const WATCHED = ["processing", "archive", "rejected"];

/** Lists the state folders in which a run of this file may be, the likeliest first. */
function placesOf(target: string, state: string | undefined): string[] {
  if (state !== undefined) return [resolve(state)];
  const folder = dirname(resolve(target));
  const watched = WATCHED.includes(basename(folder)) ? [join(dirname(folder), STATE_FOLDER)] : [];
  return [...new Set([...watched, stateFolder(target, undefined), resolve(STATE_FOLDER)])];
}

/** Finds them in the first folder that has a run of these bytes. */
async function findByBytes(target: string, places: readonly Runs[], decrypt: Decrypt | undefined): Promise<Found> {
  const fingerprint = await fingerprintOf(await openSource(target, decrypt));
  const found: Found[] = [];
  for (const runs of places) {
    const known = await runs.of(fingerprint);
    const ids = new Set(known.map(({ id }) => id));
    const namesakes = await runs.list(({ id, fileName }) => fileName === basename(target) && !ids.has(id));
    found.push({ runs, known, namesakes, path: resolve(target) });
  }
  const best = found.find(({ known }) => known.length > 0) ?? found.find(({ namesakes }) => namesakes.length > 0) ?? found[0];
  return best as Found;
}

/** Finds a run by id, else by the path of a file that is gone, else by its name. */
async function findByName(target: string, places: readonly Runs[]): Promise<Found> {
  const isMeant: ((run: Summary) => boolean)[] = [
    ({ id }) => id === target,
    ({ path }) => path === resolve(target),
    ({ fileName }) => fileName === basename(target),
  ];
  for (const [i, matches] of isMeant.entries()) {
    for (const runs of places) {
      const known = await runs.list(matches);
      if (known.length > 0) return { runs, known, namesakes: [], ...(i > 0 && { isByName: true }) };
    }
  }
  const folders = places.map(({ folder }) => folder);
  const where = folders.length === 1 ? `; the runs are in ${folders[0]}` : `, neither in ${folders.join(" nor in ")}`;
  throw new CommandError(
    EXIT.nothing,
    `There is no file and no run ${target}${where}. To list the runs of a folder: ${statusCommand(folders[0] as string)}`,
  );
}
