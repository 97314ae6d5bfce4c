// Has a standby answer reads once it has replayed what was acknowledged before them. Otherwise the primary answers.

import { setTimeout as sleep } from "node:timers/promises";
import type { ReadCount, WhyPrimary } from "../store.ts";
import { CANCELED, createReads, type Reads } from "./connections.ts";
import { codeOf, isBroken, isOfOtherTables, LOCK_NOT_AVAILABLE, toUnavailable } from "./database-errors.ts";
import { type Cells, type DatabasePool, type Parameters, type Query, READ_ONLY, type Session } from "./pool.ts";

/** Runs a read, whose statements all go to the same server. It may run a second time. */
export type ReadAnywhere = <T>(work: (reads: Reads) => Promise<T>) => Promise<T>;

export interface Replica {
  read: ReadAnywhere;
  counts(): ReadCount[];
}

/** Says how far a server is, in bytes of the log, and which server it is. */
interface Position {
  at: number;
  /** The server's identity, its timeline, the database and the schema. */
  of: string;
}

const WAIT = 50; // ms for the replica to answer, and to get as far as the primary was
const PAUSE = 1_000; // ms for which a replica that could not be used is left alone
const LONGEST_NAP = 8; // ms

const homeWith = (timeline: string) =>
  `concat_ws(' ', (pg_control_system()).system_identifier, ${timeline}, current_database(), current_schema())`;

/**
 * What is acknowledged is on the primary's disk, unless synchronous_commit is off. What is only in its memory is not sent to the replica, so
 * nobody may wait for it.
 */
const POSITION = `SELECT pg_wal_lsn_diff(lsn, '0/0')::bigint, ${homeWith("('x' || left(pg_walfile_name(lsn), 8))::bit(32)::integer")}
  FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS lsn) AS place`;

/**
 * A standby does not say which timeline it replays, only which one it has noted on its disk, perhaps long after. Until then it is one of the old
 * timeline, which may have other writes at the same place of the log.
 */
const REPLAYED = `SELECT pg_is_in_recovery(), pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint, ${homeWith(
  "greatest((pg_control_checkpoint()).timeline_id, (pg_control_recovery()).min_recovery_end_timeline)",
)}`;

/** What has been replayed is asked before anything is read, and each statement sees what has been replayed when it begins. */
const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY";

/** Says why the primary has to answer. */
class StandIn extends Error {
  readonly why: WhyPrimary;
  /** Has the pool try another server. */
  readonly code?: string;
  constructor(why: WhyPrimary, message: string) {
    super(message);
    this.why = why;
    if (why === "other") this.code = READ_ONLY;
  }
}

/** One read on its way. `stage`: why the primary would answer if it were late now. */
interface Attempt {
  stage: "busy" | "silent" | "behind" | "reading";
  isLate: boolean;
}

const LATE = {
  busy: "no connection to it was free in time",
  silent: `it does not answer within ${WAIT} ms`,
  behind: `it does not get as far as the primary within ${WAIT} ms`,
} as const;

interface ReplicaParts {
  /** Runs a statement on the primary. */
  ask: Query;
  /** Reads from the primary. */
  primary: Reads;
  /** Is called with a sentence when the replica is read from no more, and when it is again. */
  onWarning: (text: string) => void;
}

/** `pool`: of the replica. */
export function createReplica(pool: DatabasePool, { ask, primary, onWarning }: ReplicaParts): Replica {
  const position = shared(async () => toPosition((await ask(POSITION)).rows[0] ?? []));
  const rest = createRest(onWarning);
  const counts = new Map<WhyPrimary | "", number>();
  const count = (why: WhyPrimary | "") => counts.set(why, (counts.get(why) ?? 0) + 1);

  function onReplica<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    const attempt: Attempt = { stage: "busy", isLate: false };
    const wanted = position().catch((error) => {
      throw new StandIn("unknown", `the primary did not say how far it is: ${error.message}`);
    });
    const done = new Promise<T>((resolve, reject) => {
      const use = async (session: Session) => {
        if (attempt.isLate) return;
        try {
          await catchUp(session, wanted, attempt);
          if (attempt.isLate) return;
          const { end } = await readOn(session, work, attempt);
          rest.end();
          count("");
          resolve(end);
        } finally {
          await session.query("ROLLBACK").catch(() => undefined); // a broken connection has its own error
        }
      };
      pool.use(use).catch((error) => reject(toStandIn(error)));
    });
    const late = wanted
      .then(() => sleep(WAIT))
      .then(() => {
        const { stage } = attempt;
        if (stage === "reading") return done;
        attempt.isLate = true;
        done.catch(rest.begin); // it says more than that it was late
        throw new StandIn(stage, LATE[stage]);
      });
    return Promise.race([done, late]);
  }

  return {
    async read(work) {
      let why = rest.reason();
      if (why === undefined) {
        try {
          return await onReplica(work);
        } catch (error) {
          if (!(error instanceof StandIn)) throw error;
          rest.begin(error);
          ({ why } = error);
        }
      }
      count(why);
      return work(primary);
    },
    counts: () => [...counts].map(([why, reads]) => ({ server: why === "" ? "replica" : "primary", why, reads })),
  };
}

