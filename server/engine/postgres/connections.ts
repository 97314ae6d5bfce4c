// Single statements and transactions, which are run again after conflicts with others and after broken connections.

import { StoreInDoubt, StoreTooCostly, StoreUnavailable } from "../store.ts";
import { endAbandoned, endOfTransaction, isAtWork, type TransactionName } from "./backend.ts";
import { codeOf, isBroken, isConflict, toUnavailable } from "./database-errors.ts";
import type { DatabasePool, Parameters, Query, Session } from "./pool.ts";

/** Ways to read from one server. */
export interface Reads {
  /** One statement by itself. */
  read: Query;
  /**
   * Does as read does, for the statements of one list or count, which share `ms`. Throws StoreTooCostly when they take longer, and the
   * reason of `signal` instead of beginning a statement after its abort.
   */
  readWithin(ms: number, signal?: AbortSignal): Query;
  /** Does as readWithin does, for statements that gather many hits of words. Each costs two more round trips. */
  searchWithin(ms: number, signal?: AbortSignal): Query;
  /** Does as readWithin does, for statements that the planner must answer from an index whatever it expects. None takes longer than what is left of `ms`. */
  readByIndex(ms: number, signal?: AbortSignal): Query;
}

/** A statement is repeated once when the connection was broken, so those of `Reads` are for reads only. */
export interface Connections extends Reads {
  /**
   * Runs one transaction (READ COMMITTED). `work` runs again from the start when it throws WriteConflict or PostgreSQL reports a
   * conflict, for up to RETRY_FOR, and when the connection broke and the server says that nothing was committed.
   * Throws StoreUnavailable when nothing was written and the same may be tried again, StoreInDoubt when nobody can tell.
   *
   * `isWritten` looks for what the transaction wrote after its connection broke at COMMIT and the server says "committed": it may
   * have lost the transaction and given its id to another one, as a new primary does. Without it the answer is believed, so
   * leave it out only where a lost transaction does no harm.
   */
  transact<T>(work: (query: Query) => Promise<T>, isWritten?: IsWritten<T>): Promise<T>;
}

/** `result`: of the work. */
type IsWritten<T> = (query: Query, xid: string, result: T) => Promise<boolean>;

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

