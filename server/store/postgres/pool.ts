// Connections to PostgreSQL, and transactions that are repeated after conflicts with others.

import pg from "pg";
import { StoreFull, StoreUnavailable } from "../store.ts";

export type Cells = (string | number | null | Buffer)[];
export type Parameters = readonly unknown[];
/** Rows as arrays, in the order of the select. */
export type Query = (sql: string, parameters?: Parameters) => Promise<{ rows: Cells[]; count: number }>;

export interface Connections {
  /** One statement by itself. Repeated once when the connection was broken, so for reads only. */
  read: Query;
  /**
   * One transaction (READ COMMITTED). `work` runs again from the start when it throws WriteConflict or PostgreSQL reports a
   * conflict, for up to RETRY_FOR. Throws StoreUnavailable when nothing was written and the same may be tried again.
   */
  transact<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Another transaction changed what this one has read. */
export class WriteConflict extends Error {}

/** The connection broke at COMMIT: whether it was written is not known. */
export class CommitInDoubt extends Error {}

const MAX_CONNECTIONS = 10; // for each process; PostgreSQL allows 100 by default
const CONNECT_TIMEOUT = 5_000; // ms
const STATEMENT_TIMEOUT = 30_000; // ms
const LOCK_TIMEOUT = 10_000; // ms to wait for one other transaction
const RETRY_FOR = 15_000; // ms
const LONGEST_PAUSE = 100; // ms
const INT8 = 20; // type id; ids, versions and times are all within 2^53

export function openConnections(url: string): Connections {
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
  return {
    async read(sql, parameters) {
      try {
        return await queryOf(pool)(sql, parameters);
      } catch (error) {
        if (!isBroken(error)) throw toUnavailable(error);
        return await queryOf(pool)(sql, parameters).catch((again) => {
          throw toUnavailable(again);
        });
      }
    },
    async transact(work) {
      const until = Date.now() + RETRY_FOR;
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(pool, work);
        } catch (error) {
          // A connection that broke before COMMIT wrote nothing; another one is tried once.
          const isRetried = isConflict(error) || (attempt === 1 && isBroken(error));
          if (!isRetried) throw toUnavailable(error);
          if (Date.now() > until) throw new StoreUnavailable("conflicts with other writes took too long", { cause: error });
          await pause(attempt);
        }
      }
    },
    close: () => pool.end(),
  };
}

async function once<T>(pool: pg.Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError); // a connection that breaks between two statements
  try {
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
    const result = await work(queryOf(client));
    await client.query("COMMIT").catch((error) => {
      throw isConflict(error) ? error : new CommitInDoubt("the connection broke while committing", { cause: error });
    });
    return result;
  } catch (error) {
    if (isBroken(error) || error instanceof CommitInDoubt) broken = error as Error;
    else await client.query("ROLLBACK").catch(onError);
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

function queryOf(client: pg.Pool | pg.PoolClient): Query {
  return async (text, values = []) => {
    const { rows, rowCount } = await client.query<Cells>({ text, values: [...values], rowMode: "array" });
    return { rows, count: rowCount ?? 0 };
  };
}

/** With full jitter, so that two conflicting transactions do not repeat at the same moment. */
function pause(attempt: number): Promise<void> {
  const most = Math.min(LONGEST_PAUSE, 2 ** Math.min(attempt, 10));
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}

export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}

// SQLSTATE: serialization failure, deadlock; a unique value that another transaction has taken, which the next attempt will read.
function isConflict(error: unknown): boolean {
  return error instanceof WriteConflict || ["40001", "40P01", "23505"].includes(codeOf(error));
}

/** Whether the connection broke or the server is shutting down (class 08, 57P01 to 57P05). */
function isBroken(error: unknown): boolean {
  const code = codeOf(error);
  if (/^(08...|57P0[1-5])$/.test(code)) return true;
  if (/^E(?!RR_)[A-Z_]+$/.test(code)) return true; // ECONNRESET and its like, not ERR_INVALID_ARG_TYPE
  return code === "" && /connection|timeout|not queryable/i.test((error as Error).message ?? "");
}

/** Errors of the server rather than of our SQL: disk full, too many connections, timeouts, a read-only standby. */
function toUnavailable(error: unknown): unknown {
  if (codeOf(error) === "53100") return new StoreFull("the disk of the database is full", { cause: error });
  const isServerError = isBroken(error) || /^(53...|55P03|57014|58...|25006)$/.test(codeOf(error));
  return isServerError && !(error instanceof CommitInDoubt) ? new StoreUnavailable("the store cannot be used", { cause: error }) : error;
}
