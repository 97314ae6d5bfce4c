// Finds who else on this machine may use the store's files.

import { statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreOpenError } from "../store.ts";

const OTHERS = 0o077; // group and everybody else

/** Throws StoreOpenError, with the command that mends it, when other users may use the store's folder or files. */
export function requirePrivateFiles(file: string): void {
  if (process.platform === "win32") return; // has no such modes: a folder's access list is its parent's
  const folders = [dirname(file)].filter((path) => isOpenToOthers(path, "isDirectory"));
  const files = [file, `${file}-wal`, `${file}-journal`].filter((path) => isOpenToOthers(path, "isFile"));
  const commands = [...folders.map((path) => `chmod 700 ${quoted(path)}`), ...files.map((path) => `chmod 600 ${quoted(path)}`)];
  if (commands.length === 0) return;
  throw new StoreOpenError(
    `other users of this machine may use ${[...folders, ...files].join(", ")}. Run: ${commands.join("; ")}. If they shall, set SHARED_DATA_DIR=true`,
  );
}

/** Returns false for what is not there or of another kind: opening the store tells that better. */
function isOpenToOthers(path: string, kind: "isDirectory" | "isFile"): boolean {
  try {
    const found = statSync(path);
    return found[kind]() && (found.mode & OTHERS) !== 0;
  } catch {
    return false; // not there
  }
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
