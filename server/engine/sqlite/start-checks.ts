// Finds what is wrong with a file that was there before the start: empty, cut off or damaged.

import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import type { Database } from "libsql";
import { StoreOpenError } from "../store.ts";

const HOW_TO_GO_ON = "Restore a backup (docs/operators.md)";
const CHECKED_WHOLE = 256 * 1024 * 1024; // bytes; a million customers, 0.7 s on slow cores

/**
 * Throws StoreOpenError for a file of 0 bytes, which SQLite takes for a new store. A store that we made is never empty, not even
 * before its first record, so no marker beside it is needed to know that it was cut off.
 */
export function refuseEmptyFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0) return;
  throw new StoreOpenError(`${file} is empty, but a store never is: it was cut off. ${HOW_TO_GO_ON}, or delete the file to begin anew`);
}

export const LACKS_LOG =
  "intake.db was not closed by a service, and its log intake.db-wal is not beside it: if it was copied without the log, its latest writes are missing. See docs/operators.md on backups";

/** Returns true if the file's header (byte 18) says that a log belongs to it, as it does until the service has closed it, and there is none. */
export function isLogMissing(file: string): boolean {
  if (!existsSync(file) || existsSync(`${file}-wal`)) return false;
  const handle = openSync(file, "r");
  const header = Buffer.alloc(20);
  readSync(handle, header, 0, 20, 0);
  closeSync(handle); // nothing else of this process has the file open yet, whose locks would end
  return header[18] === 2;
}

/**
 * Throws StoreOpenError for damaged pages: of every table in a store of usual size; in a larger one, where that takes seconds, of
 * the tables without records, and on the way to the first and the last record.
 */
export function requireWhole(db: Database, file: string): void {
  try {
    for (const sql of checksOf(db, file)) {
      const [found] = Object.values(db.prepare(sql).get() as object);
      if (sql.startsWith("PRAGMA") && found !== "ok") throw new StoreOpenError(damaged(file, String(found)));
    }
  } catch (error) {
    throw isCorrupt(error) ? new StoreOpenError(damaged(file, (error as Error).message)) : error;
  }
}

/** Is true where SQLite or we found damaged pages. */
export function isCorrupt(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code));
}

export function damaged(file: string, why: string): string {
  return `${file} is damaged (${why.replaceAll("\n", " ")}). ${HOW_TO_GO_ON}`;
}

function checksOf(db: Database, file: string): string[] {
  const isSmall = statSync(file).size <= CHECKED_WHOLE;
  // A virtual table has no pages but those of its shadow tables, which are checked; it would count every word as well.
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'").all();
  return (tables as { name: string }[]).flatMap(({ name }) => {
    if (isSmall || !/^[cs]_/.test(name)) return [`PRAGMA quick_check('${name}')`];
    return name.startsWith("s_")
      ? []
      : ["ASC", "DESC"].map((order) => `SELECT (SELECT version FROM "${name}" ORDER BY rowid ${order} LIMIT 1)`);
  });
}
