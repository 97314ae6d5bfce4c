// Migrations of the store's own SQLite tables. Collections' tables are in schema.ts.

import type { Database } from "libsql";
import { FIRST_SCHEMA, type OnUpgrade, refuseOtherSchema } from "../store.ts";
import {
  DIRECTORY_NAMES,
  DUPLICATES,
  FILE_UPLOADS,
  IMPORTS,
  MERGED_VALUES,
  MERGES,
  RUNS,
  SORTED_KEYS,
  TABLES,
  VIEWER_OF_TOKENS,
  WEBHOOK_CONDITIONS,
  WRITES_BY_TIME,
} from "../tables.ts";

/**
 * The first step makes the tables of a new store, with the number FIRST_SCHEMA (PRAGMA user_version). A released step, one that
 * came with a version in CHANGELOG.md, is never edited: a change is one more step at the end, here and in PostgreSQL's.
 */
export const MIGRATIONS: readonly string[] = [
  `${TABLES}
  -- Each batch that changed something, in the order of commits. The newest row always stays, so that no number comes again.
  -- operations: those of its entries, as the sum of their bits.
  CREATE TABLE writes (
    number INTEGER PRIMARY KEY, collection TEXT NOT NULL, at INTEGER NOT NULL, by INTEGER NOT NULL, source TEXT NOT NULL, run TEXT,
    size INTEGER NOT NULL, operations INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX writes_by_run ON writes (run) WHERE run IS NOT NULL;
  ${WRITES_BY_TIME}
  `,
  VIEWER_OF_TOKENS,
  MERGES,
  DUPLICATES,
  SORTED_KEYS,
  DIRECTORY_NAMES,
  WEBHOOK_CONDITIONS,
  RUNS,
  IMPORTS,
  FILE_UPLOADS,
  MERGED_VALUES,
];

/**
 * Runs the steps that the file lacks, inside the caller's transaction. Throws StoreOpenError when another version of the service
 * wrote the file, and this one has no steps from its tables to its own.
 */
export function migrate(db: Database, steps = MIGRATIONS, onUpgrade: OnUpgrade = () => {}): void {
  const number = schemaOf(db);
  const newest = FIRST_SCHEMA + steps.length - 1;
  if (number > 0) refuseOtherSchema(number, newest);
  if (number === newest) return;
  if (number > 0) onUpgrade(number, newest);
  for (const step of steps.slice(number === 0 ? 0 : number - FIRST_SCHEMA + 1)) db.exec(step);
  db.exec(`PRAGMA user_version = ${newest}`);
}

/** Throws StoreOpenError when this version cannot open the file, as `migrate` does. Changes nothing. */
export function requireKnownSchema(db: Database): void {
  refuseOtherSchema(schemaOf(db), FIRST_SCHEMA + MIGRATIONS.length - 1);
}

/** Returns the number of the file's schema; 0 for a file without tables. */
export function schemaOf(db: Database): number {
  return (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}
