// Chooses names for reports and rejects, so that no existing file is overwritten.

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

/** `path`: the source file. `out`: the folder for outputs; undefined for the folder of the source file. */
export interface OutputPlace {
  path: string;
  out: string | undefined;
}

/** What is added to the name of the source file. */
export const OUTPUT_SUFFIXES = [".rejects", ".rejects.csv", ".report.json", ".report.txt"] as const;

export function outputFolder({ path, out }: OutputPlace): string {
  return out ?? dirname(path);
}

/** Creates a file in the folder and deletes it: the only reliable test. Throws CommandError. */
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
 * The first free names: `customers.csv.report.txt`, then `customers.csv.2.report.txt`. Creates the files empty, so that no other
 * process takes the names, with the access rights of the source file.
 */
export async function reserveNames(place: OutputPlace, hasRejects: boolean): Promise<OutputNames> {
  const folder = outputFolder(place);
  const mode = await modeOf(place.path);
  const taken = new Set(await readdir(folder));
  for (let n = 1; ; n++) {
    const stem = basename(place.path) + (n === 1 ? "" : `.${n}`);
    if (OUTPUT_SUFFIXES.some((suffix) => taken.has(stem + suffix))) continue;
    const [rejects, list, json, text] = OUTPUT_SUFFIXES.map((suffix) => join(folder, stem + suffix)) as [string, string, string, string];
    if (await makeAll(hasRejects ? [json, text, rejects, list] : [json, text], mode)) return { rejects, list, json, text };
  }
}

/** Deletes the files that `reserveNames` created. */
export async function removeOutputs({ rejects, list, json, text }: OutputNames, hasRejects: boolean): Promise<void> {
  await Promise.all(
    (hasRejects ? [json, text, rejects, list] : [json, text]).map((path) => rm(path, { force: true }).catch(() => undefined)),
  );
}

/** Creates all files or none. Returns false when one of them exists by now. */
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

/** The access rights of the source file, and always read and write for its owner. */
async function modeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mode }) => (mode & 0o666) | 0o600,
    () => 0o600,
  );
}
