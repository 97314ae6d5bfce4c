// Access tokens: opaque, valid for an hour, made from an API key. Only their SHA-256 is stored.

import { createHash, randomBytes } from "node:crypto";
import { TOKEN_SECONDS } from "../../core/contract/limits.ts";
import type { Credentials, StoredToken } from "../store/store.ts";

/** Whose token a request has, and what it allows. */
export interface Session {
  keyId: string;
  scope: string;
}

export interface Tokens {
  issue(keyId: string, scope: string): Promise<string>;
  /** The session of a token that is remembered, without waiting for the store. */
  recall(token: string): Session | undefined;
  /** Undefined for a token that is unknown, expired, or whose key is revoked or expired. */
  verify(token: string): Promise<Session | undefined>;
  /** Ends a token; nothing happens for one that is unknown. */
  end(token: string): Promise<void>;
  /** Ends a token that was made from this key; otherwise silently nothing happens (RFC 7009 section 2.2). */
  revoke(token: string, keyId: string): Promise<void>;
}

const MAX_REMEMBERED = 1_000; // tokens
export const MAX_LIVE = 1_000; // tokens of one key; with one more its oldest ends

/** Verified tokens are remembered for one generation of the credentials, so that a revoked key's tokens still end at once. */
export function createTokens(credentials: Credentials): Tokens {
  const remembered = new Map<string, StoredToken>();
  let generation = credentials.generation();
  // Reads the token first: anybody may send one, and ending one makes all others be read again.
  async function end(token: string, isAllowed: (stored: StoredToken) => boolean = () => true): Promise<void> {
    const hash = hashToken(token);
    const stored = await credentials.readToken(hash, Date.now());
    if (!stored || !isAllowed(stored)) return;
    await credentials.endToken(hash);
    remembered.delete(token);
  }
  return {
    async issue(keyId, scope) {
      const token = randomBytes(32).toString("base64url");
      const now = Date.now();
      const expiresAt = now + TOKEN_SECONDS * 1_000;
      await credentials.addToken({ hash: hashToken(token), keyId, scope, expiresAt }, now, MAX_LIVE);
      return token;
    },
    recall(token) {
      const current = credentials.generation();
      if (generation !== current) remembered.clear();
      generation = current;
      const known = remembered.get(token);
      return known && known.expiresAt > Date.now() ? known : undefined;
    },
    async verify(token) {
      const before = credentials.generation();
      const read = await credentials.readToken(hashToken(token), Date.now());
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const isCurrent = generation === before && before === credentials.generation(); // otherwise what was read may be old
      if (read && isCurrent) remembered.set(token, read);
      return read;
    },
    end: (token) => end(token),
    revoke: (token, keyId) => end(token, (stored) => stored.keyId === keyId),
  };
}

function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
