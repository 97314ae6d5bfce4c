// API keys: made, preset and checked. A key is `ink_<id>.<secret>`; only the secret's SHA-256 is kept.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Credentials, StoredKey } from "../store/store.ts";

export interface Keys {
  /** Makes a key and answers it whole: the only time that its secret is seen. */
  create(scope: string, expiresAt?: number): Promise<string>;
  /** As create, but only the first administrator's, in a store that has never had a key; undefined in any other. */
  createFirst(): Promise<string | undefined>;
  /** Stores a key chosen outside, with scope admin; says nothing if it is stored already. Throws BadKey if it has not the form. */
  preset(key: string): Promise<void>;
  /** The key of this id if the secret is right and it is neither revoked nor expired. */
  verify(id: string, secret: string): Promise<StoredKey | undefined>;
  /** All keys, in the order they were made. */
  list(): Promise<StoredKey[]>;
  read(id: string): Promise<StoredKey | undefined>;
  /** Ends the key and its tokens at once and for good; again is the same. False for a key that does not exist. */
  revoke(id: string): Promise<boolean>;
}

/** A preset key that has not the form, in a sentence for whoever set it. */
export class BadKey extends Error {}

const PREFIX = "ink_";
const CHECKSUM = 6; // characters
export const MAX_ID = 64; // characters
// An id has no dot: the first one ends it. The characters are those that no form, header or shell changes.
const KEY = /^ink_([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9._~-]{32,200})$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const NOBODY = createHash("sha256").update(randomBytes(32)).digest();

export function createKeys(credentials: Credentials): Keys {
  return {
    async create(scope, expiresAt) {
      const { id, secret } = draw();
      await credentials.putKey({ ...newKey(id, secret, scope), expiresAt: expiresAt ?? null });
      return `${PREFIX}${id}.${secret}`;
    },
    async createFirst() {
      const { id, secret } = draw();
      return (await credentials.putFirstKey(newKey(id, secret, "admin"))) ? `${PREFIX}${id}.${secret}` : undefined;
    },
    async preset(key) {
      const [, id, secret] = KEY.exec(key) ?? [];
      if (!id || !secret)
        throw new BadKey('ADMIN_KEY must look like "ink_<id>.<secret>" with a secret of 32 characters or more (letters, digits, - . _ ~).');
      const stored = await credentials.readKey(id);
      if (stored && (stored.revokedAt !== null || timingSafeEqual(stored.hash, hashSecret(secret)))) return;
      await credentials.putKey(newKey(id, secret, "admin"));
    },
    async verify(id, secret) {
      const key = await credentials.readKey(bareId(id));
      // An unknown id is compared as well, so that the time taken does not tell which ids exist.
      const isRight = timingSafeEqual(key?.hash ?? NOBODY, hashSecret(secret));
      if (!key || !isRight || key.revokedAt !== null) return undefined;
      return key.expiresAt !== null && key.expiresAt <= Date.now() ? undefined : key;
    },
    list: () => credentials.listKeys(),
    read: async (id) => (ID.test(bareId(id)) ? credentials.readKey(bareId(id)) : undefined),
    revoke: async (id) => ID.test(bareId(id)) && credentials.revokeKey(bareId(id), Date.now()),
  };
}

/** An id with or without its prefix; of a whole key only what stands before the dot. */
export function bareId(id: string): string {
  return id.startsWith(PREFIX) ? (id.slice(PREFIX.length).split(".", 1)[0] ?? "") : id;
}

function draw(): { id: string; secret: string } {
  const id = randomBytes(8).toString("hex");
  const random = randomBytes(32).toString("base64url");
  // The checksum lets a scanner tell a real key from text that looks like one, without asking us.
  return { id, secret: random + checksum(`${id}.${random}`) };
}

function newKey(id: string, secret: string, scope: string): StoredKey {
  return { id, hash: hashSecret(secret), scope, createdAt: Date.now(), expiresAt: null, revokedAt: null, lastUsedAt: null };
}

/** Secrets are 256 random bits or chosen by an operator as such, so a fast hash is enough: there is nothing to guess. */
function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function checksum(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, CHECKSUM);
}
