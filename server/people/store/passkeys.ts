// Passkeys of people. Times in ms since 1970.

import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";
import { type EndedAccess, endAccess, isStillIn, type Kept } from "./access.ts";
import { addNotice, type StoredNotice } from "./notices.ts";
import { type StoredUser, USER_READS } from "./users.ts";

export interface StoredPasskey {
  /** The id that the authenticator gave it, as base64url. */
  credential: string;
  id: string;
  userId: string;
  /** The host name that it belongs to. A browser offers it nowhere else. */
  rpId: string;
  /** A COSE key. */
  publicKey: Uint8Array;
  /** Counts signatures; it is 0 of an authenticator that does not count. */
  counter: number;
  /** Says how the browser reaches the authenticator: "internal", "hybrid", "usb" … */
  transports: string[];
  name: string;
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | null;
}

/** SHA-256 of a challenge, and until when it must be remembered that it was answered. */
export interface UsedChallenge {
  hash: Uint8Array;
  expiresAt: number;
}

const PASSKEY = "credential, id, user_id, rp_id, public_key, counter, transports, name, is_synced, created_at, last_used_at";

function toPasskey(cells: readonly Cell[]): StoredPasskey {
  const [credential, id, userId, rpId, publicKey, counter, transports, name, isSynced, createdAt, lastUsedAt] = cells as [
    string,
    string,
    string,
    string,
    Uint8Array,
    number,
    string,
    string,
    number,
    number,
    number | null,
  ];
  const words = transports.split(" ").filter(Boolean);
  return { credential, id, userId, rpId, publicKey, counter, transports: words, name, isSynced: isSynced === 1, createdAt, lastUsedAt };
}

function* readPasskey(credential: string): Script<StoredPasskey | undefined> {
  const { rows } = yield* ask(`SELECT ${PASSKEY} FROM passkeys WHERE credential = $1`, credential);
  return rows[0] && toPasskey(rows[0]);
}

function* listPasskeys(userId: string): Script<StoredPasskey[]> {
  const { rows } = yield* ask(`SELECT ${PASSKEY} FROM passkeys WHERE user_id = $1 ORDER BY created_at, id`, userId);
  return rows.map(toPasskey);
}

/** Says whether anybody has one. */
function* hasPasskeys(): Script<boolean> {
  return (yield* ask("SELECT 1 FROM passkeys LIMIT 1")).count > 0;
}

/** Returns false when it was answered before, in any process. */
function* takeChallenge({ hash, expiresAt }: UsedChallenge, now: number): Script<boolean> {
  yield* ask("DELETE FROM used_challenges WHERE expires_at <= $1", now);
  const sql = "INSERT INTO used_challenges (hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
  return (yield* ask(sql, hash, expiresAt)).count > 0;
}

/**
 * `refused`: the challenge was answered before, the credential is somebody's already, or the person has other passkeys than `known`
 * (ids), which they had when they were asked. `ended`: the session has ended meanwhile.
 */
export type AddedPasskey = "done" | "refused" | "ended";

/** Whoever adds a passkey has just used it. */
function* addPasskey(
  passkey: StoredPasskey,
  sessionId: string,
  challenge: UsedChallenge,
  known: readonly string[],
  notice: StoredNotice,
): Script<AddedPasskey> {
  yield* lockByName("people");
  if (!(yield* isStillIn({ sessionId, keyId: undefined }))) return "ended";
  const { credential, id, userId, rpId, publicKey, counter, transports, name, isSynced, createdAt, lastUsedAt } = passkey;
  if (!(yield* takeChallenge(challenge, createdAt))) return "refused";
  const own = yield* listPasskeys(userId);
  if (own.length !== known.length || own.some((one) => !known.includes(one.id))) return "refused";
  const values = [credential, id, userId, rpId, publicKey, counter, transports.join(" "), name, isSynced ? 1 : 0, createdAt, lastUsedAt];
  const places = "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11";
  const { count } = yield* ask(`INSERT INTO passkeys (${PASSKEY}) VALUES (${places}) ON CONFLICT DO NOTHING`, ...values);
  if (count === 0) return "refused";
  yield* proveSession(sessionId, createdAt, true);
  yield* addNotice(notice);
  return "done";
}

/** Says what an authenticator has signed, after its signature was found right. */
export interface PasskeyUse {
  credential: string;
  counter: number;
  isSynced: boolean;
}

/** `counter`: it did not go up, so there are two copies of a key that cannot be copied (WebAuthn level 3, section 6.1.1). */
export type UsedPasskey = StoredUser | "unknown" | "disabled" | "replayed" | "counter";

function* takePasskey({ credential, counter, isSynced }: PasskeyUse, challenge: UsedChallenge, now: number): Script<UsedPasskey> {
  if (!(yield* takeChallenge(challenge, now))) return "replayed";
  const passkey = yield* readPasskey(credential);
  const user = passkey && (yield* USER_READS.readUser(passkey.userId));
  if (!user) return "unknown";
  if (user.status !== "active") return "disabled";
  const sql =
    "UPDATE passkeys SET counter = $1, is_synced = $2, last_used_at = $3 WHERE credential = $4 AND (counter < $1 OR (counter = 0 AND $1 = 0))";
  return (yield* ask(sql, counter, isSynced ? 1 : 0, now, credential)).count > 0 ? user : "counter";
}

/** Returns false when the person has no such passkey. */
function* renamePasskey(id: string, userId: string, name: string): Script<boolean> {
  return (yield* ask("UPDATE passkeys SET name = $1 WHERE id = $2 AND user_id = $3", name, id, userId)).count > 0;
}

/** Says what ended with it; `last`: nothing is removed, because the person must keep `least`. */
export type RemovedPasskey = EndedAccess | "unknown" | "last";

/**
 * Removes a passkey, and ends all that is not kept: whoever had it may have made the rest. But the other passkeys stay. They stand beside
 * it in the same list, and are removed there one by one.
 */
function* removePasskey(id: string, userId: string, least: number, keep: readonly string[], now: number): Script<RemovedPasskey> {
  yield* lockByName("people");
  const all = yield* listPasskeys(userId);
  if (!all.some((one) => one.id === id)) return "unknown";
  if (all.length <= least) return "last";
  yield* ask("DELETE FROM passkeys WHERE id = $1 AND user_id = $2", id, userId);
  return yield* endAccess(userId, { ids: keep, hasPasskeys: true }, now);
}

/** Helps somebody who has lost a device: all passkeys end, and all else that is not kept. */
function* removePasskeys(userId: string, kept: Kept, now: number): Script<EndedAccess> {
  yield* lockByName("people");
  yield* ask("DELETE FROM passkeys WHERE user_id = $1", userId);
  return yield* endAccess(userId, kept, now);
}

/** Notes that the person of this session has proved at `now` who they are. With a passkey it is no mere password's session any more. */
function* proveSession(id: string, now: number, isPasskey: boolean): Script<unknown> {
  if (isPasskey) yield* ask("UPDATE sessions SET method = 'passkey' WHERE id = $1 AND method = 'password'", id);
  return yield* ask("UPDATE sessions SET proved_at = $1 WHERE id = $2", now, id);
}

export const PASSKEY_READS = { readPasskey, listPasskeys, hasPasskeys };
export const PASSKEY_WRITES = { addPasskey, removePasskey, removePasskeys, proveSession };
/** Writes after which nothing that is remembered of tokens is wrong. */
export const QUIET_PASSKEY_WRITES = { takePasskey, renamePasskey };
