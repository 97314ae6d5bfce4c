// Names the places of a folder of content, and does what is done with files in it.

import { mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { asStoreError } from "../receive-file.ts";

export interface Places {
  incoming: string;
  leaving: string;
  unfinished: string;
  placeOf(hash: string): string;
}

export function placesIn(folder: string): Places {
  return {
    incoming: join(folder, "incoming"),
    leaving: join(folder, "leaving"),
    unfinished: join(folder, "unfinished"),
    placeOf: (hash) => join(folder, hash.slice(0, 2), hash),
  };
}

export async function makeFolders(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(asStoreError);
}

/** Flushes the folder, so that a new name is on disk too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined); // some systems do not allow this for folders
  await handle?.sync().catch(() => undefined); // nor this
  await handle?.close();
}

export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error) => {
    passMissing(error);
    return [];
  });
}

/** Throws everything but that there is no such file. */
export function passMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
