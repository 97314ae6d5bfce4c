// Opens one SQLite file for this process alone, with as many connections as it needs, and closes it as one plain file.

import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Database from "libsql";
import { StoreInUse, StoreOpenError, StoreUnavailable } from "../store.ts";
import { damaged } from "./start-checks.ts";

export const CHECKPOINT_EVERY = 16_000; // pages, 64 MB; a third faster than the default, because each row changes a page of every sort index

export const PATIENCE = 5_000; // ms that a statement waits for another connection of this process

/** Holds the right of this process to the store's file. */
export interface FileLock {
  release(): void;
}

/**
 * Takes the file for this process, until it ends or releases it. Creates the folder. Throws StoreInUse when another service
 * has the file, StoreOpenError when it cannot be written.
 *
 * SQLite's own exclusive mode would keep out the other connections of this process as well. So a second, empty file holds the
 * lock: an open exclusive transaction, which the system ends together with the process, also after kill −9.
 */
export function lockFile(file: string): FileLock {
  let db: Database.Database | undefined;
  try {
    makeFolder(dirname(file));
    makeFile(`${file}.lock`);
    db = new Database(`${file}.lock`);
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"); // nothing is ever written, so no journal is needed beside it
  } catch (error) {
    db?.close();
    throw whyNotOpened(file, error);
  }
  const held = db;
  return {
    release() {
      if (!held.open) return;
      held.exec("ROLLBACK");
      held.close();
    },
  };
}

/** Opens one more connection to a file that this process has locked. `cache` in KiB. Throws StoreOpenError. */
export function connect(file: string, cache: number): Database.Database {
  let db: Database.Database | undefined;
  try {
    makeFile(file);
    db = new Database(file);
    db.pragma(`busy_timeout = ${PATIENCE}`);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL"); // an acknowledged write is on disk
    db.pragma("secure_delete = ON"); // what is deleted is overwritten: see docs/erasure.md
    db.pragma(`cache_size = -${cache}`);
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_EVERY}`);
    db.exec("BEGIN IMMEDIATE; COMMIT"); // it can be written; said now, not at the first write
    openedAs.set(db, identityOf(file));
    return db;
  } catch (error) {
    db?.close();
    throw whyNotOpened(file, error);
  }
}

/** Connection → its file as it was when it was opened. */
const openedAs = new WeakMap<Database.Database, string>();

/** Returns the device and inode of the file and of its log: another file under the same name has others. */
function identityOf(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((is) => `${is?.dev} ${is?.ino}`)
    .join();
}

/**
 * Throws StoreUnavailable when the file or its log was removed or replaced under the service: what is written into the one that is open would
 * be gone with the process.
 */
export function requireSameFile(db: Database.Database, file: string): void {
  const opened = openedAs.get(db);
  if (opened !== undefined && opened !== identityOf(file))
    throw new StoreUnavailable("the database file or its log was removed or replaced; put it back and restart the service");
}

/**
 * SQLite would let everybody read a file that it creates; its log and journal get the file's rights. Does not open a file that is there: to close it
 * again would end every lock that this process has on it. "a" and not "wx", because another service may create it just now.
 */
function makeFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
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
  if (code.startsWith("SQLITE_CORRUPT")) return new StoreOpenError(damaged(file, message));
  if (code.startsWith("SQLITE_NOTADB")) return new StoreOpenError(`${file} is not a SQLite database`);
  return new StoreOpenError(`${file} cannot be opened for writing (${code || message})`);
}

/**
 * Closes the last connection. Everything committed is in the file afterwards; the log is empty. libsql holds a connection until
 * its statements are garbage collected, so the log may remain as an empty file.
 */
export function closeFile(db: Database.Database): void {
  try {
    db.pragma("busy_timeout = 0");
    db.pragma("wal_checkpoint(TRUNCATE)");
    db.pragma("journal_mode = DELETE");
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
  } catch {
    // Nothing is lost: the next start reads the log.
  } finally {
    db.close();
  }
}

let collect: (() => void) | undefined;

/** Collects this thread's garbage: libsql ends a connection only when its statements were collected. */
export async function collectGarbage(): Promise<void> {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
  await setImmediate(); // what was collected is freed after the current task
}
