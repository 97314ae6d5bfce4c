// The content of files beside a copy of the store: `FILE.files` has what `FILE` names.

import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { KIND_TRAITS, type Kind } from "../../core/dictionary/kinds.ts";
import { type Content, HASH } from "../content/content.ts";
import { createContentFolder } from "../content/folder/content-folder.ts";
import { type ContentPlace, openContentAt, StartError } from "../open-store.ts";

/** Names the folder that stands beside a copy of the store. */
export function contentFolderOf(file: string): string {
  return `${file}.files`;
}

const AT_ONCE = 8; // requests to a bucket wait for the way there and back

/**
 * Copies the content that is there into the folder, or with `back` from the folder, where it is not there yet, and answers how much that was.
 * Content that is removed meanwhile is passed over.
 */
export async function copyContent(place: ContentPlace | undefined, folder: string, isBack = false): Promise<number> {
  if (!place || (isBack && !existsSync(folder))) return 0;
  if ("folder" in place) return isBack ? copyFolder(folder, place.folder) : copyFolder(place.folder, folder);
  const [bucket, copy] = [await openContentAt(process.env, place), createContentFolder(folder)];
  return isBack ? copyBetween(copy, bucket) : copyBetween(bucket, copy);
}

async function copyBetween(from: Content, to: Content): Promise<number> {
  const there = new Set(await to.list());
  const missing = (await from.list()).filter((hash) => !there.has(hash));
  const next = missing.values(); // shared by all that copy
  const copied = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      let own = 0;
      for (const hash of next) if (await copyHash(from, to, hash)) own += 1;
      return own;
    }),
  );
  return copied.reduce((sum, own) => sum + own, 0);
}

async function copyHash(from: Content, to: Content, hash: string): Promise<boolean> {
  const found = await from.find(hash);
  if (!found) return false;
  const damaged = () => new StartError(`The content ${hash} is damaged where it stands: it has other bytes than this hash says.`);
  const received = await to.receive(await found.stream(), found.size, damaged);
  if (received.hash !== hash) {
    await received.drop();
    throw damaged();
  }
  await (await received.keep()).release();
  return true;
}

/** Says whether there is content at all. */
export async function hasContent(place: ContentPlace | undefined): Promise<boolean> {
  if (!place) return false;
  return (await (await openContentAt(process.env, place)).list()).length > 0;
}

function contentIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const parts = readdirSync(folder).filter((name) => /^[0-9a-f]{2}$/.test(name));
  return parts.flatMap((part) => readdirSync(join(folder, part))).filter((name) => HASH.test(name));
}

/** Content never changes, so a link does where both are on one disk. */
function copyFolder(from: string, to: string): number {
  let copied = 0;
  for (const hash of contentIn(from)) {
    const [source, folder] = [join(from, hash.slice(0, 2), hash), join(to, hash.slice(0, 2))];
    const target = join(folder, hash);
    if (existsSync(target)) continue;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (copyOne(source, target)) copied += 1;
  }
  return copied;
}

function copyOne(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
  }
  const partial = `${target}.partial`;
  try {
    copyFileSync(source, partial);
    renameSync(partial, target);
    return true;
  } catch (error) {
    rmSync(partial, { force: true });
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Says whether the dictionary of a store's file has fields with files. */
export function hasFileFields(file: string): boolean {
  const db = new Database(file, { readonly: true });
  try {
    const kinds = db.prepare("SELECT DISTINCT kind FROM fields").all() as { kind: string }[];
    return kinds.some(({ kind }) => KIND_TRAITS[kind as Kind]?.isFile);
  } finally {
    db.close();
  }
}
