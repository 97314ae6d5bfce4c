// API keys and access tokens in PostgreSQL, as hashes.

import { selectAdminKeys } from "../../people/store/admin-keys.ts";
import { changesAccess, type People } from "../../people/store/people.ts";
import { wordsOf } from "../../people/store/role-rights.ts";
import { runOn } from "../script/run-postgres.ts";
import { lockByName } from "../script/script.ts";
import { offerScripts } from "../scripts.ts";
import type { Credentials, Revocation, StoredKey, StoredToken } from "../store.ts";
import type { Connections } from "./connections.ts";
import type { Cells, Parameters, Query } from "./pool.ts";
import { createScriptCalls } from "./script-calls.ts";

const KEY_COLUMNS = "id, name, user_id, hash, scope, created_at, expires_at, revoked_at, last_used_at, last_used_from, roles";

const INSERT_KEY = `INSERT INTO keys (${KEY_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

const HAS_KEY = "SELECT 1 FROM keys WHERE id = $1 AND hash = $2";
const IS_REVOKED = "SELECT 1 FROM keys WHERE id = $1 AND revoked_at IS NOT NULL";
const HAS_TOKEN = "SELECT 1 FROM tokens WHERE hash = $1";

const TOUCH = "UPDATE keys SET last_used_at = $1, last_used_from = $2 WHERE id = $3";

const REMEMBERED_FOR = 250; // ms that a process may not know yet what another has revoked

export function createCredentials(connections: Connections): Credentials & { people: People } {
  const { read, transact: run } = connections;
  const scripts = createScriptCalls(connections);
  let changes = 0;
  // Counted before and after: what is read meanwhile may be old, and must not be remembered.
  const changing = async <T>(change: () => Promise<T>): Promise<T> => {
    changes += 1;
    try {
      return await change();
    } finally {
      changes += 1;
    }
  };
  const transact: Connections["transact"] = (work, isWritten) => changing(() => run(work, isWritten));
  return {
    people: offerScripts("people", scripts.read, (of, name, args) => {
      const write = () => scripts.write(of, name, args);
      return changesAccess(name) ? changing(write) : write();
    }),
    generation: () => changes + Math.floor(performance.now() / REMEMBERED_FOR),
    async readKey(id) {
      if (id.includes("\0")) return undefined; // PostgreSQL allows it in no text
      const { rows } = await read(`SELECT ${KEY_COLUMNS} FROM keys WHERE id = $1`, [id]);
      return rows[0] && toKey(rows[0]);
    },
    putKey: (key) =>
      transact(
        (query) => put(query, key),
        (query) => finds(query, HAS_KEY, [key.id, key.hash]),
      ),
    putFirstKey: (key) =>
      transact(
        (query) => putFirst(query, key),
        async (query, _xid, isFirst) => !isFirst || finds(query, HAS_KEY, [key.id, key.hash]),
      ),
    async listKeys() {
      return (await read(`SELECT ${KEY_COLUMNS} FROM keys ORDER BY created_at, id`)).rows.map(toKey);
    },
    revokeKey: (id, now) =>
      transact(
        (query) => revoke(query, id, now),
        async (query, _xid, outcome) => outcome !== "revoked" || finds(query, IS_REVOKED, [id]),
      ),
    touchKey: (id, now, from) =>
      run(
        async (query) => void (await query(TOUCH, [now, from, id])),
        async () => true, // the next use sets it anew
      ),
    endToken: (hash) =>
      transact(
        async (query) => void (await query("DELETE FROM tokens WHERE hash = $1", [hash])),
        async (query) => !(await finds(query, HAS_TOKEN, [hash])),
      ),
    addToken: (token, now, most, from) =>
      transact(
        (query) => add(query, token, now, most, from),
        (query) => finds(query, HAS_TOKEN, [token.hash]),
      ),
    async readToken(hash, now) {
      const { rows } = await read(
        `SELECT t.key_id, k.name, k.user_id, t.scope, least(t.expires_at, k.expires_at), k.roles FROM tokens t JOIN keys k ON k.id = t.key_id
         WHERE t.hash = $1 AND t.expires_at > $2 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`,
        [hash, now],
      );
      if (!rows[0]) return undefined;
      const [keyId, keyName, userId, scope, expiresAt, roles] = rows[0] as [string, string, string | null, string, number, string];
      return { hash, keyId, keyName, userId, scope, expiresAt, roles: wordsOf(roles) };
    },
  };
}

async function finds(query: Query, sql: string, parameters: Parameters): Promise<boolean> {
  return (await query(sql, parameters)).count > 0;
}

async function put(query: Query, key: StoredKey): Promise<void> {
  await query("DELETE FROM tokens WHERE key_id = $1", [key.id]);
  await query(
    `${INSERT_KEY} ON CONFLICT (id) DO UPDATE SET
       name = $2, user_id = $3, hash = $4, scope = $5, created_at = $6, expires_at = $7, revoked_at = $8, last_used_at = $9,
       last_used_from = $10, roles = $11`,
    cellsOf(key),
  );
}

async function revoke(query: Query, id: string, now: number): Promise<Revocation> {
  await runOn(query, lockByName("last-revocation")); // two administrators cannot revoke each other's keys at once
  const { rows: admins } = await query(selectAdminKeys("$1"), [now]);
  if (admins.length === 1 && admins[0]?.[0] === id) return "last";
  await query("DELETE FROM tokens WHERE key_id = $1", [id]);
  const { count } = await query("UPDATE keys SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2", [now, id]);
  return count > 0 ? "revoked" : "unknown";
}

async function add(query: Query, { hash, keyId, scope, expiresAt }: StoredToken, now: number, most: number, from: string): Promise<void> {
  await query("DELETE FROM tokens WHERE expires_at <= $1", [now]);
  await query("DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens WHERE key_id = $1 ORDER BY expires_at DESC, hash OFFSET $2)", [
    keyId,
    most - 1,
  ]);
  await query("INSERT INTO tokens (hash, key_id, scope, expires_at) VALUES ($1, $2, $3, $4)", [hash, keyId, scope, expiresAt]);
  await query(TOUCH, [now, from, keyId]);
}

/** Only one process can insert the row in `settings`: a second one waits for the first's transaction and then finds it. */
async function putFirst(query: Query, key: StoredKey): Promise<boolean> {
  if ((await query("SELECT 1 FROM keys LIMIT 1")).count > 0) return false;
  const claim = "INSERT INTO settings (name, value) VALUES ('first-key', $1) ON CONFLICT DO NOTHING RETURNING name";
  if ((await query(claim, [Buffer.from(key.id)])).rows.length === 0) return false;
  await query(INSERT_KEY, cellsOf(key));
  return true;
}

function cellsOf(key: StoredKey): Cells {
  const { id, name, userId, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedFrom, roles } = key;
  return [id, name, userId, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedFrom, roles.join(" ")];
}

function toKey(row: Cells): StoredKey {
  const [id, name, userId, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedFrom, roles] = row as [
    string,
    string,
    string | null,
    Buffer,
    string,
    number,
    number | null,
    number | null,
    number | null,
    string | null,
    string,
  ];
  return { id, name, userId, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedFrom, roles: wordsOf(roles) };
}
