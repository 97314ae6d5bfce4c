// The store in a PostgreSQL database, which several processes may share.

import { randomBytes } from "node:crypto";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { type Cell, columnsOf, quoted, tableOf, toRecord } from "../columns.ts";
import { type Store, StoreOpenError, StoreUnavailable } from "../store.ts";
import { type Connections, openConnections } from "./connections.ts";
import { createCredentials } from "./credentials.ts";
import { codeOf } from "./database-errors.ts";
import { createLister } from "./list.ts";
import { guard, migrate, prepare } from "./migrations.ts";
import { applyDictionary } from "./schema.ts";
import { createWriter } from "./write.ts";

/**
 * Connects and brings the tables up to the dictionary; several processes may do so at once. Throws StoreOpenError when the
 * server cannot be used or the dictionary does not fit the stored data.
 */
export async function openPostgres(url: string, collections: readonly Collection[]): Promise<Store> {
  const connections = connect(url);
  try {
    const secret = await prepareTables(connections, collections);
    return createStore(connections, collections, secret);
  } catch (error) {
    await connections.close();
    throw error instanceof StoreOpenError ? error : new StoreOpenError(whyNotOpened(error), { cause: error });
  }
}

function connect(url: string): Connections {
  try {
    return openConnections(url);
  } catch {
    throw new StoreOpenError("DATABASE_URL must look like postgres://user:password@host:5432/database");
  }
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

function createStore(connections: Connections, collections: readonly Collection[], secret: Buffer): Store {
  const { read } = connections;
  let closing: Promise<void> | undefined;
  return {
    ...createCredentials(connections),
    secret,
    async read(collection, id) {
      const sql = `SELECT ${columnsOf(collection)} FROM ${tableOf(collection)} WHERE ${quoted(collection.key.name)} = $1`;
      const { rows } = await read(sql, [id]);
      return rows[0] && toRecord(collection, rows[0] as Cell[]);
    },
    ...createLister(connections),
    write: createWriter(connections, collections),
    async ping() {
      await read("SELECT 1");
    },
    close() {
      closing ??= connections.close();
      return closing;
    },
  };
}
