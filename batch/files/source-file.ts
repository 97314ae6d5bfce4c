// Opens the file on the disk as a Blob, so that a large one is never read into memory as a whole.

import { accessSync, constants, openAsBlob, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Fingerprint, takeFingerprint } from "../../pipeline/reading/fingerprint.ts";
import { CommandError, EXIT, InvalidFile, systemError } from "../console/exit-codes.ts";

export interface Source {
  /** Absolute. */
  path: string;
  name: string;
  file: File;
}

const SMALL = 1024 * 1024; // bytes; it is read several times, each of which would open it anew

/** Endings of encrypted files, behind the name of what is in them. */
const ENCRYPTED = /\.(pgp|gpg|asc|age|enc)$/i;

/**
 * Throws CommandError. When a large file changes later, reading it fails; a small one stays as it is now. `decrypt`: reads the clear text of
 * an encrypted file.
 */
export async function openSource(path: string, decrypt?: (path: string) => Promise<Blob>): Promise<Source> {
  const name = basename(path);
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new CommandError(EXIT.nothing, `${path} is not a file. Name the file that is meant.`);
    accessSync(path, constants.R_OK);
    if (decrypt) return { path: resolve(path), name, file: new File([await decrypt(path)], name.replace(ENCRYPTED, "")) };
    const content = found.size > SMALL ? await openAsBlob(path) : readFileSync(path);
    return { path: resolve(path), name, file: new File([content], name) };
  } catch (error) {
    const why = systemError(error);
    if (why === undefined) throw error;
    const sentence = `${path} cannot be read: ${why}.`;
    throw (error as NodeJS.ErrnoException).code === "EACCES" ? new InvalidFile(sentence) : new CommandError(EXIT.nothing, sentence);
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
