// The content of files beside a copy of the store: `FILE.files` has what `FILE` names.

import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { KIND_TRAITS, type Kind } from "../../core/dictionary/kinds.ts";
import { HASH } from "../content/folder-places.ts";

/** The folder that stands beside a copy of the store. */
export function contentFolderOf(file: string): string {
  return `${file}.files`;
}

/** The hashes of all content of a folder. */
export function contentIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const parts = readdirSync(folder).filter((name) => /^[0-9a-f]{2}$/.test(name));
  return parts.flatMap((part) => readdirSync(join(folder, part))).filter((name) => HASH.test(name));
}

/**
 * Copies what is in one folder and not in the other, and answers how many files that were. What is removed meanwhile is passed over. Content
 * never changes, so a link does where both are on one disk.
 */
export function copyContent(from: string, to: string): number {
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
