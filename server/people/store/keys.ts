// API keys and their access tokens, as hashes. Times in ms since 1970.

import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";
import { isStillIn, type Maker } from "./access.ts";
import { addNotice, type StoredNotice } from "./notices.ts";
import { wordsOf } from "./role-rights.ts";

/** An API key. */
export interface StoredKey {
  id: string;
  /** The name that people have given it; may be empty. */
  name: string;
  /** The id of the person who made it; null for a key that belongs to the organisation. */
  userId: string | null;
  /** SHA-256 of the secret. */
  hash: Uint8Array;
  scope: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  /** The network from which it was used last (source-address.ts); null if it is not known. */
  lastUsedFrom: string | null;
  /** Ids of roles; empty: the scope alone says what it may. */
  roles: readonly string[];
}

/** The outcome of the wish to revoke a key; "last": it is the last valid one of an administrator, and stays. */
export type Revocation = "revoked" | "unknown" | "last";

/** An access token. `hash` is its SHA-256. */
export interface StoredToken {
  hash: Uint8Array;
  keyId: string;
  scope: string;
  expiresAt: number;
}

/** A valid token, with its key's name and roles. */
export interface ReadToken extends StoredToken {
  keyName: string;
  roles: readonly string[];
  /** The person whose key it is; null: the organisation's. */
  userId: string | null;
}

