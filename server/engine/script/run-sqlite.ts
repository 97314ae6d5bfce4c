import type { Database, Statement as Prepared } from "libsql";
import type { Cell, InsertedRows, Result, Statement } from "./script.ts";

/** Runs the statements of scripts on one connection. Each is prepared once. */
export function createRun(db: Database): (statement: Statement) => Result {
  const prepared = new Map<string, Prepared>();
  const run = ({ sql, parameters, rows }: Statement): Result => {
    if (rows) return { rows: [], count: insertsOf(sql, rows).reduce((sum, one) => sum + run(one).count, 0) };
    const isRead = /^SELECT\b/i.test(sql);
    const statement = prepared.get(sql) ?? prepare(db, sql, isRead);
    prepared.set(sql, statement);
    // Bytes that have crossed between threads are no Buffer any more, and libsql takes nothing else.
    const values = parameters.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value));
    if (!isRead) return { rows: [], count: statement.run(values).changes };
    const found = statement.all(values) as Cell[][];
    return { rows: found, count: found.length };
  };
  return run;
}

const ROWS_AT_ONCE = [1_000, 200, 50, 10, 1] as const; // so that there are few statements

/** Returns the statements that insert the rows. */
function insertsOf(into: string, { of, types, cells, onConflict }: InsertedRows): Statement[] {
  const inserts: Statement[] = [];
  for (let at = 0; at < cells.length; ) {
    const count = ROWS_AT_ONCE.find((one) => one <= cells.length - at) ?? 1;
    const row = (i: number) => `($1, ${types.map((_, k) => `$${i * types.length + k + 2}`).join(", ")})`;
    const sql = `${into} VALUES ${Array.from({ length: count }, (_, i) => row(i)).join(", ")} ${onConflict}`;
    inserts.push({ sql, parameters: [of, ...cells.slice(at, at + count).flat()] });
    at += count;
  }
  return inserts;
}

/** Writes the statement with ?1 for $1. A dollar in the name of a column stays. */
export function withSqlitePlaces(sql: string): string {
  return sql.replaceAll(/"[^"]*"|\$(\d+)/g, (found, at) => (at ? `?${at}` : found));
}

function prepare(db: Database, sql: string, isRead: boolean): Prepared {
  const statement = db.prepare(withSqlitePlaces(sql));
  return isRead ? statement.raw() : statement;
}
