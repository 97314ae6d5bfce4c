// A pool of connections to PostgreSQL.

import pg from "pg";

/** A row. A bigint arrives as a number, as the other numbers do: each of ours is within 2^53. */
export type Cells = (string | number | null | Buffer)[];
export type Parameters = readonly unknown[];
/** Rows as arrays, in the order of the select. */
export type Query = (sql: string, parameters?: Parameters) => Promise<{ rows: Cells[]; count: number }>;

const MAX_CONNECTIONS = 10; // for each process; PostgreSQL allows 100 by default
const CONNECT_TIMEOUT = 5_000; // ms
const STATEMENT_TIMEOUT = 30_000; // ms
const LOCK_TIMEOUT = 10_000; // ms to wait for one other transaction
const INT8 = 20; // type id; ids, versions and times are all within 2^53

export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: LOCK_TIMEOUT,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
    application_name: "intake",
    types: { getTypeParser: ((id: number, format: "text") => (id === INT8 ? Number : pg.types.getTypeParser(id, format))) as never },
  });
  // A server that stops ends idle connections. Without a listener the event would end the process; the next request connects again.
  pool.on("error", () => undefined);
  return pool;
}

export function queryOf(client: pg.Pool | pg.PoolClient): Query {
  return async (text, values = []) => {
    const { rows, rowCount } = await client.query<Cells>({ text, values: [...values], rowMode: "array" });
    return { rows, count: rowCount ?? 0 };
  };
}
