// An example: keeps a SQLite file of your own in step with the customers. Run again, it goes on where it was.

import Database from "libsql";
import { ApiError } from "../client/errors.ts"; // in a program of your own: @intake/client/errors
import { currentCursor, nextChanges } from "../client/follow-changes.ts";
import { type Client, createClient } from "../client/http-client.ts";
import { listRecords } from "../client/read-records.ts";
import { withRetries } from "../client/retries.ts";
import { createKeySession } from "../client/token-exchange.ts";

/** It ends only when `signal` is aborted, by an AbortError, or by an error that does not pass. */
export async function keepInStep(baseUrl: string, key: string, file: string, signal?: AbortSignal): Promise<never> {
  const client = createClient({ baseUrl, session: createKeySession(baseUrl, key) });
  const copy = openCopy(file);
  const options = { collections: ["customers"], include: ["record"] as const, ...(signal && { signal }) };
  try {
    for (;;) {
      // The changes may begin later than the records do, so the copy begins with the records.
      const cursor = copy.cursor() ?? (await readAll(client, copy, signal));
      try {
        const { changes, next } = await nextChanges(client, cursor, options);
        copy.change(changes, next);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 410)) throw error;
        copy.forgetCursor(); // the service does not know any more what changed since: all is read anew
      }
    }
  } finally {
    copy.close();
  }
}

/** Stopped midway it begins again; until it is through, the copy stays as it was and has no cursor. */
async function readAll(client: Client, copy: Copy, signal: AbortSignal | undefined): Promise<string> {
  const retries = { patience: Number.POSITIVE_INFINITY, signal };
  const cursor = await withRetries(() => currentCursor(client, signal), retries); // first: what changes meanwhile comes after it
  copy.beginAnew();
  for (let page: string | undefined; ; ) {
    const query = { sort: "objectId", limit: "1000", cursor: page };
    const { records, next } = await withRetries(() => listRecords(client, "customers", query, signal), retries);
    copy.addAnew(records);
    if (next === undefined) break;
    page = next;
  }
  copy.replaceByAnew(cursor);
  return cursor;
}

type Copy = ReturnType<typeof openCopy>;
type Changes = Awaited<ReturnType<typeof nextChanges>>["changes"];
type Customers = Awaited<ReturnType<typeof listRecords>>["records"];

function openCopy(file: string) {
  const db = new Database(file);
  // With a write-ahead log others can read meanwhile; who writes waits for another who does.
  db.exec(`PRAGMA busy_timeout = 60000; PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS customers (id INTEGER PRIMARY KEY, name TEXT, version INTEGER);
    CREATE TABLE IF NOT EXISTS customers_anew (id INTEGER PRIMARY KEY, name TEXT, version INTEGER);
    CREATE TABLE IF NOT EXISTS place (cursor TEXT)`);
  const place = db.prepare("SELECT cursor FROM place");
  const put = db.prepare("INSERT OR REPLACE INTO customers (id, name, version) VALUES (?, ?, ?)");
  const putAnew = db.prepare("INSERT OR REPLACE INTO customers_anew (id, name, version) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM customers WHERE id = ?");
  const note = db.prepare("INSERT OR REPLACE INTO place (rowid, cursor) VALUES (1, ?)");
  const fields = (record: Customers[number]) => [Number(record.objectId), String(record.lastName), record.version];
  return {
    cursor: () => (place.get() as { cursor: string } | undefined)?.cursor,
    /** The copy and its place in the feed change together, so nothing is missed and nothing counted twice. */
    change: db.transaction((changes: Changes, next: string) => {
      for (const { objectId, record } of changes) {
        if (record) put.run(...fields(record));
        else remove.run(objectId);
      }
      note.run(next);
    }).immediate,
    forgetCursor: () => db.exec("DELETE FROM place"),
    beginAnew: () => db.exec("DELETE FROM customers_anew"),
    addAnew: db.transaction((records: Customers) => {
      for (const record of records) putAnew.run(...fields(record));
    }).immediate,
    replaceByAnew: db.transaction((cursor: string) => {
      db.exec("DELETE FROM customers; INSERT INTO customers SELECT * FROM customers_anew; DELETE FROM customers_anew");
      note.run(cursor);
    }).immediate,
    close: () => db.close(),
  };
}
