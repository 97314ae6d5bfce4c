// A pool of connections to PostgreSQL. One that falls silent is given up, and with it those that were idle at that time.

import pg from "pg";
import type { PoolState } from "../store.ts";
import { codeOf, isBroken } from "./database-errors.ts";
import type { Targets } from "./targets.ts";

/** A row. A bigint arrives as a number, as the other numbers do: each of ours is within 2^53. */
export type Cells = (string | number | null | Buffer)[];
export type Parameters = readonly unknown[];
/** Rows as arrays, in the order of the select; of several statements without parameters those of the last. */
export type Query = (sql: string, parameters?: Parameters) => Promise<{ rows: Cells[]; count: number }>;

export interface Session {
  query: Query;
  /** Is asked while the server is silent. Without it the time alone decides when the connection is given up. */
  backend?: Backend;
}

/** The server's side of a connection. */
export interface Backend {
  /** Returns false when it has answered, so that the answer was lost on the way, or when it cannot be reached. */
  isAtWork(): Promise<boolean>;
  /** Is called after the connection was given up. */
  endAbandoned(): Promise<void>;
}

export interface DatabasePool {
  /** Runs `work` on a connection of its own. After an error that broke the connection it is not used again. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  state(): PoolState;
  /** Waits for running work; connections that do not end by themselves are cut off. */
  close(): Promise<void>;
}

/** Says when a connection was last found silent, in ms. All pools share it, because what cut one has probably cut the others. */
export interface Silence {
  at: number;
}

export interface PoolSettings {
  name: string;
  targets: Targets;
  silence: Silence;
  /** Connections at most, and those that are kept when idle. */
  max: number;
  min?: number;
  /** ms to wait for a free connection, for a new one, for a statement, and for a lock. */
  waitTimeout: number;
  connectTimeout: number;
  statementTimeout: number;
  lockTimeout: number;
}

const GONE = { isAtWork: async () => false };
const ASK_AGAIN = 500; // ms
const TRANSIT = 1_500; // ms that an answer may be on its way after the server had to end the statement
const ASK_WITHIN = 2_000; // ms to connect, and for the answer
const ASK_EVERY = 4_000; // ms of silence in a transaction
const FULL_FOR = 5_000; // ms for which a server that has no room for more is not asked again
const LONGEST_PAUSE = 250; // ms
const CLOSE_WITHIN = 2_000; // ms
const KEEP_ALIVE_AFTER = 5_000; // ms of silence; Linux ends the connection 10 s later
const IDLE_IN_TRANSACTION = 30_000; // ms
const INT8 = 20; // type id; ids, versions and times are all within 2^53
const FAILOVER = 1_000; // ms
export const READ_ONLY = "25006"; // SQLSTATE; a read throws it, too, where a server is not the one that it wants
const NOT_ALLOWED = "28000"; // no entry in pg_hba.conf, perhaps only for connections that are not encrypted (sslmode=allow)
const TOO_MANY_CONNECTIONS = "53300";

