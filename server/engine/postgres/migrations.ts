// Migrations of the store's own PostgreSQL tables. Collections' tables are in schema.ts.

import { createHash } from "node:crypto";
import { FIRST_SCHEMA, type OnUpgrade, refuseOtherSchema, StoreOpenError } from "../store.ts";
import {
  DIRECTORY_NAMES,
  DUPLICATES,
  FILE_UPLOADS,
  IMPORTS,
  inPostgres,
  MERGED_VALUES,
  MERGES,
  RUNS,
  SORTED_KEYS,
  TABLES,
  VIEWER_OF_TOKENS,
  WEBHOOK_CONDITIONS,
  WRITES_BY_TIME,
} from "../tables.ts";
import { codeOf, WriteConflict } from "./database-errors.ts";
import type { Query } from "./pool.ts";

/**
 * The first step makes the tables of a new store, with the number FIRST_SCHEMA. A released step, one that came with a version in
 * CHANGELOG.md, is never edited: a change is one more step at the end, here and in SQLite's. No table has a unique index besides its
 * primary key, so that it can be distributed over machines.
 */
export const MIGRATIONS: readonly string[] = [
  `${inPostgres(TABLES)}
  -- One row for each transaction that changed accounts, kept for an hour: it proves that the transaction was committed.
  CREATE TABLE people_commits (id bytea PRIMARY KEY, at bigint NOT NULL);
  -- Each batch that changed something. Of one record the numbers rise with its versions. The id of the transaction is xid.
  -- operations: those of its entries, as the sum of their bits.
  CREATE TABLE writes (
    number bigserial PRIMARY KEY, collection text NOT NULL, at bigint NOT NULL, by integer NOT NULL, source text NOT NULL, run text,
    size integer NOT NULL, xid bigint NOT NULL, operations integer NOT NULL
  );
  CREATE INDEX writes_by_run ON writes (run, number) WHERE run IS NOT NULL;
  CREATE INDEX writes_by_xid ON writes (xid, number);
  ${WRITES_BY_TIME}
  -- Who has which record open, in which tab, and until when that holds unless it is said again.
  CREATE TABLE viewers (
    collection text NOT NULL, id bigint NOT NULL, person text NOT NULL, tab text NOT NULL, name text NOT NULL, until bigint NOT NULL,
    PRIMARY KEY (collection, id, person, tab)
  );
  -- How many attempts to guess a secret may still be made under a name, and until when that is counted. Names are hashes.
  CREATE TABLE attempts (name text COLLATE "C" PRIMARY KEY, remaining integer NOT NULL, until bigint NOT NULL);
  `,
  VIEWER_OF_TOKENS,
  inPostgres(MERGES),
  inPostgres(DUPLICATES),
  inPostgres(SORTED_KEYS),
  inPostgres(DIRECTORY_NAMES),
  inPostgres(WEBHOOK_CONDITIONS),
  inPostgres(RUNS),
  inPostgres(IMPORTS),
  inPostgres(FILE_UPLOADS),
  inPostgres(MERGED_VALUES),
];

/** Creates the two tables that guard and migrate need. Any number of processes may run it at once. */
export async function prepare(query: Query): Promise<void> {
  try {
    await query("CREATE TABLE IF NOT EXISTS guards (name text PRIMARY KEY)");
    await query("CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, checksum text NOT NULL, applied_at bigint NOT NULL)");
  } catch (error) {
    // IF NOT EXISTS does not see a table that another process is creating; the next attempt does.
    throw ["42P07", "42710"].includes(codeOf(error)) ? new WriteConflict("the table was made meanwhile", { cause: error }) : error;
  }
}

/**
 * Lets one process at a time change tables: a second one's INSERT waits until the first's transaction, which deletes the
 * row again, has ended. Not an advisory lock, which connection poolers and distributed engines do not support.
 */
export async function guard(query: Query): Promise<void> {
  // Creating an index over a hundred million rows takes long, and so does waiting for the process that does it.
  await query("SET LOCAL statement_timeout = 0");
  await query("SET LOCAL lock_timeout = 0");
  await query("INSERT INTO guards (name) VALUES ('schema')");
  await query("DELETE FROM guards WHERE name = 'schema'");
}

/**
 * Runs the steps that the database lacks, inside the guarded transaction. Throws StoreOpenError when another version of the service
 * wrote it, and this one has no steps from its tables to its own.
 */
export async function migrate(query: Query, steps = MIGRATIONS, onUpgrade: OnUpgrade = () => {}): Promise<void> {
  const done = await requireKnownSchema(query, steps);
  if (done > 0 && done < steps.length) onUpgrade(FIRST_SCHEMA + done - 1, FIRST_SCHEMA + steps.length - 1);
  for (const [i, step] of [...steps.entries()].slice(done)) {
    for (const statement of step.split(";")) if (statement.trim()) await query(statement);
    const row = [FIRST_SCHEMA + i, checksumOf(step), Date.now()];
    await query("INSERT INTO migrations (number, checksum, applied_at) VALUES ($1, $2, $3)", row);
  }
}

/** Resolves to how many of the steps the database has. Throws StoreOpenError as `migrate` does. Changes nothing. */
export async function requireKnownSchema(query: Query, steps = MIGRATIONS): Promise<number> {
  const { rows } = await query("SELECT number, checksum FROM migrations ORDER BY number");
  if (rows.length > 0) refuseOtherSchema(Number(rows.at(-1)?.[0]), FIRST_SCHEMA + steps.length - 1);
  for (const [number, checksum] of rows) {
    if (checksum === checksumOf(steps[Number(number) - FIRST_SCHEMA])) continue;
    throw new StoreOpenError(`step ${number} of the database's tables is not the one this version knows; it was made by another build`);
  }
  return rows.length;
}

/** Ignores comments and white space. */
function checksumOf(step = ""): string {
  return createHash("sha256").update(step.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim()).digest("hex");
}