/** Any number of callers share one question. It is sent after each of them has asked, because the answer to an earlier one may be out of date. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const askNext = async () => {
    await running?.catch(() => undefined); // who asked that is told
    next = undefined;
    running = ask();
    return running;
  };
  return () => {
    next ??= askNext();
    return next;
  };
}

function toPosition([at, of]: Cells): Position {
  return { at: Number(at), of: String(of) };
}

/** Begins a transaction, so that a pooler leads all statements to the same server, and waits until that has got far enough. */
async function catchUp(session: Session, wanted: Promise<Position>, attempt: Attempt): Promise<void> {
  attempt.stage = "silent";
  let { rows } = await session.query(`${BEGIN}; ${REPLAYED}`);
  attempt.stage = "behind";
  const primary = await wanted;
  for (let nap = 1; !attempt.isLate; nap = Math.min(nap * 2, LONGEST_NAP)) {
    const [isStandby, ...position] = rows[0] ?? [];
    const { at, of } = toPosition(position);
    if (!isStandby) throw new StandIn("other", "it is no standby, it takes writes itself");
    if (of !== primary.of)
      throw new StandIn("other", `it is "${of}", and the primary is "${primary.of}" (server, timeline, database, schema)`);
    if (at >= primary.at) return;
    await sleep(nap);
    ({ rows } = await session.query(REPLAYED));
  }
}

/** Resolves to the end of the work, which may be an error of its own. Throws what kept the replica from answering. */
async function readOn<T>(session: Session, work: (reads: Reads) => Promise<T>, attempt: Attempt): Promise<{ end: Promise<T> }> {
  attempt.stage = "reading";
  let failed: unknown;
  const run = async (sql: string, parameters?: Parameters) => {
    try {
      return await session.query(sql, parameters);
    } catch (error) {
      if (codeOf(error) === CANCELED) throw toUnavailable(error); // it would take as long on the primary
      failed = error;
      throw error;
    }
  };
  const reads = createReads(async (signal, sql, parameters, settings) => {
    signal?.throwIfAborted();
    if (settings) await run(settings);
    return run(sql, parameters);
  });
  const end = work(reads);
  await end.catch(() => undefined);
  if (failed !== undefined) throw failed;
  return { end };
}

/** What is replayed is in the way of what is read. */
const CONFLICTS = ["40001", "40P01", LOCK_NOT_AVAILABLE];

function toStandIn(error: unknown): StandIn {
  if (error instanceof StandIn) return error;
  const isConflict = CONFLICTS.includes(codeOf(error)) || isOfOtherTables(error); // another dictionary came while it read
  const why = isConflict ? "conflict" : isBroken(error) ? "away" : "failed";
  return new StandIn(why, (error as Error).message);
}

/**
 * Remembers that the replica cannot be used, so that not each read tries it and loses time: one does after each pause. What passes by itself
 * is not worth a line of the log.
 */
function createRest(onWarning: (text: string) => void) {
  let found: { why: WhyPrimary; since: number } | undefined;
  let logged: WhyPrimary | undefined;
  let until = 0;
  return {
    /** Says why the replica is not to be tried; undefined: it is. */
    reason(): WhyPrimary | undefined {
      const now = performance.now();
      if (found && now < until) return found.why;
      until = now + PAUSE;
      return undefined;
    },
    begin({ why, message }: StandIn): void {
      if (why === "busy" || why === "conflict" || why === "unknown") return;
      const now = performance.now();
      found = { why, since: found?.since ?? now };
      until = now + PAUSE;
      const passes = why === "behind" || (why === "silent" && now - found.since < PAUSE);
      if (passes || logged === why || (logged && why !== "other")) return; // how it is away is one line, that it is another server is one more
      logged = why;
      onWarning(`the replica of READ_DATABASE_URL is not read from, the primary answers instead: ${message}`);
    },
    end(): void {
      found = undefined;
      if (logged) onWarning("the replica of READ_DATABASE_URL is read from again");
      logged = undefined;
    },
  };
}
