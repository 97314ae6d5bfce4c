// A file that was loaded goes where its ending belongs, and its run is noted there, also when a watcher ended between the two. Loads none.

import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Ending, EXIT } from "../console/exit-codes.ts";
import type { Teller } from "../console/progress.ts";
import { fingerprintOf, openSource } from "../formats/source-file.ts";
import { digestOf, type KeptRun, openRuns } from "../runs/run-registry.ts";
import type { DropFolder } from "./inbox.ts";

export interface Keeper {
  folder: DropFolder;
  /** The folder of the runs. */
  state: string;
  teller: Teller;
}

/** What is wrong with the file stays wrong; whatever else was in the way, somebody may clear: then it has no place yet. */
export function placeFor({ code, isOfFile }: Ending): "archive" | "rejected" | undefined {
  if (isOfFile) return "rejected";
  return code === EXIT.stored || code === EXIT.rejects ? "archive" : undefined;
}

/** A run goes where its file goes; in processing it would stand for the next file of that name. */
export async function putAway(
  path: string,
  where: "archive" | "rejected",
  ending: Ending,
  { folder, state, teller }: Keeper,
): Promise<void> {
  const to = await folder.putAway(path, where);
  const runs = openRuns(state);
  for (const run of await runs.list()) if (run.path === path) await runs.put({ ...run, path: join(folder.path, to) });
  tell(basename(path), to, ending, teller);
}

/** Runs that ended, whose files a watcher before put away and did not come to note. */
export async function noteMoved({ folder, state, teller }: Keeper): Promise<void> {
  const runs = openRuns(state);
  const all = await runs.list();
  const known = new Set(all.map(({ path }) => path));
  for (const run of all) {
    const { ending, path } = run;
    const isAway = ending && dirname(path) === join(folder.path, "processing") && !(await isThere(path));
    if (!isAway) continue;
    const found = await findAway(run, folder.path, known);
    const to = found ?? join(placeFor(ending) ?? "archive", basename(path)); // whoever tidied it up has it
    await runs.put({ ...run, path: join(folder.path, to) });
    known.add(join(folder.path, to));
    if (found) tell(basename(path), to, ending, teller);
  }
}

function tell(name: string, to: string, { code, sentence }: Ending, teller: Teller): void {
  teller.line(`${name}: exit code ${code}, now ${to}. ${sentence}`, { step: "put away", file: name, to, exitCode: code, sentence });
}

/** By its bytes: its name may have been taken. */
async function findAway({ fingerprint }: KeptRun, folder: string, known: ReadonlySet<string>): Promise<string | undefined> {
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
