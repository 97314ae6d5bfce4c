// Takes content of a folder out of its place, by another name for it, and puts it back or deletes it.

import { randomUUID } from "node:crypto";
import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { HASH } from "../content.ts";
import { type Removal, STALE, type Taken } from "../remove-content.ts";
import { makeFolders, namesIn, type Places, passMissing, syncFolder } from "./folder-places.ts";

export function folderRemoval({ incoming, leaving, placeOf }: Places): Removal {
  async function takeOut(hash: string): Promise<Taken | undefined> {
    await makeFolders(leaving);
    const at = join(leaving, `${hash}.${randomUUID()}`);
    const isTaken = await rename(placeOf(hash), at).then(
      () => true,
      (error) => passMissing(error) ?? false,
    );
    return isTaken ? { hash, at } : undefined;
  }

  async function listLeft(): Promise<Taken[]> {
    const taken: Taken[] = [];
    for (const name of await namesIn(leaving)) {
      const [hash = ""] = name.split(".", 1);
      if (!HASH.test(hash) || !(await isOlder(join(leaving, name)))) continue;
      const at = join(leaving, `${hash}.${randomUUID()}`);
      const isMine = await rename(join(leaving, name), at).then(
        () => true,
        () => false, // another process has it
      );
      if (isMine) taken.push({ hash, at });
    }
    return taken;
  }

  async function dropStale(): Promise<void> {
    for (const name of await namesIn(incoming)) if (await isOlder(join(incoming, name))) await rm(join(incoming, name), { force: true });
  }

  return {
    dropStale,
    listLeft,
    takeOut,
    listMarks: async () => new Set((await namesIn(incoming)).map((name) => name.split(".", 1)[0] ?? "")),
    putBack: ({ hash, at }) => rename(at, placeOf(hash)).catch(passMissing),
    discard: ({ at }) => rm(at, { force: true }),
    flush: () => syncFolder(leaving),
  };
}

/** Returns whether the inode has not changed for long, which a new name does too. */
async function isOlder(path: string): Promise<boolean> {
  const found = await stat(path).catch(passMissing);
  return found !== undefined && Date.now() - found.ctimeMs > STALE;
}
