// An empty store of the test run's engine: a SQLite file or a PostgreSQL schema.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { inject } from "vitest";
import type { Principal } from "../../core/contract/principals.ts";
import type { ProblemBody } from "../../core/contract/problems.ts";
import type { BatchResult, DeletionReply } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { openPostgres } from "../engine/postgres/store.ts";
import { openSqlite } from "../engine/sqlite/store.ts";
import { type Batch, DEFAULT_SETTINGS, type Store, type StoreSettings, type WriteOp } from "../engine/store.ts";
import type { GivenDictionary } from "../engine/versions.ts";
import { toAnswer } from "../records/answers.ts";
import { sqliteThreads } from "../sqlite-threads.ts";

const READ_BUDGET = 60_000; // ms; only what tests the budget sets a smaller one

export interface TestDatabase {
  /** The folder of SQLite's file; empty for PostgreSQL. */
  folder: string;
  /** DATABASE_URL; undefined for SQLite. */
  url: string | undefined;
  open(collections: GivenDictionary, settings?: Pick<StoreSettings, "onWarning">): Promise<Store>;
  /** Runs statements beside the store, which is closed, as another version of the service would. */
  run(statements: readonly string[]): Promise<void>;
  /** Ends every connection from the server's side, as a restart would. Does nothing with SQLite. */
  cutConnections(): Promise<void>;
  /** Deletes everything. Close every store before. */
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "intake-"));
  const server = inject("postgres");
  if (!server) {
    return {
      folder,
      url: undefined,
      open: (collections, settings) =>
        openSqlite(join(folder, "intake.db"), collections, {
          threads: sqliteThreads,
          readBudget: READ_BUDGET,
          leavesLog: true,
          ...settings,
        }),
      async run(statements) {
        const file = new Database(join(folder, "intake.db"));
        file.exec(statements.join(";"));
        file.close();
      },
      cutConnections: async () => undefined,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const schema = `test_${randomBytes(8).toString("hex")}`;
  await run(server, `CREATE SCHEMA ${schema}`);
  const address = new URL(server);
  address.searchParams.set("options", `-c search_path=${schema}`);
  address.searchParams.set("application_name", schema);
  const url = address.href.replaceAll("+", "%20"); // which pg does not read as a space
  return {
    folder,
    url,
    open: (collections, settings) => openPostgres(url, collections, toAnswer, { ...DEFAULT_SETTINGS, ...settings }),
    run: (statements) => run(url, statements.join(";")),
    cutConnections: () => run(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${schema}'`),
    async drop() {
      // An index may still be in the making, and would wait for the end of its own table.
      await run(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${schema}' AND state = 'active'`);
      await run(server, `DROP SCHEMA ${schema} CASCADE; DROP SCHEMA IF EXISTS ${schema}_reports CASCADE`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Says who writes, where a test does not care. */
export const SOMEBODY: Principal = { type: "key", id: "somebody", name: "somebody" };

/** Writes the ops, each on its own, and answers the result of each as the API words it. */
export async function writeEach(
  store: Store,
  collection: Collection,
  ops: readonly WriteOp[],
  extra: Partial<Batch> = {},
): Promise<(BatchResult | DeletionReply["results"][number])[]> {
  const place = { pointer: "", isMany: true, instance: "", requestId: "" };
  const form = { kind: "results", verb: "write", atomic: false, ...place, ids: ops.map(({ id }) => id), rejected: new Map() } as const;
  const written = await store.write({ collection, by: SOMEBODY, source: { type: "api", run: null }, ops, atomic: false, form, ...extra });
  if ("rejected" in written) throw new Error(written.rejected);
  return JSON.parse(written.answer.body).results;
}

/** Returns what became of each: its outcome, or the code of its problem. */
export function outcomesOf(results: Awaited<ReturnType<typeof writeEach>>): string[] {
  return results.map((result) => (result.outcome === "failed" ? String((result.problem as ProblemBody).code) : result.outcome));
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** A key of an administrator, to be stored under an id. */
export const ADMIN_KEY_ROW = {
  hash: Buffer.alloc(32),
  scope: "admin",
  createdAt: 1,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  lastUsedFrom: null,
  name: "",
  userId: null,
  roles: [],
};
