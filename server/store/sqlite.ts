// The embedded engine: opens one SQLite file (libsql) for this service alone and answers as a Store.

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import type { Collection } from "../../dictionary/collections.ts";
import { type Cell, columnsOf, quoted, tableOf, toRecord } from "./columns.ts";
import { createCredentials } from "./sqlite-credentials.ts";
import { createLately } from "./sqlite-lately.ts";
import { createLister } from "./sqlite-list.ts";
import { migrate } from "./sqlite-migrations.ts";
import { applyDictionary } from "./sqlite-schema.ts";
import { createWriter } from "./sqlite-write.ts";
import { type Store, StoreFull, StoreRefused, StoreUnavailable } from "./store.ts";

/**
 * Opens the file, or makes it with its folder, and brings its tables up to the dictionary. Throws StoreRefused, with a
 * sentence, when another service has the file, it cannot be written, or the dictionary does not fit what is stored.
 */
export function openSqlite(file: string, collections: readonly Collection[]): Store {
  const db = openFile(file);
  try {
    db.transaction(() => {
      if (!migrate(db)) throw new StoreRefused(`${file} was written by a newer version of the service`);
      applyDictionary(db, collections);
      db.prepare("INSERT OR IGNORE INTO settings (name, value) VALUES ('secret', ?)").run([randomBytes(32)]);
    }).immediate();
    return createStore(db, collections);
  } catch (error) {
    closeFile(db);
    throw error;
  }
}

function openFile(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    makeFolder(dirname(file));
    db = new Database(file);
    // EXCLUSIVE comes before WAL: so the index of the log is in memory, and a second service is refused, not served wrongly.
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL"); // an acknowledged write is on disk
    db.pragma("cache_size = -49152"); // KiB; the inner pages of every sort index at a million records
    db.pragma("wal_autocheckpoint = 16000"); // pages, 64 MB: a sort index dirties a page a row, and copying them less often is a third faster
    db.exec("BEGIN EXCLUSIVE; COMMIT"); // takes the lock now, not at the first write
    return db;
  } catch (error) {
    db?.close();
    throw new StoreRefused(whyNotOpened(file, error));
  }
}

/** One level at a time: below folders that take no entries, such as /proc, Node's own `recursive` never ends. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

function whyNotOpened(file: string, error: unknown): string {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (code.startsWith("SQLITE_BUSY") || /locked/.test(message)) return `${file} is in use by another service`;
  if (code.startsWith("SQLITE_NOTADB")) return `${file} is not a SQLite database`;
  return `${file} cannot be opened for writing (${code || message})`;
}

function createStore(db: Database.Database, collections: readonly Collection[]): Store {
  const one = new Map(
    collections.map((collection) => {
      const sql = `SELECT ${columnsOf(collection)} FROM ${tableOf(collection)} WHERE ${quoted(collection.key.name)} = ?`;
      return [collection.name, db.prepare(sql).raw()] as const;
    }),
  );
  const lately = createLately();
  const lister = createLister(db);
  const write = createWriter(db, collections);
  const secret = db.prepare("SELECT value FROM settings WHERE name = 'secret'").get() as { value: Buffer };
  return {
    ...createCredentials(db),
    secret: Buffer.from(secret.value),
    async read(collection, id) {
      const kept = lately.read(collection, id);
      if (kept) return kept;
      const row = one.get(collection.name)?.get([id]) as Cell[] | undefined;
      const record = row && toRecord(collection, row);
      if (record) lately.keep(collection, id, record);
      return record;
    },
    async list(collection, page) {
      return lister.list(collection, page);
    },
    async count(collection, selection) {
      return lister.count(collection, selection);
    },
    async write(batch, answer) {
      try {
        return write(batch, answer);
      } catch (error) {
        throw toFault(error);
      } finally {
        lately.forget(batch);
      }
    },
    async ping() {
      db.prepare("SELECT 1").get();
    },
    async close() {
      if (db.open) closeFile(db);
    },
  };
}

/**
 * Back to one plain file that nobody holds. libsql keeps a connection, and with it the lock, until its statements are
 * collected as garbage, so the lock is given back by hand; out of WAL first, which cannot leave exclusive mode by itself.
 */
function closeFile(db: Database.Database): void {
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

/** The engine's trouble (disk full, input/output), not a mistake in our SQL: rolled back, so the request may come again. */
function toFault(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code);
  if (/^SQLITE_FULL/.test(code)) return new StoreFull("the disk is full", { cause: error });
  const isFault = /^SQLITE_(IOERR|BUSY|NOMEM|CANTOPEN|READONLY)/.test(code);
  return isFault ? new StoreUnavailable("the store could not write", { cause: error }) : error;
}