export function openPool(settings: PoolSettings): DatabasePool {
  const { name, max, statementTimeout, waitTimeout, silence, targets } = settings;
  const pool = createPool(settings);
  const heard = new Map<pg.PoolClient, number>(); // when, ms
  pool.on("connect", (client) => heard.set(client, performance.now()));
  pool.on("remove", (client) => heard.delete(client));

  async function acquire(): Promise<pg.PoolClient> {
    const until = performance.now() + waitTimeout;
    for (let failed = 0; ; ) {
      const target = targets.current();
      try {
        const client = await pool.connect();
        if ((heard.get(client) ?? 0) >= silence.at) return client;
        cutOff(client);
        client.release(true);
      } catch (error) {
        if (codeOf(error) === TOO_MANY_CONNECTIONS && performance.now() < until) await waitForRoom(pool, max);
        else if ((isBroken(error) || codeOf(error) === NOT_ALLOWED) && ++failed < targets.count) targets.skip(target);
        else throw error;
      }
    }
  }

  function sessionOn(client: pg.PoolClient): Session {
    const giveUp = () => {
      silence.at = performance.now();
      cutOff(client);
      void session.backend?.endAbandoned();
    };
    const session: Session = {
      async query(text, values = []) {
        const { backend } = session;
        const stop = backend ? watch(ASK_EVERY, backend, giveUp) : watch(statementTimeout + TRANSIT, GONE, giveUp);
        try {
          const result: unknown = await client.query<Cells>({ text, values: [...values], rowMode: "array" });
          const { rows, rowCount } = (Array.isArray(result) ? result.at(-1) : result) as pg.QueryArrayResult<Cells>;
          return { rows, count: rowCount ?? 0 };
        } finally {
          stop();
          heard.set(client, performance.now());
        }
      },
    };
    return session;
  }

  /** The server does not have the role that is wanted; the idle connections lead to it, too. */
  function leaveStandby(): void {
    if (performance.now() - silence.at > FAILOVER) targets.skip(targets.current()); // once, though many requests find out
    silence.at = performance.now();
  }

  return {
    async use(work) {
      const client = await acquire();
      let broken: Error | undefined;
      const onError = (error: Error) => {
        broken = error;
      };
      client.on("error", onError); // a connection that breaks between two statements
      try {
        return await work(sessionOn(client));
      } catch (error) {
        if (isBroken(error)) broken = error as Error;
        if (codeOf(error) === READ_ONLY) leaveStandby();
        throw error;
      } finally {
        client.off("error", onError);
        client.release(broken);
      }
    },
    state: () => ({ name, max, open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      const late = setTimeout(() => {
        for (const client of heard.keys()) cutOff(client);
      }, CLOSE_WITHIN);
      await pool.end().finally(() => clearTimeout(late));
    },
  };
}

/**
 * Each question has a connection of its own, so that none waits behind another on one that has fallen silent. A server that
 * cannot be asked is passed over by the next question. `within`: ms for the answer; `signal`: nobody waits for it any more.
 */
export function openQuestions(targets: Targets, { within = ASK_WITHIN, signal }: { within?: number; signal?: AbortSignal } = {}): Query {
  return async (text, values = []) => {
    const target = targets.current();
    const client = new pg.Client({
      ...connectionSettings({ connectTimeout: ASK_WITHIN, statementTimeout: within, lockTimeout: within }),
      connectionString: target,
    });
    client.on("error", () => undefined); // the statement that it breaks fails as well
    const late = setTimeout(() => cutOff(client), ASK_WITHIN + within);
    const leave = () => cutOff(client);
    signal?.addEventListener("abort", leave);
    try {
      await client.connect();
      if (targets.needsPrimary) await rejectReadOnly(client);
      const { rows, rowCount } = await client.query<Cells>({ text, values: [...values], rowMode: "array" });
      return { rows, count: rowCount ?? 0 };
    } catch (error) {
      if (isBroken(error)) targets.skip(target);
      throw error;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener("abort", leave);
      await client.end().catch(() => undefined); // the answer is there, or its own error
    }
  };
}

function createPool(settings: PoolSettings): pg.Pool {
  const { max, min = 0, waitTimeout, connectTimeout, targets } = settings;
  class Client extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      // The pool has one option for the time to wait and the time to connect.
      super({ ...options, connectionString: targets.current(), connectionTimeoutMillis: connectTimeout });
    }
  }
  const pool = new pg.Pool({
    ...connectionSettings(settings),
    connectionTimeoutMillis: waitTimeout,
    max,
    min,
    Client,
    ...(targets.needsPrimary && { verify: (client, done) => void rejectReadOnly(client).then(() => done(), done) }),
  });
  // A server that stops ends idle connections. Without a listener the event would end the process; the next request connects again.
  pool.on("error", () => undefined);
  return pool;
}

async function rejectReadOnly(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
  if (rows[0]?.transaction_read_only === "on") throw Object.assign(new Error("a standby"), { code: READ_ONLY });
}

type ConnectionSettings = Pick<PoolSettings, "connectTimeout" | "statementTimeout" | "lockTimeout">;

function connectionSettings({ connectTimeout, statementTimeout, lockTimeout }: ConnectionSettings): pg.ClientConfig {
  return {
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION,
    application_name: "intake",
    types: { getTypeParser: ((id: number, format: "text") => (id === INT8 ? Number : pg.types.getTypeParser(id, format))) as never },
  };
}

/** Ends the connection without a word to the server, which may not be there any more. What runs on it fails. */
function cutOff(client: pg.PoolClient | pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * Asks every `ms` until stopped, and gives up when the backend is twice found not at work: its answer may have been on its
 * way the first time. Returns the function that stops.
 */
function watch(ms: number, backend: Pick<Backend, "isAtWork">, giveUp: () => void): () => void {
  let isStopped = false;
  const check = async (isSecond: boolean) => {
    const goesOn = await backend.isAtWork();
    if (isStopped) return;
    if (isSecond && !goesOn) giveUp();
    else timer = setTimeout(check, goesOn ? ms : ASK_AGAIN, !goesOn);
  };
  let timer = setTimeout(check, ms, false);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** The server takes no more connections: for a while the pool makes do with those it has, for which requests wait in turn. */
async function waitForRoom(pool: pg.Pool, max: number): Promise<void> {
  if (pool.options.max === max) setTimeout(() => (pool.options.max = max), FULL_FOR).unref();
  pool.options.max = Math.max(1, pool.totalCount);
  if (pool.totalCount === 0) await new Promise((resolve) => setTimeout(resolve, LONGEST_PAUSE * Math.random()));
}
