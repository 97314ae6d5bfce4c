// Removes content of a folder that nothing names, while other processes may put the same content there.

import { randomUUID } from "node:crypto";
import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { HASH, makeFolders, namesIn, type Places, passMissing, syncFolder } from "./folder-places.ts";

const STALE = 86_400_000; // ms after which what a process has left behind is nobody's: no write takes as long

/** Says which of these hashes a record or a version names. */
export type AskNamed = (hashes: ReadonlySet<string>) => Promise<ReadonlySet<string>>;

/** Does as `ContentFolder.remove`. */
export async function removeContent(places: Places, hashes: readonly string[], named: AskNamed): Promise<number> {
  const { incoming, leaving, placeOf } = places;
  await dropStale(places);
  const taken = [...(await adoptLeft(places)), ...(await takeOut(places, hashes))];
  if (taken.length === 0) return 0;
  const marks = new Set((await namesIn(incoming)).map((name) => name.split(".", 1)[0] ?? ""));
  // Without the answer all of it goes back.
  const isNamed = await named(new Set(taken.map(({ hash }) => hash))).catch(async (error) => {
    for (const { hash, path } of taken) await rename(path, placeOf(hash)).catch(passMissing);
    throw error;
  });
  let removed = 0;
  for (const { hash, path } of taken)
    if (marks.has(hash) || isNamed.has(hash)) await rename(path, placeOf(hash)).catch(passMissing);
    else {
      await rm(path, { force: true });
      removed += 1;
    }
  await syncFolder(leaving);
  return removed;
}

/** Content that stands in `leaving`, at `path`. */
interface Taken {
  hash: string;
  path: string;
}

async function takeOut({ leaving, placeOf }: Places, hashes: readonly string[]): Promise<Taken[]> {
  const taken: Taken[] = [];
  if (hashes.length > 0) await makeFolders(leaving);
  for (const hash of hashes) {
    const path = join(leaving, `${hash}.${randomUUID()}`);
    const isTaken = await rename(placeOf(hash), path).then(
      () => true,
      (error) => passMissing(error) ?? false,
    );
    if (isTaken) taken.push({ hash, path });
  }
  return taken;
}

/** Finds what a process that was ended has taken out and neither removed nor put back. */
async function adoptLeft({ leaving }: Places): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const name of await namesIn(leaving)) {
    const [hash = ""] = name.split(".", 1);
    if (!HASH.test(hash) || !(await isOlder(join(leaving, name)))) continue;
    const path = join(leaving, `${hash}.${randomUUID()}`);
    const isMine = await rename(join(leaving, name), path).then(
      () => true,
      () => false, // another process has it
    );
    if (isMine) taken.push({ hash, path });
  }
  return taken;
}

async function dropStale({ incoming }: Places): Promise<void> {
  for (const name of await namesIn(incoming)) if (await isOlder(join(incoming, name))) await rm(join(incoming, name), { force: true });
}

/** Returns the time since the inode last changed, which a new name does too. */
async function isOlder(path: string): Promise<boolean> {
  const found = await stat(path).catch(passMissing);
  return found !== undefined && Date.now() - found.ctimeMs > STALE;
}
