import type { Database, Statement as Prepared } from "libsql";
import type { Cell, Result, Statement } from "./script.ts";

/** Runs the statements of scripts on one connection. Each is prepared once. */
export function createRun(db: Database): (statement: Statement) => Result {
  const prepared = new Map<string, Prepared>();
  return ({ sql, parameters }) => {
    const isRead = /^SELECT\b/i.test(sql);
    const statement = prepared.get(sql) ?? prepare(db, sql, isRead);
    prepared.set(sql, statement);
    // Bytes that have crossed between threads are no Buffer any more, and libsql takes nothing else.
    const values = parameters.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value));
    if (!isRead) return { rows: [], count: statement.run(values).changes };
    const rows = statement.all(values) as Cell[][];
    return { rows, count: rows.length };
  };
}

/** Writes the statement with ?1 for $1. A dollar in the name of a column stays. */
export function withSqlitePlaces(sql: string): string {
  return sql.replaceAll(/"[^"]*"|\$(\d+)/g, (found, at) => (at ? `?${at}` : found));
}

function prepare(db: Database, sql: string, isRead: boolean): Prepared {
  const statement = db.prepare(withSqlitePlaces(sql));
  return isRead ? statement.raw() : statement;
}
