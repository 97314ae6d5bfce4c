// API keys and access tokens in SQLite, as hashes.

import type { Database } from "libsql";
import { selectAdminKeys } from "../../people/store/admin-keys.ts";
import { wordsOf } from "../../people/store/role-rights.ts";
import type { Credentials, StoredKey, StoredToken } from "../store.ts";
import { transact } from "./transaction.ts";

interface KeyRow {
  id: string;
  name: string;
  user_id: string | null;
  hash: Buffer;
  scope: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  last_used_from: string | null;
  roles: string;
}

interface TokenRow {
  key_id: string;
  name: string;
  user_id: string | null;
  scope: string;
  expires_at: number;
  roles: string;
}

/** As Credentials, but `addToken` answers whether it ended older tokens. Who calls from another thread counts generations. */
export interface CredentialTables extends Omit<Credentials, "generation" | "addToken"> {
  addToken(token: StoredToken, now: number, most: number, from: string): Promise<boolean>;
}

export function createCredentials(db: Database): CredentialTables {
  const { count, readKey, listKeys, adminKeys, revokeKey, endToken, putKey, endTokens, addToken, trim, touch, sweep, readToken } =
    prepareStatements(db);
  const put = ({ id, name, userId, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedFrom, roles }: StoredKey) =>
    putKey.run(id, name, userId, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedFrom, roles.join(" "));
  return {
    async readKey(id) {
      const row = readKey.get(id) as KeyRow | undefined;
      return row && toKey(row);
    },
    async putKey(key: StoredKey) {
      transact(db, () => {
        endTokens.run(key.id);
        put(key);
      });
    },
    async putFirstKey(key) {
      return transact(db, () => {
        if ((count.get() as { n: number }).n > 0) return false;
        put(key);
        return true;
      });
    },
    async listKeys() {
      return (listKeys.all() as KeyRow[]).map(toKey);
    },
    async revokeKey(id, now) {
      return transact(db, () => {
        const [admin, ...others] = adminKeys.all(now) as { id: string }[];
        if (admin?.id === id && others.length === 0) return "last";
        endTokens.run(id);
        return revokeKey.run(now, id).changes > 0 ? "revoked" : "unknown";
      });
    },
    async touchKey(id, now, from) {
      transact(db, () => touch.run(now, from, id));
    },
    async endToken(hash) {
      transact(db, () => endToken.run([hash])); // libsql would take a single Buffer for an object of named parameters
    },
    async addToken(token, now, most, from) {
      return transact(db, () => {
        sweep.run(now);
        const isTrimmed = trim.run(token.keyId, most - 1).changes > 0;
        addToken.run(token.hash, token.keyId, token.scope, token.expiresAt);
        touch.run(now, from, token.keyId);
        return isTrimmed;
      });
    },
    async readToken(hash, now) {
      const row = readToken.get(hash, now, now) as TokenRow | undefined;
      if (!row) return undefined;
      const { key_id: keyId, name: keyName, user_id: userId, scope, expires_at: expiresAt } = row;
      return { hash, keyId, keyName, userId, scope, expiresAt, roles: wordsOf(row.roles) };
    },
  };
}

function prepareStatements(db: Database) {
  const count = db.prepare("SELECT count(*) AS n FROM keys");
  const columns = "id, name, user_id, hash, scope, created_at, expires_at, revoked_at, last_used_at, last_used_from, roles";
  const readKey = db.prepare(`SELECT ${columns} FROM keys WHERE id = ?`);
  const listKeys = db.prepare(`SELECT ${columns} FROM keys ORDER BY created_at, id`);
  const adminKeys = db.prepare(selectAdminKeys("?"));
  const revokeKey = db.prepare("UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?");
  const endToken = db.prepare("DELETE FROM tokens WHERE hash = ?");
  const putKey = db.prepare(`INSERT OR REPLACE INTO keys (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const endTokens = db.prepare("DELETE FROM tokens WHERE key_id = ?");
  const addToken = db.prepare("INSERT INTO tokens (hash, key_id, scope, expires_at) VALUES (?, ?, ?, ?)");
  const trim = db.prepare(
    "DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens WHERE key_id = ? ORDER BY expires_at DESC, hash LIMIT -1 OFFSET ?)",
  );
  const touch = db.prepare("UPDATE keys SET last_used_at = ?, last_used_from = ? WHERE id = ?");
  const sweep = db.prepare("DELETE FROM tokens WHERE expires_at <= ?");
  const readToken = db.prepare(`
    SELECT t.key_id, k.name, k.user_id, k.roles, t.scope, min(t.expires_at, coalesce(k.expires_at, t.expires_at)) AS expires_at FROM tokens t JOIN keys k ON k.id = t.key_id
    WHERE t.hash = ? AND t.expires_at > ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)`);
  return {
    count,
    readKey,
    listKeys,
    adminKeys,
    revokeKey,
    endToken,
    putKey,
    endTokens,
    addToken,
    trim,
    touch,
    sweep,
    readToken,
  };
}

function toKey(row: KeyRow): StoredKey {
  return {
    id: row.id,
    name: row.name,
    userId: row.user_id,
    hash: Buffer.from(row.hash),
    scope: row.scope,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    roles: wordsOf(row.roles),
  };
}
