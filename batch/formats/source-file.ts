// Opens the file on the disk as a Blob, so that it is never read into memory as a whole.

import { openAsBlob } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Fingerprint, takeFingerprint } from "../../pipeline/reading/fingerprint.ts";
import { CommandError, EXIT, systemError } from "../console/exit-codes.ts";

export interface Source {
  /** Absolute. */
  path: string;
  name: string;
  file: File;
}

/** Throws CommandError. When the file changes later, reading it fails. */
export async function openSource(path: string): Promise<Source> {
  const name = basename(path);
  try {
    if (!(await stat(path)).isFile()) throw new CommandError(EXIT.nothing, `${path} is not a file. Name the file that is meant.`);
    await access(path, constants.R_OK);
    return { path: resolve(path), name, file: new File([await openAsBlob(path)], name) };
  } catch (error) {
    const why = systemError(error);
    throw why === undefined ? error : new CommandError(EXIT.nothing, `${path} cannot be read: ${why}.`);
  }
}

/** The state folder beside a file, without `--state`. */
export const STATE_FOLDER = ".intake";

export function stateFolder(path: string, given: string | undefined): string {
  return resolve(given ?? join(dirname(resolve(path)), STATE_FOLDER));
}

/** Reads the whole file. Throws CommandError. */
export async function fingerprintOf({ path, file }: Source): Promise<Fingerprint> {
  try {
    return await takeFingerprint(file);
  } catch {
    throw new CommandError(EXIT.nothing, `${path} cannot be read to its end: it may be changing.`, [], "Run this again once it is whole.");
  }
}
