// A copy of a store written under its name, checked and whole, or not at all. For the command lines; knows no service.

import { randomBytes } from "node:crypto";
import { createWriteStream, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { StartError } from "../open-store.ts";
import { checkFile } from "../store/sqlite/check-file.ts";
import { makeFolder } from "../store/sqlite/file.ts";
import { type StoreCopy, StoreOpenError } from "../store/store.ts";

/** Answers what is in it, in words. Throws StartRefused with a sentence; then there is nothing new under any name. */
export async function putInPlace({ bytes, stream }: StoreCopy, target: string): Promise<string> {
  const partial = `${target}.partial-${randomBytes(4).toString("hex")}`;
  const clear = () => {
    try {
      rmSync(partial, { force: true });
    } catch {
      // Where no file can be made there is none to take away.
    }
  };
  const giveUp = () => {
    clear();
    process.exit(130);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, giveUp);
  try {
    makeFolder(dirname(target));
    const file = createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(stream, file);
    if (file.bytesWritten !== bytes) throw new StoreOpenError(`only ${file.bytesWritten} of ${bytes} bytes came`);
    const { records, keys } = checkFile(partial);
    await rename(partial, target);
    await syncFolder(dirname(target));
    const counts = Object.entries(records).map(([name, count]) => `${count} ${name}`);
    return `${[...counts, `${keys} API ${keys === 1 ? "key" : "keys"}`].join(", ")}; ${bytes} bytes, checked`;
  } catch (error) {
    clear();
    throw new StartError(`${target} was not written: ${(error as Error).message}.`);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, giveUp);
  }
}

/** The name as well is on disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined); // which some systems do not allow for folders
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
