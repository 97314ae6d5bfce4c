// The names of what a run leaves beside its file, taken so that nothing is ever written over. Writes no word into them.

import { randomBytes } from "node:crypto";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CommandError, EXIT, systemError } from "../console/exit-codes.ts";

export interface OutputNames {
  rejects: string;
  list: string;
  json: string;
  text: string;
}

/** A file, and the folder for its outputs; undefined: beside it. */
export interface OutputPlace {
  path: string;
  out: string | undefined;
}

/** How the names of all outputs end. */
export const OUTPUT_ENDINGS = [".rejects", ".rejects.csv", ".report.json", ".report.txt"] as const;

export function outputFolder({ path, out }: OutputPlace): string {
  return out ?? dirname(path);
}

/** Makes a file there and deletes it: nothing else tells what a file system takes. Throws Ended. */
export async function tryFolder(place: OutputPlace): Promise<void> {
  const folder = outputFolder(place);
  const probe = join(folder, `.intake-${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(probe, "", { flag: "wx", mode: 0o600 });
    await rm(probe);
    await readdir(folder);
  } catch (error) {
    const why = systemError(error);
    if (why === undefined) throw error;
    throw new CommandError(
      EXIT.nothing,
      `The folder ${folder} cannot be used for rejects and reports: ${why}. Name another one with --out.`,
    );
  }
}

/**
 * The first names that nobody has: `customers.csv.report.txt`, then `customers.csv.2.report.txt`. The files are made, empty, so that nobody else
 * takes them, and may be read by whoever may read the source.
 */
export async function takeNames(place: OutputPlace, hasRejects: boolean): Promise<OutputNames> {
  const folder = outputFolder(place);
  const mode = await modeOf(place.path);
  const taken = new Set(await readdir(folder));
  for (let n = 1; ; n++) {
    const stem = basename(place.path) + (n === 1 ? "" : `.${n}`);
    if (OUTPUT_ENDINGS.some((exit) => taken.has(stem + exit))) continue;
    const [rejects, list, json, text] = OUTPUT_ENDINGS.map((exit) => join(folder, stem + exit)) as [string, string, string, string];
    if (await makeAll(hasRejects ? [json, text, rejects, list] : [json, text], mode)) return { rejects, list, json, text };
  }
}

/** Deletes what was made under names that `takeNames` gave. */
export async function giveUp({ rejects, list, json, text }: OutputNames, hasRejects: boolean): Promise<void> {
  await Promise.all(
    (hasRejects ? [json, text, rejects, list] : [json, text]).map((path) => rm(path, { force: true }).catch(() => undefined)),
  );
}

/** All or none: false when somebody has taken one of them meanwhile. */
async function makeAll(paths: readonly string[], mode: number): Promise<boolean> {
  const made: string[] = [];
  try {
    for (const path of paths) {
      await writeFile(path, "", { flag: "wx", mode });
      made.push(path);
    }
    return true;
  } catch (error) {
    await Promise.all(made.map((path) => rm(path, { force: true })));
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The owner may always write what is theirs. */
async function modeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mode }) => (mode & 0o666) | 0o600,
    () => 0o600,
  );
}
