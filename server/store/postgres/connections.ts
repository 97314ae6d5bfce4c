// Single statements and transactions, which are run again after conflicts with others and after broken connections.

import type pg from "pg";
import { StoreInDoubt, StoreUnavailable } from "../store.ts";
import { endOfTransaction, type TransactionName } from "./commit-status.ts";
import { isBroken, isConflict, toUnavailable } from "./database-errors.ts";
import { openPool, type Query, queryOf } from "./pool.ts";

export interface Connections {
  /** One statement by itself. Repeated once when the connection was broken, so for reads only. */
  read: Query;
  /**
   * One transaction (READ COMMITTED). `work` runs again from the start when it throws WriteConflict or PostgreSQL reports a
   * conflict, for up to RETRY_FOR, and when the connection broke and the server says that nothing was committed.
   * Throws StoreUnavailable when nothing was written and the same may be tried again, StoreInDoubt when nobody can tell.
   *
   * `isWritten` looks for a row of the transaction after its connection broke at COMMIT and the server says "committed".
   */
  transact<T>(work: (query: Query) => Promise<T>, isWritten?: (query: Query, xid: string) => Promise<boolean>): Promise<T>;
  close(): Promise<void>;
}

/** The connection broke at COMMIT. `result`: of the work, if it was committed. */
class CommitInDoubt extends Error {
  readonly transaction: TransactionName;
  readonly result: unknown;
  constructor(transaction: TransactionName, result: unknown, cause: unknown) {
    super("the connection broke at COMMIT", { cause });
    this.transaction = transaction;
    this.result = result;
  }
}

const RETRY_FOR = 15_000; // ms
const LONGEST_PAUSE = 100; // ms

export function openConnections(url: string): Connections {
  const pool = openPool(url);
  const read: Query = async (sql, parameters) => {
    try {
      return await queryOf(pool)(sql, parameters);
    } catch (error) {
      if (!isBroken(error)) throw toUnavailable(error);
      return await queryOf(pool)(sql, parameters).catch((again) => {
        throw toUnavailable(again);
      });
    }
  };
  return {
    read,
    async transact(work, isWritten = async () => true) {
      const until = performance.now() + RETRY_FOR;
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(pool, work);
        } catch (error) {
          if (error instanceof CommitInDoubt) {
            if (await wasCommitted(read, error, isWritten)) return error.result as Awaited<ReturnType<typeof work>>;
          } else if (!isConflict(error) && !(attempt === 1 && isBroken(error))) throw toUnavailable(error); // it broke before COMMIT: tried once more
          if (performance.now() > until) throw new StoreUnavailable("the transaction was ended again and again", { cause: error });
          await pause(attempt);
        }
      }
    },
    close: () => pool.end(),
  };
}

/** False when the transaction was rolled back and may be run again. Throws StoreInDoubt when nobody can tell. */
async function wasCommitted(
  read: Query,
  doubt: CommitInDoubt,
  isWritten: (query: Query, xid: string) => Promise<boolean>,
): Promise<boolean> {
  const end = await endOfTransaction(read, doubt.transaction);
  if (end === "aborted") return false;
  const isCertain = end === "committed" && (await isWritten(read, doubt.transaction.xid).catch(() => false));
  if (!isCertain) throw new StoreInDoubt("the connection broke at COMMIT", { cause: doubt.cause });
  return true;
}

async function once<T>(pool: pg.Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError); // a connection that breaks between two statements
  try {
    const transaction = await begin(client);
    const result = await work(queryOf(client));
    await client.query("COMMIT").catch((error) => {
      throw isBroken(error) ? new CommitInDoubt(transaction, result, error) : error;
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

/** Begins a transaction and learns its name, in one round trip. */
async function begin(client: pg.PoolClient): Promise<TransactionName> {
  const text = "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_current_xact_id()::text, pg_backend_pid()";
  const [, named] = (await client.query({ text, rowMode: "array" })) as unknown as [unknown, { rows: [[string, number]] }];
  const [xid, pid] = named.rows[0];
  return { xid, pid };
}

/** With full jitter, so that two conflicting transactions do not repeat at the same moment. */
function pause(attempt: number): Promise<void> {
  const most = Math.min(LONGEST_PAUSE, 2 ** Math.min(attempt, 10));
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}
