// The store in a PostgreSQL database, which several processes may share.

import { randomBytes } from "node:crypto";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { type Cell, columnsOf, quoted, tableOf, toRecord } from "../columns.ts";
import { type PoolState, type Store, StoreOpenError, StoreUnavailable } from "../store.ts";
import { type Connections, createConnections } from "./connections.ts";
import { createCredentials } from "./credentials.ts";
import { codeOf } from "./database-errors.ts";
import { createLister } from "./list.ts";
import { guard, migrate, prepare } from "./migrations.ts";
import { openPool, openQuestions, type Query } from "./pool.ts";
import { applyDictionary } from "./schema.ts";
import { createWriter } from "./write.ts";

export interface PostgresSettings {
  /** Seconds for one list or count. */
  readSeconds: number;
  /** Connections for records at most; those for credentials and health come on top. */
  connections: number;
}

const DEFAULT_SETTINGS: PostgresSettings = { readSeconds: 5, connections: 10 };

/**
 * Connects and brings the tables up to the dictionary; several processes may do so at once. Throws StoreOpenError when the
 * server cannot be used or the dictionary does not fit the stored data.
 */
export async function openPostgres(url: string, collections: readonly Collection[], settings = DEFAULT_SETTINGS): Promise<Store> {
  const database = connect(url, settings);
  try {
    const secret = await prepareTables(database.records, collections);
    await database.ping();
    return createStore(database, collections, secret, settings);
  } catch (error) {
    await database.close();
    throw error instanceof StoreOpenError ? error : new StoreOpenError(whyNotOpened(error), { cause: error });
  }
}

/** A lock on a collection's table or a queue for its records must not delay sign-in and health, which have their own connections. */
interface Database {
  records: Connections;
  credentials: Connections;
  ping(): Promise<void>;
  pools(): PoolState[];
  close(): Promise<void>;
}

const FOR_CREDENTIALS = 3; // connections; each request reads its token with one
const SIGN_IN_TIMEOUT = 5_000; // ms
const HEALTH_TIMEOUT = 1_000; // ms; /readyz answers within 2 s

function connect(url: string, { readSeconds, connections }: PostgresSettings): Database {
  const read = Math.ceil(readSeconds * 1_000);
  const pool = { url, silence: { at: 0 } };
  const timeouts = { ...pool, waitTimeout: 10_000, connectTimeout: 5_000, statementTimeout: read, lockTimeout: Math.ceil(read / 2) };
  const atSignIn = { ...timeouts, statementTimeout: SIGN_IN_TIMEOUT, lockTimeout: SIGN_IN_TIMEOUT };
  const atHealth = {
    ...pool,
    waitTimeout: HEALTH_TIMEOUT,
    connectTimeout: HEALTH_TIMEOUT,
    statementTimeout: HEALTH_TIMEOUT,
    lockTimeout: HEALTH_TIMEOUT,
  };
  try {
    const records = openPool({ name: "records", max: connections, ...timeouts });
    const credentials = openPool({ name: "credentials", max: FOR_CREDENTIALS, min: 1, ...atSignIn });
    const health = openPool({ name: "health", max: 1, min: 1, ...atHealth });
    const pools = [records, credentials, health];
    const ask = openQuestions(url);
    return {
      records: createConnections(records, ask),
      credentials: createConnections(credentials, ask),
      ping: createPing(createConnections(health, ask).read),
      pools: () => pools.map((each) => each.state()),
      close: async () => void (await Promise.all(pools.map((each) => each.close()))),
    };
  } catch {
    throw new StoreOpenError("DATABASE_URL must look like postgres://user:password@host:5432/database");
  }
}

/** Any number of callers at once share one question. A standby, or a server made read-only, cannot be used. */
function createPing(read: Query): () => Promise<void> {
  let running: Promise<void> | undefined;
  const ping = async () => {
    const { rows } = await read("SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'");
    if (rows[0]?.[0]) throw new StoreUnavailable("the database is read-only");
  };
  return () => {
    running ??= ping().finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function prepareTables({ transact }: Connections, collections: readonly Collection[]): Promise<Buffer> {
  await transact(prepare);
  return transact(async (query) => {
    await guard(query);
    await migrate(query);
    await applyDictionary(query, collections);
    await query("INSERT INTO settings (name, value) VALUES ('secret', $1) ON CONFLICT DO NOTHING", [randomBytes(32)]);
    const { rows } = await query("SELECT value FROM settings WHERE name = 'secret'");
    return rows[0]?.[0] as Buffer;
  });
}

/** Never contains the URL, which holds the password. */
function whyNotOpened(error: unknown): string {
  const { message = "", cause } = error as { message?: string; cause?: { message?: string } };
  if (/^28/.test(codeOf(error))) return "PostgreSQL refused the user or password of DATABASE_URL";
  if (codeOf(error) === "3D000") return "the database named in DATABASE_URL does not exist";
  if (codeOf(error) === "42501") return `the user of DATABASE_URL may not make tables (${message})`;
  return `the PostgreSQL server of DATABASE_URL cannot be used (${(error instanceof StoreUnavailable && cause?.message) || message || codeOf(cause)})`;
}

function createStore(database: Database, collections: readonly Collection[], secret: Buffer, { readSeconds }: PostgresSettings): Store {
  const { records, ping, pools } = database;
  let closing: Promise<void> | undefined;
  return {
    ...createCredentials(database.credentials),
    secret,
    async read(collection, id) {
      const sql = `SELECT ${columnsOf(collection)} FROM ${tableOf(collection)} WHERE ${quoted(collection.key.name)} = $1`;
      const { rows } = await records.read(sql, [id]);
      return rows[0] && toRecord(collection, rows[0] as Cell[]);
    },
    ...createLister(() => records.readWithin(readSeconds * 1_000)),
    write: createWriter(records, collections),
    ping,
    pools,
    close() {
      closing ??= database.close();
      return closing;
    },
  };
}
