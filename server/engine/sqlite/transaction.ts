// Transactions: one for what is written, and one that reads share while nothing is written.

import type { Database } from "libsql";
import { StoreFull, StoreUnavailable } from "../store.ts";
import { fileOf, giveUpReserve, holdReserve, reuseLog } from "./disk-reserve.ts";
import { requireSameFile } from "./file.ts";
import type { WriterThread } from "./writer.ts";

/**
 * Runs `work` in one transaction. Rolls back and throws what `work` threw; StoreFull or StoreUnavailable for errors of the
 * disk. On a full disk `work` runs once more if room can be made; `usesReserve`: also by giving up the reserve, which others must leave. libsql's own
 * `transaction` does not fit: SQLite has rolled back already when the disk is full, and libsql's second ROLLBACK hides that reason.
 */
export function transact<T>(db: Database, work: () => T, { usesReserve = true, isRepeated = false } = {}): T {
  try {
    db.exec("BEGIN IMMEDIATE");
    const result = work();
    requireSameFile(db, fileOf(db));
    const isHeld = holdReserve(db, { makes: !usesReserve });
    if (!isHeld && !usesReserve) throw new StoreFull("the disk has no room but its reserve");
    db.exec("COMMIT");
    if (!isHeld) reuseLog(db); // while there is room for it
    return result;
  } catch (error) {
    if (db.open && db.inTransaction) db.exec("ROLLBACK"); // of a closed database libsql ends the whole process when asked
    const storeError = toStoreError(error);
    if (!isRepeated && storeError instanceof StoreFull) {
      const hasRoom = [usesReserve && giveUpReserve(db), reuseLog(db)].includes(true);
      if (hasRoom) return transact(db, work, { usesReserve, isRepeated: true });
    }
    throw storeError;
  }
}

/** Returns StoreFull or StoreUnavailable for errors of the disk, and every other error as it is. */
export function toStoreError(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code);
  if (/^SQLITE_FULL/.test(code)) return new StoreFull("the disk is full", { cause: error });
  const isDiskError = /^SQLITE_(IOERR|BUSY|NOMEM|CANTOPEN|READONLY)/.test(code);
  return isDiskError ? new StoreUnavailable("the store could not write", { cause: error }) : error;
}

export interface Snapshot {
  /** Call it before each read. Begins a transaction, unless one is open or something is being written. */
  begin(): void;
  /** Ends the transaction, which would keep SQLite from emptying its log. */
  end(): void;
  /** Returns the same thread, before whose calls the transaction ends. What it has written before a call returns is seen by every read after it. */
  endBefore(writer: WriterThread): WriterThread;
}

/**
 * Makes the snapshot of a connection that only reads, to a file that nobody changes but this writer. To begin a transaction for each read costs as
 * much as to read a record.
 */
export function createSnapshot(db: Database): Snapshot {
  let isOpen = false;
  let calls = 0; // under way
  const end = () => {
    if (isOpen && db.inTransaction) db.exec("COMMIT"); // an error of the disk may have ended it
    isOpen = false;
  };
  return {
    begin() {
      if (isOpen || calls > 0) return;
      db.exec("BEGIN");
      isOpen = true;
    },
    end,
    endBefore: (writer) => ({
      call(name, ...args) {
        end();
        calls += 1;
        return writer.call(name, ...args).finally(() => {
          calls -= 1;
        });
      },
    }),
  };
}
