// Access tokens: opaque, an hour long, made from a key; only their SHA-256 is stored. Knows no HTTP.

import { createHash, randomBytes } from "node:crypto";
import { TOKEN_SECONDS } from "../../core/contract/limits.ts";
import type { Credentials, StoredToken } from "../store/store.ts";

/** Who sends a request. */
export interface Session {
  keyId: string;
  scope: string;
}

export interface Tokens {
  issue(keyId: string, scope: string): Promise<string>;
  /** At once: what verify would say, where it is remembered. */
  recall(token: string): Session | undefined;
  /** Undefined for a token that is unknown, expired, or whose key is revoked or expired. */
  verify(token: string): Promise<Session | undefined>;
  /** Ends a token, if it is one. */
  end(token: string): Promise<void>;
  /** Ends a token if it was made from this key; otherwise nothing happens, and nobody is told (RFC 7009 section 2.2). */
  revoke(token: string, keyId: string): Promise<void>;
}

const MAX_REMEMBERED = 1_000; // tokens

/** Tokens seen are remembered as long as no key changes: a revoked key's tokens end at once all the same. */
export function createTokens(credentials: Credentials): Tokens {
  const remembered = new Map<string, StoredToken>();
  let generation: number | undefined;
  /** Only if it is one: anybody may ask, and an ended token makes all others be read anew. */
  async function end(token: string, isMeant: (stored: StoredToken) => boolean = () => true): Promise<void> {
    const hash = hashToken(token);
    const stored = await credentials.readToken(hash, Date.now());
    if (!stored || !isMeant(stored)) return;
    await credentials.endToken(hash);
    remembered.delete(token);
  }
  return {
    async issue(keyId, scope) {
      const token = randomBytes(32).toString("base64url");
      const now = Date.now();
      await credentials.addToken({ hash: hashToken(token), keyId, scope, expiresAt: now + TOKEN_SECONDS * 1_000 }, now);
      return token;
    },
    recall(token) {
      if (generation === undefined || generation !== credentials.generation()) {
        remembered.clear();
        generation = credentials.generation();
      }
      const known = remembered.get(token);
      return known && known.expiresAt > Date.now() ? known : undefined;
    },
    async verify(token) {
      const read = await credentials.readToken(hashToken(token), Date.now());
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      if (read && generation !== undefined) remembered.set(token, read);
      return read;
    },
    end: (token) => end(token),
    revoke: (token, keyId) => end(token, (stored) => stored.keyId === keyId),
  };
}

function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
