// Asks PostgreSQL what it knows of a transaction, over another connection than its own.

import { codeOf, isBroken } from "./database-errors.ts";
import type { Query } from "./pool.ts";

/** `xid`: its 64-bit id (pg_current_xact_id). `pid`: of the backend that runs it. */
export interface TransactionName {
  xid: string;
  pid: number;
}

const ASK_FOR = 10_000; // ms
const ASK_EVERY = 100; // ms
const ABANDONED_AFTER = 1_000; // ms in which a COMMIT that is still on its way would have arrived
const IN_THE_FUTURE = "22023"; // SQLSTATE of pg_xact_status for an id that this server has not given yet

/** A standby cannot tell: it may not have received the end of the transaction yet. */
const STATUS = "SELECT CASE WHEN pg_is_in_recovery() THEN 'in progress' ELSE pg_xact_status($1::text::xid8) END";

/** A backend that waits for its client, or is no more, has answered. */
const AT_WORK = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state NOT LIKE 'idle%'";

/** Ends it only while it waits for its next statement: a backend that is committing must be left to finish. */
const END_ABANDONED =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_xid::text = $2 AND state = 'idle in transaction'";

/**
 * Waits until the transaction has ended. Undefined when that cannot be found out within ASK_FOR.
 *
 * "committed" needs a second proof by a row in `writes`: a server that crashed before it had written the transaction to disk
 * gives the same id again. "aborted" is certain all the same, because such a transaction was lost.
 */
export async function endOfTransaction(ask: Query, transaction: TransactionName): Promise<"committed" | "aborted" | undefined> {
  const from = performance.now();
  for (;;) {
    const status = await ask(STATUS, [transaction.xid]).then(
      ({ rows }) => rows[0]?.[0],
      (error) => (codeOf(error) === IN_THE_FUTURE ? "aborted" : "in progress"), // that server has lost it in a failover
    );
    if (status === "committed" || status === "aborted") return status;
    const waited = performance.now() - from;
    if (status === null || waited > ASK_FOR) return undefined; // null: the server has forgotten it
    if (waited > ABANDONED_AFTER) await endAbandoned(ask, transaction);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY));
  }
}

/** Says whether the server is still busy with what the transaction sent last. False when it has answered or cannot be reached. */
export function isAtWork(ask: Query, { pid }: TransactionName): Promise<boolean> {
  return ask(AT_WORK, [pid]).then(
    ({ count }) => count > 0,
    (error) => !isBroken(error), // too many connections: it is alive
  );
}

/** Ends a transaction whose connection is lost, so that its locks are free. */
export async function endAbandoned(ask: Query, { pid, xid }: TransactionName): Promise<void> {
  await ask(END_ABANDONED, [pid, rowXid(xid)]).catch(() => undefined); // the server ends it after IDLE_IN_TRANSACTION
}

/** Returns the id as `backend_xid` has it: the lower 32 bits. */
export function rowXid(xid: string): string {
  return String(BigInt(xid) & 0xffff_ffffn);
}

const LONGEST_WRITE = 300_000; // ms; none of the service takes as long

/** ms since the oldest transaction of the service began that writes and is still running. */
const OLDEST = `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) * 1000 FROM pg_stat_activity
  WHERE backend_xid IS NOT NULL AND datname = current_database() AND usename = current_user
    AND application_name = current_setting('application_name')`;

/**
 * A write has the time at which its transaction begins, and is read when that ends: one that runs now will have an earlier time than
 * this moment. Less one ms, because times are compared by the ms.
 */
export async function beforeRunning(read: Query): Promise<number> {
  const now = Date.now();
  const age = Number((await read(OLDEST, [])).rows[0]?.[0]);
  return Math.floor(now - Math.min(LONGEST_WRITE, age)) - 1;
}
