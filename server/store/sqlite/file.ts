// Opens one SQLite file (libsql) for this process alone, and closes it as one plain file.

import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { StoreInUse, StoreOpenError } from "../store.ts";

export const CHECKPOINT_EVERY = 16_000; // pages, 64 MB; a third faster than the default, because each row changes a page of every sort index

/** Opens the file, or creates it and its folder. Throws StoreInUse when another service has it, StoreOpenError when it cannot be written. */
export function openFile(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    makeFolder(dirname(file));
    makeFile(file);
    db = new Database(file);
    // EXCLUSIVE before WAL: then the log's index is in memory, and a second service cannot open the file.
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL"); // an acknowledged write is on disk
    db.pragma("cache_size = -49152"); // KiB; enough for the inner pages of every sort index at a million records
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_EVERY}`);
    db.exec("BEGIN EXCLUSIVE; COMMIT"); // takes the lock now, not at the first write
    return db;
  } catch (error) {
    db?.close();
    throw whyNotOpened(file, error);
  }
}

/** SQLite would let everybody read a file that it creates; its log and journal get the file's rights. Never opens a file that is there. */
function makeFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, "wx", 0o600));
}

/** Creates the folder and those above it, for this user alone. Node's `recursive` never returns for folders that allow no entries, such as /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder, 0o700);
}

function whyNotOpened(file: string, error: unknown): StoreOpenError {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (code.startsWith("SQLITE_BUSY") || /locked/.test(message)) return new StoreInUse(`${file} is in use by another service`);
  if (code.startsWith("SQLITE_NOTADB")) return new StoreOpenError(`${file} is not a SQLite database`);
  return new StoreOpenError(`${file} cannot be opened for writing (${code || message})`);
}

/**
 * Leaves one plain file without a lock. libsql holds the connection, and so the lock, until its statements are garbage
 * collected, so the lock is released here; first out of WAL, which cannot leave exclusive mode.
 */
export function closeFile(db: Database.Database): void {
  try {
    db.pragma("journal_mode = DELETE");
    db.pragma("locking_mode = NORMAL");
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
  } catch {
    // The lock ends with the process, and nothing is lost: the next start reads the log.
  } finally {
    db.close();
  }
}
