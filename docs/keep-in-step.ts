// An example: keeps a SQLite file of your own in step with the customers. Run again, it goes on where it was.

import Database from "libsql";
import { followChanges } from "../client/follow-changes.ts"; // in a program of your own: @intake/client/follow-changes
import { createClient } from "../client/http-client.ts";
import { createKeySession } from "../client/token-exchange.ts";

export async function keepInStep(baseUrl: string, key: string, file: string, signal?: AbortSignal): Promise<void> {
  const client = createClient({ baseUrl, session: createKeySession(baseUrl, key) });
  const db = new Database(file);
  db.exec(`CREATE TABLE IF NOT EXISTS customers (id INTEGER PRIMARY KEY, name TEXT, version INTEGER);
    CREATE TABLE IF NOT EXISTS place (cursor TEXT)`);
  const row = db.prepare("SELECT cursor FROM place").get() as { cursor: string } | undefined;
  const put = db.prepare("INSERT OR REPLACE INTO customers (id, name, version) VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM customers WHERE id = ?");
  const note = db.prepare("INSERT OR REPLACE INTO place (rowid, cursor) VALUES (1, ?)");
  try {
    await followChanges(
      client,
      row?.cursor,
      ({ objectId, record, cursor }) => {
        db.exec("BEGIN"); // the copy and its place in the feed change together, so nothing is missed and nothing counted twice
        if (record) put.run(objectId, String(record.lastName), record.version);
        else remove.run(objectId);
        note.run(cursor);
        db.exec("COMMIT");
      },
      { collections: ["customers"], include: ["record"], ...(signal && { signal }) },
    );
  } finally {
    db.close();
  }
}