const WRITE_TIMEOUT = 30_000; // ms for one statement of a transaction
const LOCK_TIMEOUT = 10_000; // ms to wait for one other transaction
const RETRY_FOR = 15_000; // ms
const LONGEST_PAUSE = 100; // ms
export const CANCELED = "57014"; // SQLSTATE: statement_timeout
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${WRITE_TIMEOUT}; SET LOCAL lock_timeout = ${LOCK_TIMEOUT};
  SELECT pg_current_xact_id()::text, pg_backend_pid()`;

/**
 * With PostgreSQL's 4 MB the hits of a frequent word are kept as pages, of which every row is read again: at 10,000,000 records two such
 * words took 1.7 s, and 0.2 s with this (decision 178).
 */
const ROOM_FOR_HITS = "SET LOCAL work_mem = '64MB'";

const TOOK_ALL = "the statements before this one took all the time";

function rejectCostly(error: Error): never {
  throw codeOf(error.cause ?? {}) === CANCELED ? new StoreTooCostly("statement_timeout", { cause: error.cause }) : error;
}

/** Runs one statement, in a transaction with these settings if there are any. Throws the reason of `signal` instead of beginning it after its abort. */
type RunRead = (signal: AbortSignal | undefined, sql: string, parameters?: Parameters, settings?: string) => ReturnType<Query>;

/** Sets the same limits for whatever connection `run` uses. */
export function createReads(run: RunRead): Reads {
  const within = (ms: number, signal: AbortSignal | undefined, settings?: string): Query => {
    const until = performance.now() + ms;
    return async (sql, parameters) => {
      if (performance.now() > until) throw new StoreTooCostly(TOOK_ALL);
      return run(signal, sql, parameters, settings).catch(rejectCostly);
    };
  };
  return {
    read: (sql, parameters) => run(undefined, sql, parameters),
    readWithin: (ms, signal) => within(ms, signal),
    searchWithin: (ms, signal) => within(ms, signal, ROOM_FOR_HITS),
    readByIndex(ms, signal) {
      const until = performance.now() + ms;
      return async (sql, parameters) => {
        const left = Math.ceil(until - performance.now());
        if (left <= 0) throw new StoreTooCostly(TOOK_ALL);
        const settings = `SET LOCAL enable_seqscan = off; SET LOCAL statement_timeout = ${left}`;
        return run(signal, sql, parameters, settings).catch(rejectCostly);
      };
    },
  };
}

/** `ask`: over connections of its own, for questions about the others. `explain`: resolves to what is thrown for an error. */
export function createConnections(
  pool: DatabasePool,
  ask: Query,
  explain: (error: unknown) => Promise<unknown> = async (error) => toUnavailable(error),
): Connections {
  const run: RunRead = async (signal, sql, parameters, settings) => {
    const query = () =>
      pool.use((session) => {
        signal?.throwIfAborted(); // while it waited for the connection
        return settings ? queryWith(session, settings, sql, parameters) : session.query(sql, parameters);
      });
    try {
      return await query();
    } catch (error) {
      if (!isBroken(error)) throw await explain(error);
      return await query().catch(async (again) => {
        throw await explain(again);
      });
    }
  };
  return {
    ...createReads(run),
    async transact(work, isWritten = async () => true) {
      const until = performance.now() + RETRY_FOR;
      for (let attempt = 1; ; attempt++) {
        try {
          return await pool.use((session) => runOnce(session, ask, work));
        } catch (error) {
          if (error instanceof CommitInDoubt) {
            const result = error.result as Awaited<ReturnType<typeof work>>;
            if (await wasCommitted(ask, error, (query, xid) => isWritten(query, xid, result))) return result;
          } else if (!isConflict(error) && !(attempt === 1 && isBroken(error))) throw await explain(error); // it broke before COMMIT: tried once more
          if (performance.now() > until) throw new StoreUnavailable("the transaction was ended again and again", { cause: error });
          await pause(attempt);
        }
      }
    },
  };
}

/** Runs one statement in a transaction of its own, which alone can have settings where a pooler lends out connections. */
async function queryWith(session: Session, settings: string, sql: string, parameters?: Parameters) {
  await session.query(`BEGIN READ ONLY; ${settings}`);
  try {
    return await session.query(sql, parameters);
  } finally {
    await session.query("ROLLBACK").catch(() => undefined); // broken: the statement's own error says so
  }
}

/** Returns false when the transaction was rolled back and may be run again. Throws StoreInDoubt when nobody can tell. */
async function wasCommitted(
  ask: Query,
  doubt: CommitInDoubt,
  isWritten: (query: Query, xid: string) => Promise<boolean>,
): Promise<boolean> {
  const end = await endOfTransaction(ask, doubt.transaction);
  if (end === "aborted") return false;
  const isCertain = end === "committed" && (await isWritten(ask, doubt.transaction.xid).catch(() => false));
  // When that cannot be asked, the broken connection is the cause.
  if (!isCertain) throw new StoreInDoubt("the connection broke at COMMIT", { cause: doubt.cause });
  return true;
}

async function runOnce<T>(session: Session, ask: Query, work: (query: Query) => Promise<T>): Promise<T> {
  const [xid, pid] = (await session.query(BEGIN)).rows[0] as [string, number];
  const transaction = { xid, pid };
  session.backend = { isAtWork: () => isAtWork(ask, transaction), endAbandoned: () => endAbandoned(ask, transaction) };
  let result: T;
  try {
    result = await work(session.query);
  } catch (error) {
    if (!isBroken(error)) await session.query("ROLLBACK");
    throw error;
  }
  await session.query("COMMIT").catch((error) => {
    throw isBroken(error) ? new CommitInDoubt(transaction, result, error) : error;
  });
  return result;
}

/** Waits with full jitter, so that two conflicting transactions do not repeat at the same moment. */
function pause(attempt: number): Promise<void> {
  const most = Math.min(LONGEST_PAUSE, 2 ** Math.min(attempt, 10));
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}
