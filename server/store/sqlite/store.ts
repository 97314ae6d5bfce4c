// The store in one SQLite file (libsql).

import { randomBytes } from "node:crypto";
import type { Database } from "libsql";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { type Cell, columnsOf, quoted, tableOf, toRecord } from "../columns.ts";
import { type Store, StoreFull, StoreOpenError, StoreUnavailable } from "../store.ts";
import { createCopier } from "./backup.ts";
import { createCredentials } from "./credentials.ts";
import { closeFile, openFile } from "./file.ts";
import { createLister } from "./list.ts";
import { migrate } from "./migrations.ts";
import { createRecordCache } from "./record-cache.ts";
import { applyDictionary } from "./schema.ts";
import { transact } from "./transaction.ts";
import { createWriter } from "./write.ts";

/**
 * Opens the file, or creates it and its folder, and brings its tables up to the dictionary. Throws StoreOpenError when
 * another service has the file, it cannot be written, or the dictionary does not fit the stored data.
 */
export function openSqlite(file: string, collections: readonly Collection[]): Store {
  const db = openFile(file);
  try {
    transact(db, () => {
      if (!migrate(db)) throw new StoreOpenError(`${file} was written by a newer version of the service`);
      applyDictionary(db, collections);
      db.prepare("INSERT OR IGNORE INTO settings (name, value) VALUES ('secret', ?)").run([randomBytes(32)]);
    });
    return createStore(db, file, collections);
  } catch (error) {
    closeFile(db);
    const isDiskError = error instanceof StoreFull || error instanceof StoreUnavailable;
    throw isDiskError ? new StoreOpenError(`${file} cannot be written: ${error.message}`) : error;
  }
}

function createStore(db: Database, file: string, collections: readonly Collection[]): Store {
  const readStatements = new Map(
    collections.map((collection) => {
      const sql = `SELECT ${columnsOf(collection)} FROM ${tableOf(collection)} WHERE ${quoted(collection.key.name)} = ?`;
      return [collection.name, db.prepare(sql).raw()] as const;
    }),
  );
  const recordCache = createRecordCache();
  const lister = createLister(db);
  const write = createWriter(db, collections);
  const copier = createCopier(db, file);
  const secret = db.prepare("SELECT value FROM settings WHERE name = 'secret'").get() as { value: Buffer };
  return {
    ...createCredentials(db),
    secret: Buffer.from(secret.value),
    async read(collection, id) {
      const cached = recordCache.read(collection, id);
      if (cached) return cached;
      const row = readStatements.get(collection.name)?.get([id]) as Cell[] | undefined;
      const record = row && toRecord(collection, row);
      if (record) recordCache.add(collection, id, record);
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
      } finally {
        recordCache.forget(batch);
      }
    },
    copy: copier.copy,
    async ping() {
      db.prepare("SELECT 1").get();
    },
    async close() {
      if (db.open) closeFile(db);
      await copier.close();
    },
  };
}
