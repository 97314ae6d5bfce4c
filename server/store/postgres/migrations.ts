// The store's own tables in PostgreSQL, by numbered steps that are never edited once released. Collections' tables are postgres-schema's.

import { createHash } from "node:crypto";
import { StoreOpenError } from "../store.ts";
import { codeOf, Overtaken, type Query } from "./pool.ts";

/** Times are ms since 1970. Every table has its primary key and no other unique rule, so that it can be spread over machines. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (name text PRIMARY KEY, value bytea NOT NULL);
  -- The dictionary as it was last applied, so that a change of it can be seen and judged.
  CREATE TABLE fields (
    collection text NOT NULL, name text NOT NULL, kind text NOT NULL, is_key boolean NOT NULL, is_unique boolean NOT NULL,
    PRIMARY KEY (collection, name)
  );
  -- Processes draw ids by the block, next is where the next block begins.
  CREATE TABLE sequences (collection text PRIMARY KEY, next bigint NOT NULL);
  CREATE TABLE tombstones (
    collection text NOT NULL, id bigint NOT NULL, version bigint NOT NULL, deleted_at bigint NOT NULL,
    PRIMARY KEY (collection, id)
  );
  CREATE TABLE keys (
    id text COLLATE "C" PRIMARY KEY, hash bytea NOT NULL, scope text NOT NULL, created_at bigint NOT NULL,
    expires_at bigint, revoked_at bigint, last_used_at bigint
  );
  CREATE TABLE tokens (hash bytea PRIMARY KEY, key_id text NOT NULL, scope text NOT NULL, expires_at bigint NOT NULL);
  CREATE INDEX tokens_by_key ON tokens (key_id);
  CREATE INDEX tokens_by_expiry ON tokens (expires_at);
  -- Answers kept for requests that come again with the same idempotency key. Without status: its request is running.
  CREATE TABLE replies (
    key text PRIMARY KEY, fingerprint text NOT NULL, status integer, headers text, body bytea, created_at bigint NOT NULL
  );
  CREATE INDEX replies_by_age ON replies (created_at);
  `,
];

/** The two tables that must be there before anything is guarded; each process may run this at any time. */
export async function prepare(query: Query): Promise<void> {
  try {
    await query("CREATE TABLE IF NOT EXISTS guards (name text PRIMARY KEY)");
    await query("CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, checksum text NOT NULL, applied_at bigint NOT NULL)");
  } catch (error) {
    // IF NOT EXISTS does not look at what another process makes at this moment; the next look finds it.
    throw ["42P07", "42710"].includes(codeOf(error)) ? new Overtaken("the table was made meanwhile", { cause: error }) : error;
  }
}

/**
 * Lets one process at a time change tables: a second one's row waits for the first's transaction, which takes it away
 * again. No advisory lock, which a connection pooler and the distributed engines do not keep.
 */
export async function guard(query: Query): Promise<void> {
  // An index over a hundred million rows takes its time, and so does waiting for the process that makes it.
  await query("SET LOCAL statement_timeout = 0");
  await query("SET LOCAL lock_timeout = 0");
  await query("INSERT INTO guards (name) VALUES ('schema')");
  await query("DELETE FROM guards WHERE name = 'schema'");
}

/** Runs inside the guarded transaction. Throws StoreRefused for a database of a newer service, or one changed by hand. */
export async function migrate(query: Query): Promise<void> {
  const { rows } = await query("SELECT number, checksum FROM migrations ORDER BY number");
  if (rows.length > MIGRATIONS.length) throw new StoreOpenError("the database was written by a newer version of the service");
  for (const [i, [, checksum]] of rows.entries()) {
    if (checksum !== checksumOf(MIGRATIONS[i])) {
      throw new StoreOpenError(`step ${i + 1} of the database's tables is not the one this version knows; it was made by another build`);
    }
  }
  for (let i = rows.length; i < MIGRATIONS.length; i++) {
    for (const statement of (MIGRATIONS[i] ?? "").split(";")) if (statement.trim()) await query(statement);
    await query("INSERT INTO migrations (number, checksum, applied_at) VALUES ($1, $2, $3)", [
      i + 1,
      checksumOf(MIGRATIONS[i]),
      Date.now(),
    ]);
  }
}

/** Over the statements, not over how they are laid out. */
function checksumOf(step = ""): string {
  return createHash("sha256").update(step.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim()).digest("hex");
}
