// Writes a copy of a store to a file, checked and complete, or not at all.

import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { checkFile } from "../engine/sqlite/check-file.ts";
import { makeFolder } from "../engine/sqlite/file.ts";
import { type StoreCopy, StoreOpenError } from "../engine/store.ts";
import { StartError } from "../open-store.ts";

interface Placing {
  /** Is called before the file gets its name. */
  finish?: (file: string) => void;
  /** Files that were not there, and must not have come while the copy was written: a store that a service began meanwhile would be lost. */
  free?: readonly string[];
}

/** Answers what the copy contains, in words. Throws StartError; then no file is left behind. */
export async function writeStoreFile({ bytes, stream }: StoreCopy, target: string, { finish, free = [] }: Placing = {}): Promise<string> {
  const partial = `${target}.partial-${randomBytes(4).toString("hex")}`;
  const clear = () => {
    try {
      rmSync(partial, { force: true });
    } catch {
      // Where no file could be created there is none to remove.
    }
  };
  const abort = () => {
    clear();
    process.exit(130);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, abort);
  try {
    makeFolder(dirname(target));
    const file = createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(stream, file).catch(async (error) => {
      // The file may still be opened, and would then be made after it was removed.
      if (!file.closed) await new Promise<void>((resolve) => file.once("close", resolve));
      // What fetch throws for an answer that breaks off says "terminated".
      throw error instanceof TypeError ? new StoreOpenError(`only ${file.bytesWritten} of ${bytes} bytes came`) : error;
    });
    if (file.bytesWritten !== bytes) throw new StoreOpenError(`only ${file.bytesWritten} of ${bytes} bytes came`);
    const { records, keys } = checkFile(partial);
    finish?.(partial);
    const taken = free.find((path) => existsSync(path));
    if (taken) throw new StoreOpenError(`${taken} has come meanwhile`);
    renameSync(partial, target);
    await syncFolder(dirname(target));
    const counts = Object.entries(records).map(([name, count]) => `${count} ${name}`);
    return `${[...counts, `${keys} API ${keys === 1 ? "key" : "keys"}`].join(", ")}; ${bytes} bytes, checked`;
  } catch (error) {
    clear();
    throw new StartError(`${target} was not written: ${(error as Error).message}.`);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, abort);
  }
}

/** Flushes the folder, so that the new name is on disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined); // some systems do not allow this for folders
  await handle?.sync().catch(() => undefined); // nor this
  await handle?.close();
}
