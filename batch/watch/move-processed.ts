// A file that was loaded goes where its ending belongs, and its run is noted there, also when a watcher ended between the two. Loads none.

import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EXIT, type Exit, type ExitCode } from "../console/exit-codes.ts";
import type { ProgressWriter } from "../console/progress.ts";
import { fingerprintOf, openSource } from "../formats/source-file.ts";
import { digestOf, openRuns, type StoredRun } from "../runs/run-registry.ts";
import type { Inbox } from "./inbox.ts";

export interface Keeper {
  folder: Inbox;
  /** The folder of the runs. */
  state: string;
  progress: ProgressWriter;
}

/** What is wrong with the file stays wrong; whatever else was in the way, somebody may clear: then it has no place yet. */
export function placeFor({ code, isOfFile }: Exit): "archive" | "rejected" | undefined {
  return isOfFile ? "rejected" : PLACES[code];
}

/** By exit code, where the file is not the reason. */
const PLACES: Record<ExitCode, "archive" | undefined> = {
  [EXIT.stored]: "archive",
  [EXIT.nothing]: undefined,
  [EXIT.rejects]: "archive",
  [EXIT.stopped]: undefined,
  [EXIT.unreached]: undefined,
  [EXIT.duplicate]: undefined,
};

/** A run goes where its file goes; in processing it would stand for the next file of that name. */
export async function moveProcessed(
  path: string,
  where: "archive" | "rejected",
  exit: Exit,
  { folder, state, progress }: Keeper,
): Promise<void> {
  const to = await folder.moveProcessed(path, where);
  const runs = openRuns(state);
  for (const run of await runs.list()) if (run.path === path) await runs.put({ ...run, path: join(folder.path, to) });
  report(basename(path), to, exit, progress);
}

/** Runs that ended, whose files a watcher before put away and did not come to note. */
export async function noteMoved({ folder, state, progress }: Keeper): Promise<void> {
  const runs = openRuns(state);
  const all = await runs.list();
  const known = new Set(all.map(({ path }) => path));
  for (const run of all) {
    const { exit, path } = run;
    const isMoved = exit && dirname(path) === join(folder.path, "processing") && !(await isThere(path));
    if (!isMoved) continue;
    const found = await findMoved(run, folder.path, known);
    const to = found ?? join(placeFor(exit) ?? "archive", basename(path)); // whoever tidied it up has it
    await runs.put({ ...run, path: join(folder.path, to) });
    known.add(join(folder.path, to));
    if (found) report(basename(path), to, exit, progress);
  }
}

function report(name: string, to: string, { code, sentence }: Exit, progress: ProgressWriter): void {
  progress.line(`${name}: exit code ${code}, now ${to}. ${sentence}`, { step: "put away", file: name, to, exitCode: code, sentence });
}

/** By its bytes: its name may have been taken. */
async function findMoved({ fingerprint }: StoredRun, folder: string, known: ReadonlySet<string>): Promise<string | undefined> {
  for (const place of ["archive", "rejected"]) {
    for (const name of await readdir(join(folder, place))) {
      const path = join(folder, place, name);
      const isLike = !known.has(path) && (await stat(path).catch(() => undefined))?.size === fingerprint.size;
      if (isLike && digestOf(await fingerprintOf(await openSource(path))) === digestOf(fingerprint)) return join(place, name);
    }
  }
  return undefined;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
