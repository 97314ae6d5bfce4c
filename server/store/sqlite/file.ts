// One SQLite file (libsql) held by this process alone, and given back as one plain file. Knows no table.

import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { StoreInUse, StoreOpenError } from "../store.ts";

export const CHECKPOINT_EVERY = 16_000; // pages, 64 MB: a sort index dirties a page a row, and copying them less often is a third faster

/** Opens the file or makes it with its folder. Throws StoreRefused, with a sentence, when another service has it or it cannot be written. */
export function openFile(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    makeFolder(dirname(file));
    db = new Database(file);
    // EXCLUSIVE comes before WAL: so the index of the log is in memory, and a second service is refused, not served wrongly.
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL"); // an acknowledged write is on disk
    db.pragma("cache_size = -49152"); // KiB; the inner pages of every sort index at a million records
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_EVERY}`);
    db.exec("BEGIN EXCLUSIVE; COMMIT"); // takes the lock now, not at the first write
    return db;
  } catch (error) {
    db?.close();
    throw whyNotOpened(file, error);
  }
}

/** One level at a time: below folders that take no entries, such as /proc, Node's own `recursive` never ends. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

function whyNotOpened(file: string, error: unknown): StoreOpenError {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (code.startsWith("SQLITE_BUSY") || /locked/.test(message)) return new StoreInUse(`${file} is in use by another service`);
  if (code.startsWith("SQLITE_NOTADB")) return new StoreOpenError(`${file} is not a SQLite database`);
  return new StoreOpenError(`${file} cannot be opened for writing (${code || message})`);
}

/**
 * Back to one plain file that nobody holds. libsql keeps a connection, and with it the lock, until its statements are
 * collected as garbage, so the lock is given back by hand; out of WAL first, which cannot leave exclusive mode by itself.
 */
export function closeFile(db: Database.Database): void {
  try {
    db.pragma("journal_mode = DELETE");
    db.pragma("locking_mode = NORMAL");
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
  } catch {
    // The lock ends with the process at the latest, and nothing is lost: the log is read at the next start.
  } finally {
    db.close();
  }
}