const COLUMNS = "id, name, user_id, hash, scope, created_at, expires_at, revoked_at, last_used_at, last_used_from, roles";
const INSERT = `INSERT INTO keys (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

function cellsOf({ roles, ...key }: StoredKey): Cell[] {
  const { id, name, userId, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedFrom } = key;
  return [id, name, userId, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedFrom, roles.join(" ")];
}

function toKey([id, name, userId, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedFrom, roles]: readonly Cell[]) {
  const key = { id, name, userId, hash, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastUsedFrom, roles: wordsOf(String(roles)) };
  return key as StoredKey;
}

function* readKey(id: string): Script<StoredKey | undefined> {
  if (id.includes("\0")) return undefined; // PostgreSQL allows it in no text
  const { rows } = yield* ask(`SELECT ${COLUMNS} FROM keys WHERE id = $1`, id);
  return rows[0] && toKey(rows[0]);
}

/** Lists all keys, also revoked and expired ones, ordered by createdAt and id. */
function* listKeys(): Script<StoredKey[]> {
  return (yield* ask(`SELECT ${COLUMNS} FROM keys ORDER BY created_at, id`)).rows.map(toKey);
}

/** Adds the key, or replaces the one with its id and ends its tokens. */
function* putKey(key: StoredKey): Script<void> {
  yield* ask("DELETE FROM tokens WHERE key_id = $1", key.id);
  const columns = COLUMNS.split(", ").map((column) => `${column} = excluded.${column}`);
  yield* ask(`${INSERT} ON CONFLICT (id) DO UPDATE SET ${columns.join(", ")}`, ...cellsOf(key));
}

/** Adds the key if there has never been one. Of several concurrent calls, in any process, exactly one gets true. */
function* putFirstKey(key: StoredKey): Script<boolean> {
  yield* lockByName("first-key");
  if ((yield* ask("SELECT 1 FROM keys LIMIT 1")).count > 0) return false;
  yield* ask(INSERT, ...cellsOf(key));
  return true;
}

/** `ended`: the maker's session or key has ended meanwhile. `many`: the person has `most` keys that are neither revoked nor expired. */
function* addKey(key: StoredKey, maker: Maker, most: number, notice?: StoredNotice): Script<"done" | "ended" | "many"> {
  yield* lockByName("people");
  if (!(yield* isStillIn(maker))) return "ended";
  if (key.userId !== null) {
    const sql = "SELECT 1 FROM keys WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
    if ((yield* ask(sql, key.userId, key.createdAt)).count >= most) return "many";
  }
  yield* ask(INSERT, ...cellsOf(key));
  if (notice) yield* addNotice(notice);
  return "done";
}

const hasWord = (text: string, word: string) => `' ' || ${text} || ' ' LIKE '% ' || ${word} || ' %'`;

/**
 * The ids of the keys that are valid at the time $1 and allow everything; at most two. A person's key allows no more than the person:
 * it counts while they are active and an administrator.
 */
const ADMIN_KEYS = `SELECT k.id FROM keys k LEFT JOIN users u ON u.id = k.user_id
  WHERE ${hasWord("k.scope", "'admin'")} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $1)
    AND (k.user_id IS NULL OR (u.status = 'active' AND (${hasWord("u.roles", "'administrator'")}
      OR EXISTS (SELECT 1 FROM roles r WHERE ${hasWord("r.scope", "'admin'")} AND ${hasWord("u.roles", "r.id")}))))
  LIMIT 2`;

/**
 * Sets the time of revocation, unless there is one, and ends the key's tokens; nothing if that leaves no administrator's key that is
 * valid at `now`. Of concurrent calls, in any process, one is the last and is told so.
 */
function* revokeKey(id: string, now: number): Script<Revocation> {
  yield* lockByName("last-revocation"); // two administrators cannot revoke each other's keys at once
  const { rows: admins } = yield* ask(ADMIN_KEYS, now);
  if (admins.length === 1 && admins[0]?.[0] === id) return "last";
  yield* ask("DELETE FROM tokens WHERE key_id = $1", id);
  const { count } = yield* ask("UPDATE keys SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2", now, id);
  return count > 0 ? "revoked" : "unknown";
}

/** Sets when and from where the key was last used. */
function* touchKey(id: string, now: number, from: string): Script<void> {
  yield* ask("UPDATE keys SET last_used_at = $1, last_used_from = $2 WHERE id = $3", now, from, id);
}

/** Adds the token, sets when and from where its key was last used, and deletes expired tokens, and of the key's the oldest beyond `most`. */
function* addToken({ hash, keyId, scope, expiresAt }: StoredToken, now: number, most: number, from: string): Script<void> {
  yield* ask("DELETE FROM tokens WHERE expires_at <= $1", now);
  // One engine has no OFFSET without LIMIT.
  const oldest = "SELECT hash FROM tokens WHERE key_id = $1 ORDER BY expires_at DESC, hash LIMIT 1000000 OFFSET $2";
  yield* ask(`DELETE FROM tokens WHERE hash IN (${oldest})`, keyId, most - 1);
  yield* ask("INSERT INTO tokens (hash, key_id, scope, expires_at) VALUES ($1, $2, $3, $4)", hash, keyId, scope, expiresAt);
  yield* touchKey(keyId, now, from);
}

/** Ends one token; nothing happens for an unknown one. */
function* endToken(hash: Uint8Array): Script<void> {
  yield* ask("DELETE FROM tokens WHERE hash = $1", hash);
}

/** Returns undefined for an unknown or expired token, and when its key is revoked or expired. `expiresAt` is never after the key's. */
function* readToken(hash: Uint8Array, now: number): Script<ReadToken | undefined> {
  const { rows } = yield* ask(
    `SELECT t.key_id, k.name, k.user_id, t.scope, CASE WHEN k.expires_at < t.expires_at THEN k.expires_at ELSE t.expires_at END, k.roles
     FROM tokens t JOIN keys k ON k.id = t.key_id
     WHERE t.hash = $1 AND t.expires_at > $2 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`,
    hash,
    now,
  );
  if (!rows[0]) return undefined;
  const [keyId, keyName, userId, scope, expiresAt, roles] = rows[0] as [string, string, string | null, string, number, string];
  return { hash, keyId, keyName, userId, scope, expiresAt, roles: wordsOf(roles) };
}

export const KEY_READS = { readKey, listKeys, readToken };
export const KEY_WRITES = { putKey, putFirstKey, addKey, revokeKey, addToken, endToken };
/** A write after which nothing that is remembered of tokens is wrong. */
export const QUIET_KEY_WRITES = { touchKey };
