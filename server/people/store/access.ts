// Lists and ends what gives a person access besides the password. Times in ms since 1970.

import type { LastingAccess } from "../../../core/contract/people.ts";
import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";

/** One thing with which somebody gets in, or gets data, as this person. */
export interface StoredAccess {
  kind: LastingAccess["kind"];
  id: string;
  /** The User-Agent of a session, the name of a key or passkey, the address of a webhook. */
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
  /** Is null if it is not known. */
  lastUsedFrom: string | null;
}

/** Sessions that have ended by themselves stay in the table until somebody signs in. */
const SESSIONS = `SELECT 'session', id, agent, created_at, seen_at, source FROM sessions
  WHERE user_id = $1 AND expires_at > $2 AND seen_at > $3 ORDER BY seen_at DESC, id`;
const KEYS = `SELECT 'key', id, name, created_at, last_used_at, last_used_from FROM keys
  WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at, id`;
const PASSKEYS = "SELECT 'passkey', id, name, created_at, last_used_at, NULL FROM passkeys WHERE user_id = $1 ORDER BY created_at, id";
/** A webhook that one of the person's keys made is the person's as well, also when that key has ended. */
const WEBHOOKS = `SELECT 'webhook', id, url, created_at, NULL, NULL FROM webhooks
  WHERE is_enabled = 1 AND ((by_type = 'user' AND by_id = $1) OR (by_type = 'key' AND by_id IN (SELECT id FROM keys WHERE user_id = $1)))
  ORDER BY created_at, id`;

/** `idle`: ms after which a session ends that nobody used. */
function* listAccess(userId: string, now: number, idle: number): Script<StoredAccess[]> {
  const sessions = yield* ask(SESSIONS, userId, now, now - idle);
  const keys = yield* ask(KEYS, userId, now);
  const passkeys = yield* ask(PASSKEYS, userId);
  const webhooks = yield* ask(WEBHOOKS, userId);
  return [...sessions.rows, ...keys.rows, ...passkeys.rows, ...webhooks.rows].map(toAccess);
}

function toAccess(cells: readonly Cell[]): StoredAccess {
  const [kind, id, name, createdAt, lastUsedAt, lastUsedFrom] = cells as [
    StoredAccess["kind"],
    string,
    string,
    number,
    number | null,
    string | null,
  ];
  return { kind, id, name, createdAt, lastUsedAt, lastUsedFrom };
}

/** Says what of a person's access is not ended. */
export interface Kept {
  /** Ids of what stays, whatever it is. */
  ids: readonly string[];
  /** No passkey ends. */
  hasPasskeys: boolean;
}

/** Says what was ended, for the log. */
export type EndedAccess = Pick<StoredAccess, "kind" | "id">[];

/**
 * Ends all that is not `kept`, together with what could become a session in a moment: links for a new password, and codes that the
 * organisation's own sign-in has just given out. Webhooks are switched off, not deleted, so that an administrator can look at them.
 * A key is revoked even if it is the last one of an administrator: it counts as one only while its owner is one, who makes another.
 */
export function* endAccess(userId: string, kept: Kept, now: number): Script<EndedAccess> {
  const isEnded = ([kind, id]: readonly Cell[]) => !kept.ids.includes(String(id)) && !(kept.hasPasskeys && kind === "passkey");
  const ended = [
    ...(yield* ask("SELECT 'session', id FROM sessions WHERE user_id = $1", userId)).rows,
    ...(yield* ask("SELECT 'key', id FROM keys WHERE user_id = $1 AND revoked_at IS NULL", userId)).rows,
    ...(yield* ask(PASSKEYS, userId)).rows,
    ...(yield* ask(WEBHOOKS, userId)).rows,
  ].filter(isEnded);
  yield* ask("DELETE FROM sign_in_codes WHERE user_id = $1", userId);
  yield* ask("DELETE FROM links WHERE user_id = $1 AND purpose = 'password'", userId);
  for (const [kind, id = null] of ended) yield* END[kind as StoredAccess["kind"]](id, now);
  return ended.map(([kind, id]) => ({ kind: kind as StoredAccess["kind"], id: String(id) }));
}

const END: Record<StoredAccess["kind"], (id: Cell, now: number) => Script<unknown>> = {
  *session(id) {
    yield* ask("DELETE FROM session_tokens WHERE session_id = $1 AND viewed = ''", id);
    return yield* ask("DELETE FROM sessions WHERE id = $1", id);
  },
  *key(id, now) {
    yield* ask("DELETE FROM tokens WHERE key_id = $1", id);
    return yield* ask("UPDATE keys SET revoked_at = $1 WHERE id = $2", now, id);
  },
  passkey: (id) => ask("DELETE FROM passkeys WHERE id = $1", id),
  webhook: (id, now) => ask("UPDATE webhooks SET is_enabled = 0, off_reason = 'administrator', since = $1 WHERE id = $2", now, id),
};

/** Says who makes something that lasts, as the request was authenticated. */
export interface Maker {
  /** Is undefined for a program. */
  sessionId: string | undefined;
  /** Is undefined for a person. */
  keyId: string | undefined;
}

/**
 * Says whether the maker may still act. The request was authenticated before the transaction, so without this question a key could be
 * made by a session that has ended meanwhile, and outlive it. The caller holds the lock, which each end takes, too.
 */
export function* isStillIn({ sessionId, keyId }: Maker): Script<boolean> {
  if (sessionId !== undefined) return (yield* ask("SELECT 1 FROM sessions WHERE id = $1", sessionId)).count > 0;
  return (yield* ask("SELECT 1 FROM keys WHERE id = $1 AND revoked_at IS NULL", keyId ?? "")).count > 0;
}

/**
 * Signs the person out everywhere: all ends that is not kept. Their passkeys stay if they have no other way to sign in, neither a
 * password nor the organisation's own sign-in.
 */
function* endAllAccess(userId: string, kept: Kept, now: number): Script<EndedAccess> {
  yield* lockByName("people");
  const password = yield* ask("SELECT 1 FROM users WHERE id = $1 AND password IS NOT NULL", userId);
  const identities = yield* ask("SELECT 1 FROM identities WHERE user_id = $1", userId);
  return yield* endAccess(userId, { ...kept, hasPasskeys: kept.hasPasskeys || password.count + identities.count === 0 }, now);
}

export const ACCESS_READS = { listAccess };
export const ACCESS_WRITES = { endAllAccess };
