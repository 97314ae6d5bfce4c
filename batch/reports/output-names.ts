// Creates the files for reports and rejects, so that no existing file is overwritten.

import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CommandError, EXIT, systemError } from "../console/exit-codes.ts";

/** A file that this process created. It is written through its handle only: its name could lead somewhere else by now. */
export interface OutputFile {
  path: string;
  handle: FileHandle;
}

export interface Outputs {
  json: OutputFile;
  text: OutputFile;
  /** Is undefined without rejects. */
  rejects: { bytes: OutputFile; list: OutputFile } | undefined;
}

/** `path`: the source file. `out`: the folder for outputs; undefined for the folder of the source file. */
export interface OutputPlace {
  path: string;
  out: string | undefined;
}

/** These are added to the name of the source file. */
export const OUTPUT_SUFFIXES = [".rejects", ".rejects.csv", ".report.json", ".report.txt"] as const;

export function outputFolder({ path, out }: OutputPlace): string {
  return out ?? dirname(path);
}

/** Creates a file in the folder and deletes it: the only reliable test. Throws CommandError. */
export async function tryFolder(place: OutputPlace): Promise<void> {
  const folder = outputFolder(place);
  const probe = join(folder, `.intake-${randomBytes(6).toString("hex")}`);
  try {
    writeFileSync(probe, "", { flag: "wx", mode: 0o600 });
    rmSync(probe);
    readdirSync(folder);
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
 * Creates the files under the first free names: `customers.csv.report.txt`, then `customers.csv.2.report.txt`, with the access rights
 * of the source file.
 */
export async function createOutputs(place: OutputPlace, hasRejects: boolean): Promise<Outputs> {
  const folder = outputFolder(place);
  const mode = modeOf(place.path);
  const taken = new Set(readdirSync(folder));
  for (let n = 1; ; n++) {
    const stem = basename(place.path) + (n === 1 ? "" : `.${n}`);
    if (OUTPUT_SUFFIXES.some((suffix) => taken.has(stem + suffix))) continue;
    const [rejects, list, ...reports] = OUTPUT_SUFFIXES.map((suffix) => join(folder, stem + suffix)) as [string, string, string, string];
    const made = await createAll(hasRejects ? [...reports, rejects, list] : reports, mode);
    if (!made) continue;
    const [json, text, bytes, reasons] = made as [OutputFile, OutputFile, OutputFile?, OutputFile?];
    return { json, text, rejects: bytes && reasons && { bytes, list: reasons } };
  }
}

/** After it they outlast a power cut: the run is stored as ended next, and nobody would write them again. */
export async function closeOutputs(outputs: Outputs): Promise<void> {
  for (const { handle } of filesOf(outputs)) {
    await handle.sync();
    await handle.close();
  }
}

/** Closes and deletes the files. Never throws, because whoever calls it has an error to report. Returns the paths of what could not be deleted. */
export async function removeOutputs(outputs: Outputs): Promise<string[]> {
  return discard(filesOf(outputs));
}

function filesOf({ json, text, rejects }: Outputs): OutputFile[] {
  return [json, text, ...(rejects ? [rejects.bytes, rejects.list] : [])];
}

async function discard(files: readonly OutputFile[]): Promise<string[]> {
  const left: string[] = [];
  for (const { path, handle } of files) {
    await handle.close().catch(() => undefined); // it may be closed already, and nothing of it is needed
    await rm(path, { force: true }).catch(() => left.push(path));
  }
  return left;
}

/** Creates all files or none. Undefined when one of them exists by now. */
async function createAll(paths: readonly string[], mode: number): Promise<OutputFile[] | undefined> {
  const made: OutputFile[] = [];
  try {
    for (const path of paths) made.push({ path, handle: await open(path, "wx", mode) });
    return made;
  } catch (error) {
    await discard(made); // what stays of it is empty, and the next names are free
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
}

/** Returns the access rights of the source file, and always read and write for its owner. */
function modeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? (found.mode & 0o666) | 0o600 : 0o600;
}
