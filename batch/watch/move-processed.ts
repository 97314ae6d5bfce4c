// Moves a loaded file to `archive` or `rejected` and records its new place in the run.

import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { withFileLock } from "../commands/run.ts";
import { CommandError, EXIT, type Exit, type ExitCode } from "../console/exit-codes.ts";
import type { ProgressWriter } from "../console/progress.ts";
import { fingerprintOf, openSource } from "../files/source-file.ts";
import { digestOf, openRuns, type Runs, type StoredRun } from "../runs/run-registry.ts";
import type { Inbox } from "./inbox.ts";

export interface WatchState {
  folder: Inbox;
  /** The state folder. */
  state: string;
  progress: ProgressWriter;
}

/** Returns undefined where the file stays in `processing`, because something other than the file was the reason and may be gone the next time. */
export function placeFor({ code, isOfFile }: Exit): "archive" | "rejected" | undefined {
  return isOfFile ? "rejected" : PLACES[code];
}

/** Lists the exits whose reason is not the file. */
const PLACES: Record<ExitCode, "archive" | undefined> = {
  [EXIT.stored]: "archive",
  [EXIT.nothing]: undefined,
  [EXIT.rejects]: "archive",
  [EXIT.stopped]: undefined,
  [EXIT.unreached]: undefined,
  [EXIT.notNeeded]: undefined,
};

/** Moves the file and updates the path of its run, so that the next file of this name is not taken for it. Returns its new path and that of its report. */
export async function moveProcessed(
  path: string,
  where: "archive" | "rejected",
  exit: Exit,
  { folder, state, progress }: WatchState,
): Promise<{ path: string; report: string | undefined }> {
  const { to, report } = await folder.moveProcessed(path, where);
  const runs = openRuns(state);
  const moved = join(folder.path, to);
  for (const run of await runs.at(path))
    await withFileLock(runs, run.fingerprint, run.fileName, () => movePath(runs, run.id, moved)).catch((error) => {
      // Most likely another process works on the run just now. The next watcher notes the new place.
      if (!(error instanceof CommandError)) throw error;
      progress.line(`${basename(path)}: its new place is not noted yet: ${error.message}`, { step: "stays", file: basename(path) });
    });
  logMoved(basename(path), to, exit, progress);
  return { path: moved, report: report && join(folder.path, report) };
}

/** Reads the run within the lock, so that nothing is lost of what another process noted in it. */
async function movePath(runs: Runs, id: string, path: string): Promise<void> {
  const run = await runs.get(id);
  if (run) await runs.put({ ...run, path });
}

/** Updates runs whose files an earlier watcher moved without recording it. */
export async function noteMoved({ folder, state, progress }: WatchState): Promise<void> {
  const runs = openRuns(state);
  const known = new Set((await runs.summaries()).map(({ path }) => path));
  for (const run of await runs.list(({ path }) => dirname(path) === join(folder.path, "processing"))) {
    const { exit, path } = run;
    const isMoved = exit && !lstatSync(path, { throwIfNoEntry: false }); // throws where it cannot be known
    if (!isMoved) continue;
    const found = await findMoved(run, folder.path, known);
    const to = found ?? join(placeFor(exit) ?? "archive", basename(path)); // somebody has deleted or moved it since
    await movePath(runs, run.id, join(folder.path, to));
    known.add(join(folder.path, to));
    if (found) logMoved(basename(path), to, exit, progress);
  }
}

function logMoved(name: string, to: string, { code, sentence }: Exit, progress: ProgressWriter): void {
  progress.line(`${name}: exit code ${code}, now ${to}. ${sentence}`, { step: "put away", file: name, to, exitCode: code, sentence });
}

/** Compares bytes, because the name may belong to another file by now. */
async function findMoved({ fingerprint }: StoredRun, folder: string, known: ReadonlySet<string>): Promise<string | undefined> {
  for (const place of ["archive", "rejected"]) {
    for (const name of await readdir(join(folder, place))) {
      const path = join(folder, place, name);
      const isLike = !known.has(path) && lstatSync(path, { throwIfNoEntry: false })?.size === fingerprint.size;
      if (isLike && digestOf(await fingerprintOf(await openSource(path))) === digestOf(fingerprint)) return join(place, name);
    }
  }
  return undefined;
}
