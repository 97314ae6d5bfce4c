// Keeps the dictionary that was applied while services ran, so that all processes on the database serve it.

import { createHash } from "node:crypto";
import type { Query } from "./pool.ts";

const NAME = "data package"; // its row in the settings

/** Writes nothing where the text is there already. */
export async function keepPackage(query: Query, text: string): Promise<void> {
  const sql = `INSERT INTO settings (name, value) VALUES ($1, convert_to($2, 'UTF8'))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE settings.value <> excluded.value`;
  await query(sql, [NAME, text]);
}

/** Returns the text that is kept, unless it is `known` or there is none. It is asked for every second, so hashes are compared. */
export async function readPackage(query: Query, known = ""): Promise<string | undefined> {
  const sql = "SELECT convert_from(value, 'UTF8') FROM settings WHERE name = $1 AND md5(value) <> $2";
  const { rows } = await query(sql, [NAME, createHash("md5").update(known).digest("hex")]);
  return rows[0] && String(rows[0][0]);
}

/** Forgets a text that is not `own`. Writes nothing where there is none: a start must succeed on a full disk. */
export async function forgetPackage(query: Query, own: string): Promise<void> {
  if ((await readPackage(query, own)) !== undefined) await query("DELETE FROM settings WHERE name = $1", [NAME]);
}
