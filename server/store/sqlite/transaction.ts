// One SQLite transaction, whole or not at all, with the engine's own trouble in the store's words. Knows no table.

import type { Database } from "libsql";
import { StoreFull, StoreUnavailable } from "../store.ts";

/**
 * Throws what `work` threw, after rolling back; StoreFull or StoreUnavailable where the engine is the reason and not our SQL.
 * Not libsql's own `transaction`: a full disk has rolled back already, and its second ROLLBACK hides that the disk is full.
 */
export function transact<T>(db: Database, work: () => T): T {
  try {
    db.exec("BEGIN IMMEDIATE");
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw toFault(error);
  }
}

function toFault(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code);
  if (/^SQLITE_FULL/.test(code)) return new StoreFull("the disk is full", { cause: error });
  const isFault = /^SQLITE_(IOERR|BUSY|NOMEM|CANTOPEN|READONLY)/.test(code);
  return isFault ? new StoreUnavailable("the store could not write", { cause: error }) : error;
}
