// Ids of transactions as the store has them: those of this PostgreSQL server, moved above what a server before it gave.

import { ask, type Script } from "../../engine/script/script.ts";
import { type Home, TIMELINE } from "./timeline.ts";

/** Computes it in SQL and not in the process, so that all processes have the same at any time. */
export const AHEAD = `(SELECT coalesce(max((convert_from(value, 'UTF8')::json ->> 'ahead')::bigint), 0) FROM settings WHERE name = '${TIMELINE}')`;

/** Belongs to the transaction that runs it. */
export const OWN_XID = `(pg_current_xact_id()::text::bigint + ${AHEAD})`;

/** No transaction below it is running. */
export const OLDEST_RUNNING = `(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${AHEAD})`;

const MAY_ASK = `SELECT CASE WHEN has_function_privilege(to_regprocedure('pg_catalog.pg_control_system()'), 'execute') THEN 1 ELSE 0 END`;

/**
 * A restored dump has other tables, mostly on another server. A standby that was promoted has the same of all. The server's own
 * identity is left out where the user may not ask for it.
 */
export function* readHome(): Script<Home> {
  const mayAsk = (yield* ask(MAY_ASK)).rows[0]?.[0] === 1;
  const server = mayAsk ? "(SELECT system_identifier::text FROM pg_control_system())" : "''";
  const sql = `SELECT concat_ws(' ', ${server}, (SELECT oid FROM pg_database WHERE datname = current_database()), 'writes'::regclass::oid),
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
    (SELECT coalesce(max(xid), 0) FROM writes),
    (SELECT coalesce(max((convert_from(value, 'UTF8')::json ->> 'xid')::bigint), 0) FROM settings WHERE name = 'retention')`;
  const [home = "", oldest, next, stored, swept] = (yield* ask(sql)).rows[0] ?? [];
  const highest = Math.max(Number(stored), Number(swept));
  return {
    home: String(home),
    isBehind: (ahead) => highest >= Number(next) + ahead,
    ahead: Math.max(0, highest + 1 - Number(oldest)),
  };
}
