// How a transaction ended whose connection broke at COMMIT, asked over another connection.

import { codeOf } from "./database-errors.ts";
import type { Query } from "./pool.ts";

/** `xid`: its 64-bit id (pg_current_xact_id). `pid`: of the backend that ran it. */
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

/** Only while it waits for its next statement: a backend that is committing must be left to finish. */
const END_ABANDONED =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_xid::text = $2 AND state = 'idle in transaction'";

/**
 * Waits until the transaction has ended. Undefined when that cannot be found out within ASK_FOR.
 *
 * "committed" needs a second proof by a row (rowXid): a server that crashed before it had written the transaction to disk
 * gives the same id again. "aborted" is certain all the same, because such a transaction was lost.
 */
export async function endOfTransaction(read: Query, { xid, pid }: TransactionName): Promise<"committed" | "aborted" | undefined> {
  const from = performance.now();
  for (;;) {
    const status = await read(STATUS, [xid]).then(
      ({ rows }) => rows[0]?.[0],
      (error) => (codeOf(error.cause ?? error) === IN_THE_FUTURE ? "aborted" : "in progress"), // that server has lost it in a failover
    );
    if (status === "committed" || status === "aborted") return status;
    const waited = performance.now() - from;
    if (status === null || waited > ASK_FOR) return undefined; // null: the server has forgotten it
    if (waited > ABANDONED_AFTER) await read(END_ABANDONED, [pid, rowXid(xid)]).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY));
  }
}

/** The id as rows have it in their system column `xmin`: the lower 32 bits. */
export function rowXid(xid: string): string {
  return String(BigInt(xid) & 0xffff_ffffn);
}
