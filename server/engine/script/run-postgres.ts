import type { InsertedRows, Result, Script, Statement } from "./script.ts";

/** Asks as PostgreSQL's connections do: rows come as arrays, in the order of the select. */
type Query = (sql: string, parameters: readonly unknown[]) => Promise<unknown>;

/**
 * Runs a script with the queries of a transaction, or with single reads; it waits after each statement. Nobody asks what came of rows that were
 * inserted, so the script goes on while the server inserts them, and they are waited for before the next statement.
 */
export async function runOn<T>(query: Query, script: Script<T>): Promise<T> {
  let inserted: Promise<unknown> | undefined;
  let step = script.next();
  while (!step.done) {
    await inserted;
    const asked = query(...asQuery(step.value));
    inserted = step.value.rows && asked;
    inserted?.catch(() => {}); // it is thrown where it is waited for
    step = script.next(inserted ? NOTHING : ((await asked) as Result));
  }
  await inserted;
  return step.value;
}

const NOTHING: Result = { rows: [], count: 0 };

/** Many rows go as one list for each column: a parameter for each cell takes several times as long to write and to parse. */
export function asQuery({ sql, parameters, rows }: Statement): [sql: string, parameters: readonly unknown[]] {
  if (!rows) return [sql, parameters];
  const { of, types, onConflict } = rows;
  const lists = types.map((type, i) => `$${i + 2}::${type}[]`);
  return [`${sql} SELECT $1, u.* FROM unnest(${lists.join(", ")}) u ${onConflict}`, [of, ...types.map((_, i) => listOf(rows, i))]];
}

function listOf({ types, cells }: InsertedRows, at: number): unknown {
  const list = cells.map((row) => row[at]);
  return types[at] === "bigint" ? `{${list.join()}}` : list; // the driver looks at each cell
}
