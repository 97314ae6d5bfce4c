// The connections to one PostgreSQL database, in pools by their purpose.

import { createHash } from "node:crypto";
import pg from "pg";
import { type PoolState, type ReadCount, StoreOpenError, StoreOutdated, type StoreSettings, StoreUnavailable } from "../store.ts";
import { type Connections, createConnections, type Reads } from "./connections.ts";
import { isOfOtherTables, toUnavailable } from "./database-errors.ts";
import { type DatabasePool, openPool, openQuestions, type PoolSettings, type Query } from "./pool.ts";
import { createReplica, type ReadAnywhere, type Replica } from "./replica.ts";
import { isUserPartUnclear, parseTargets, type Targets } from "./targets.ts";

/** A lock on a collection's table or a queue for its records must not delay sign-in and health, which have their own connections. */
export interface Database {
  records: Connections;
  /** Reads from the replica where there is one that has everything, otherwise from the primary. */
  anywhere: ReadAnywhere;
  /** Is undefined without a replica. */
  readCounts: (() => ReadCount[]) | undefined;
  credentials: Connections;
  /** Runs one statement for as long as it takes, outside of a transaction, on a connection of its own. When the database is closed the server ends it alone. */
  alone: Query;
  ping(): Promise<void>;
  /** Has the store held to these rules from now on. */
  expectRules(rules: string): void;
  pools(): PoolState[];
  close(): Promise<void>;
}

const LONGEST = 24 * 3_600_000; // ms for an index of very many records
const FOR_CREDENTIALS = 3; // connections; each request reads its token with one
const SIGN_IN_TIMEOUT = 5_000; // ms
const HEALTH_TIMEOUT = 1_000; // ms; /readyz answers within 2 s

const LATE_REQUESTS = 120_000; // ms in which requests that began with the dictionary before may still run

/**
 * Opens no connection yet. Once it expects rules (`rulesText`), `ping` throws StoreOutdated when another process has brought the store to
 * others. Throws StoreOpenError for a URL that cannot be read.
 */
export function openDatabase(url: string, settings: StoreSettings): Database {
  const { readSeconds, connections } = settings;
  const read = Math.ceil(readSeconds * 1_000);
  const targets = readTargets("DATABASE_URL", url);
  const primary = { targets, silence: { at: 0 } };
  const timeouts = { ...primary, waitTimeout: 10_000, connectTimeout: 5_000, statementTimeout: read, lockTimeout: Math.ceil(read / 2) };
  const atSignIn = { ...timeouts, statementTimeout: SIGN_IN_TIMEOUT, lockTimeout: SIGN_IN_TIMEOUT };
  const atHealth = {
    ...primary,
    waitTimeout: HEALTH_TIMEOUT,
    connectTimeout: HEALTH_TIMEOUT,
    statementTimeout: HEALTH_TIMEOUT,
    lockTimeout: HEALTH_TIMEOUT,
  };
  const forRecords = { name: "records", max: connections, ...timeouts };
  const pool = openPool(forRecords);
  const credentials = openPool({ name: "credentials", max: FOR_CREDENTIALS, min: 1, ...atSignIn });
  const health = openPool({ name: "health", max: 1, min: 1, ...atHealth });
  const ask = openQuestions(targets);
  const closing = new AbortController();
  // `replacedAt`: when this process took another dictionary, ms of a clock that nobody sets.
  const expected: { rules: string | undefined; replacedAt: number } = { rules: undefined, replacedAt: Number.NEGATIVE_INFINITY };
  const ping = createPing(createConnections(health, ask).read, expected);
  const explain = async (error: unknown) => {
    if (!isOfOtherTables(error)) return toUnavailable(error);
    const isOther = performance.now() - expected.replacedAt < LATE_REQUESTS || (await ping().catch((why) => why)) instanceof StoreOutdated;
    return isOther ? new StoreOutdated(undefined, { cause: error }) : error;
  };
  const records = createConnections(pool, ask, explain);
  const position = { name: "position", max: 1, min: 1, ...atHealth };
  const replica = settings.readUrl === undefined ? undefined : openReplica(settings.readUrl, forRecords, position, records, settings);
  const pools = [pool, credentials, health, ...(replica?.pools ?? [])];
  return {
    records,
    anywhere: replica?.read ?? ((work) => work(records)),
    readCounts: replica?.counts,
    credentials: createConnections(credentials, ask),
    alone: openQuestions(targets, { within: LONGEST, signal: closing.signal }),
    ping,
    expectRules(text) {
      if (expected.rules !== undefined) expected.replacedAt = performance.now();
      expected.rules = hashOf(text);
    },
    pools: () => pools.map((each) => each.state()),
    async close() {
      closing.abort();
      await Promise.all(pools.map((each) => each.close()));
    },
  };
}

/** The replica has as many connections as the primary has for records, and one asks the primary how far it is. */
function openReplica(
  url: string,
  forRecords: PoolSettings,
  forPosition: PoolSettings,
  primary: Reads,
  { onWarning = () => undefined }: StoreSettings,
): Replica & { pools: DatabasePool[] } {
  const targets = readTargets("READ_DATABASE_URL", url);
  const pool = openPool({ ...forRecords, name: "replica", min: 1, targets, silence: { at: 0 } });
  const position = openPool(forPosition);
  const ask: Query = (sql) => position.use((session) => session.query(sql));
  return { ...createReplica(pool, { ask, primary, onWarning }), pools: [pool, position] };
}

/** `name`: of the setting. */
function readTargets(name: "DATABASE_URL" | "READ_DATABASE_URL", url: string): Targets {
  if (isUserPartUnclear(url))
    throw new StoreOpenError(
      `it cannot be seen where the password in ${name} ends. In its user and password write %40 for @, %2F for /, %3F for ?, %23 for # and %25 for %; see docs/postgresql.md`,
    );
  try {
    const targets = parseTargets(url, name === "READ_DATABASE_URL");
    new pg.Client({ connectionString: targets.current() }); // reads the rest of the URL, and the files of certificates that it names
    return targets;
  } catch {
    throw new StoreOpenError(`${name} must look like postgres://user:password@host:5432/database; see docs/postgresql.md`);
  }
}

/** Hashes as PostgreSQL does with what is stored. */
function hashOf(rules: string): string {
  return createHash("md5").update(rules).digest("hex");
}

/** Any number of callers at once share one question. A standby, or a server made read-only, cannot be used. */
function createPing(read: Query, expected: { readonly rules: string | undefined }): () => Promise<void> {
  let running: Promise<void> | undefined;
  const ping = async () => {
    const { rules } = expected;
    const own = rules === undefined ? "NULL" : "(SELECT md5(value) FROM settings WHERE name = 'dictionary')";
    const { rows } = await read(`SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on', ${own}`);
    const [isReadOnly, stored] = rows[0] ?? [];
    if (isReadOnly) throw new StoreUnavailable("the database is read-only");
    if (rules !== (stored ?? undefined)) throw new StoreOutdated();
  };
  return () => {
    running ??= ping().finally(() => {
      running = undefined;
    });
    return running;
  };
}
