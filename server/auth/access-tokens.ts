// Access tokens: opaque, made from an API key or a sign-in. Only their SHA-256 is stored.

import { TOKEN_SECONDS } from "../../core/contract/limits.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { scopeOfRoles } from "../../core/contract/roles.ts";
import { commonScope } from "../../core/contract/scopes.ts";
import type { People } from "../store/people/people.ts";
import type { Credentials, ReadToken, StoredKey } from "../store/store.ts";
import { KEY, type Keys } from "./api-keys.ts";
import { hashCode, randomCode } from "./random-codes.ts";
import { ACCESS_PREFIX, type Sessions, type SessionUse, type VerifiedSession } from "./sessions.ts";

/** Whose token a request has, and what it allows. */
export interface Session {
  principal: Principal;
  /** Under which its requests, bytes and reads are counted: the id of an API key, `user <id>` for a person. No key's id has a space. */
  owner: string;
  scope: string;
  /** Of a person. */
  sessionId?: string;
  /** Of a person. */
  use?: SessionUse;
  /** With REQUIRE_PASSKEY: it began with a password, and may only add or show a passkey. */
  mustAddPasskey?: boolean;
}

export interface Tokens {
  /** Undefined when the person whose key it is may not sign in. */
  issue(key: StoredKey, scope: string): Promise<string | undefined>;
  /** The session of a token that is remembered, without waiting for the store. Undefined once nobody has used it for too long. */
  recall(token: string): Session | undefined;
  /** Undefined for a token that is unknown, expired, or whose key is revoked or expired. */
  verify(token: string): Promise<Session | undefined>;
  /** Notes that the person whose session it is does something. */
  touch(session: Session): void;
  /** Ends a token; nothing happens for one that is unknown. */
  end(token: string): Promise<void>;
  /** Ends a token that was made from this key; otherwise silently nothing happens (RFC 7009 section 2.2). */
  revoke(token: string, keyId: string): Promise<void>;
}

/** Expires in ms since 1970. */
interface Verified {
  session: Session;
  expiresAt: number;
}

const MAX_REMEMBERED = 1_000; // tokens
export const MAX_LIVE = 1_000; // tokens of one key; with one more its oldest ends

/** Verified tokens are remembered for one generation of the credentials, so that a revoked key's tokens still end at once. */
export function createTokens(
  credentials: Credentials & { people: People },
  keys: Keys,
  sessions: Sessions,
  requirePasskey = false,
): Tokens {
  const remembered = new Map<string, Verified>();
  let generation = credentials.generation();
  async function readToken(token: string): Promise<Verified | undefined> {
    const read = await credentials.readToken(hashCode(token), Date.now());
    if (!read) return undefined;
    const { keyId: id, keyName: name, userId, scope, expiresAt } = read;
    return toVerified({ id, name, userId, scope }, expiresAt);
  }
  /** A key has no more rights than the person whose key it is, and none when they may not sign in. */
  async function toVerified(key: Pick<StoredKey, "id" | "name" | "userId" | "scope">, expiresAt: number): Promise<Verified | undefined> {
    if (key.userId === null) return { session: toSession(key), expiresAt };
    const owner = await credentials.people.readUser(key.userId);
    if (owner?.status !== "active") return undefined;
    const owned = scopeOfRoles(owner.roles, await credentials.people.listRoles());
    return { session: toSession({ ...key, scope: commonScope(key.scope, owned) }), expiresAt };
  }
  async function readSession(token: string): Promise<Verified | undefined> {
    const read = await sessions.verify(token);
    return read && { session: sessionOf(read, requirePasskey), expiresAt: read.expiresAt };
  }
  function verified(token: string): Promise<Verified | undefined> {
    if (token.startsWith(ACCESS_PREFIX)) return readSession(token);
    return token.startsWith("ink_") ? readKey(token) : readToken(token);
  }
  /** A whole API key may be sent as a token by tools that cannot exchange it. */
  async function readKey(token: string): Promise<Verified | undefined> {
    const [, id = "", secret = ""] = KEY.exec(token) ?? [];
    const key = await keys.verify(id, secret);
    if (!key) return undefined;
    keys.touch(key);
    return toVerified(key, key.expiresAt ?? Number.POSITIVE_INFINITY);
  }
  // Reads the token first: anybody may send one, and ending one makes all others be read again.
  async function end(token: string, isAllowed: (stored: ReadToken) => boolean = () => true): Promise<void> {
    const hash = hashCode(token);
    const stored = await credentials.readToken(hash, Date.now());
    if (!stored || !isAllowed(stored)) return;
    await credentials.endToken(hash);
    remembered.delete(token);
  }
  return {
    async issue(key, scope) {
      const now = Date.now();
      const expiresAt = now + TOKEN_SECONDS * 1_000;
      const token = (await toVerified(key, expiresAt)) && randomCode();
      if (token) await credentials.addToken({ hash: hashCode(token), keyId: key.id, scope, expiresAt }, now, MAX_LIVE);
      return token;
    },
    recall(token) {
      const current = credentials.generation();
      if (generation !== current) remembered.clear();
      generation = current;
      return liveSession(remembered.get(token), sessions);
    },
    async verify(token) {
      const before = credentials.generation();
      const read = await verified(token);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const isCurrent = generation === before && before === credentials.generation(); // otherwise what was read may be old
      if (read && isCurrent) remembered.set(token, read);
      return read?.session;
    },
    touch: ({ use }) => use && sessions.touch(use),
    end: (token) => end(token),
    revoke: (token, keyId) => end(token, (stored) => stored.keyId === keyId),
  };
}

function sessionOf({ user, scope, session }: VerifiedSession, requirePasskey: boolean): Session {
  const { id: sessionId, userId, seenAt, method } = session;
  const principal = { type: "user", id: user.id, name: user.name } as const;
  const mustAddPasskey = requirePasskey && method === "password";
  return { principal, owner: `user ${user.id}`, scope, sessionId, use: { id: sessionId, userId, seenAt }, mustAddPasskey };
}

/** Undefined also for a session that another process may know to be in use: the store tells. */
function liveSession(known: Verified | undefined, sessions: Sessions): Session | undefined {
  if (!known || known.expiresAt <= Date.now()) return undefined;
  const { use } = known.session;
  return use && !sessions.isLive(use) ? undefined : known.session;
}

function toSession({ id, name, scope }: Pick<StoredKey, "id" | "name" | "scope">): Session {
  return { principal: { type: "key", id, name: name || id }, owner: id, scope };
}
