// Checks that a file is an undamaged store. For copies only: nobody else may have the file open.

import { statSync } from "node:fs";
import Database from "libsql";
import { RESTORED } from "../../history/store/timeline.ts";
import { tableOf } from "../columns.ts";
import { StoreOpenError } from "../store.ts";
import { requireKnownSchema } from "./migrations.ts";

export interface Contents {
  /** Collection → records. */
  records: Record<string, number>;
  keys: number;
}

/** Checks every page and index, and counts the contents. Throws StoreOpenError for a file that is empty, damaged, too new or no store. */
export function checkFile(file: string): Contents {
  if (statSync(file).size === 0) throw new StoreOpenError("the file is empty"); // SQLite takes it for a database without tables
  const db = new Database(file);
  try {
    db.pragma("journal_mode = DELETE");
    const found = db.prepare("PRAGMA integrity_check(1)").get() as { integrity_check: string };
    if (found.integrity_check !== "ok") throw new StoreOpenError(`the file is damaged (${found.integrity_check})`);
    const tables = db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('fields', 'keys', 'settings')").get() as {
      n: number;
    };
    if (tables.n !== 3) throw new StoreOpenError("the file is a SQLite database, but no store of this service");
    requireKnownSchema(db);
    return contentsOf(db);
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    const { code = "", message } = error as { code?: string; message: string };
    throw new StoreOpenError(code === "SQLITE_NOTADB" ? "the file is not a SQLite database" : `the file is damaged (${message})`);
  } finally {
    db.close();
  }
}

function contentsOf(db: Database.Database): Contents {
  const count = (table: string) => (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
  const names = db.prepare("SELECT DISTINCT collection AS name FROM fields ORDER BY collection").all() as { name: string }[];
  return { records: Object.fromEntries(names.map((one) => [one.name, count(tableOf(one))])), keys: count("keys") };
}

/** The next start on the file begins a new timeline of the change feed. */
export function markRestored(file: string): void {
  const db = new Database(file);
  try {
    db.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES (?, x'')").run([RESTORED]);
  } finally {
    db.close();
  }
}
