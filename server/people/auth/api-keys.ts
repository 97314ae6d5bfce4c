// API keys: created, preset and verified. A key is `ink_<id>.<secret>`; only the secret's SHA-256 is stored.

import { createHash, timingSafeEqual } from "node:crypto";
import { NO_REPORT, unattended } from "../../engine/background.ts";
import type { Credentials } from "../../engine/store.ts";
import type { Maker } from "../store/access.ts";
import type { Revocation, StoredKey } from "../store/keys.ts";
import type { StoredNotice } from "../store/notices.ts";
import { hashCode, randomCode, randomId } from "./random-codes.ts";
import { looksRandom } from "./secret-strength.ts";

export interface Keys {
  /** Creates a key and returns all of it; its secret is not stored. */
  create(scope: string, options?: KeyOptions): Promise<string>;
  /**
   * Works as `create`, for a request. `ended`: its maker's session or key has ended meanwhile. `many`: its owner has `most` that are
   * neither revoked nor expired. `notice`: what its owner is told of it.
   */
  createFor(
    maker: Maker,
    scope: string,
    options: KeyOptions,
    most: number,
    notice: StoredNotice | undefined,
  ): Promise<{ key: string } | "ended" | "many">;
  /** Creates the first administrator's key in a store that has never had one; undefined otherwise. */
  createFirst(): Promise<string | undefined>;
  /**
   * Stores a key that the operator has chosen, with scope admin and the name of its setting, if it is not stored yet, and ends those of
   * other ids that were chosen before it. Throws InvalidKey.
   */
  preset(key: string): Promise<void>;
  /** Returns the key of this id if the secret is right and it is neither revoked nor expired. */
  verify(id: string, secret: string): Promise<StoredKey | undefined>;
  /** Notes that a key was used from a network (source-address.ts), to the minute. Nobody waits for it; a failure is not told. */
  touch(id: string, from: string): void;
  /** Lists all keys, in the order of creation. */
  list(): Promise<StoredKey[]>;
  read(id: string): Promise<StoredKey | undefined>;
  /** Ends the key and its tokens at once and for good, also one that was revoked before; but not the last administrator's. */
  revoke(id: string): Promise<Revocation>;
}

export interface KeyOptions {
  name?: string;
  /** The id of the person whose key it is; without one it belongs to the organisation. */
  userId?: string | null;
  /** Ids of roles, whose conditions hold for the key. */
  roles?: readonly string[];
  /** In ms since 1970; null: never. 90 days without it. */
  expiresAt?: number | null;
}

/** A preset key does not have the form of a key, or can be guessed; the message is a sentence for whoever set it. */
export class InvalidKey extends Error {}

const PREFIX = "ink_";
const PRESET = "ADMIN_KEY"; // the name of a key that the operator has chosen
const DAYS = 90; // that a key is valid, unless its maker says something else
const TOUCH_EVERY = 60_000; // ms
const MOST_TOUCHED = 10_000; // keys and their networks, in memory
const CHECKSUM = 6; // characters
export const MAX_ID = 64; // characters
// An id has no dot, because the first dot ends it. No form, header or shell changes any of these characters.
export const KEY = /^ink_([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9._~-]{32,200})$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const HOW_TO_MAKE = `This prints a new key: node -p "'${PREFIX}admin.'+crypto.randomBytes(32).toString('base64url')"`;
const NOBODY = hashCode(randomCode());

export function createKeys(credentials: Credentials, report = NO_REPORT): Keys {
  const touched = new Map<string, number>();
  return {
    async create(scope, options) {
      const { row, key } = generateKey(scope, options);
      await credentials.putKey(row);
      return key;
    },
    async createFor(maker, scope, options, most, notice) {
      const { row, key } = generateKey(scope, options);
      const outcome = await credentials.addKey(row, maker, most, notice);
      return outcome === "done" ? { key } : outcome;
    },
    async createFirst() {
      const { id, secret } = generate();
      return (await credentials.putFirstKey(newKey(id, secret, "admin", "First start"))) ? `${PREFIX}${id}.${secret}` : undefined;
    },
    async preset(key) {
      const [, id, secret] = KEY.exec(key) ?? [];
      if (!id || !secret)
        throw new InvalidKey(
          `ADMIN_KEY must look like "ink_<id>.<secret>" with a secret of 32 to 200 characters (letters, digits, - . _ ~). ${HOW_TO_MAKE}`,
        );
      if (!looksRandom(secret))
        throw new InvalidKey(
          `the secret in ADMIN_KEY is too easy to guess. It must be random, 128 bits or more, not made of words, repetitions or sequences. ${HOW_TO_MAKE}`,
        );
      const stored = await credentials.readKey(id);
      if (stored && stored.revokedAt !== null) return;
      if (!stored || !timingSafeEqual(stored.hash, hashCode(secret))) await credentials.putKey(newKey(id, secret, "admin", PRESET));
      const others = (await credentials.listKeys()).filter((key) => key.name === PRESET && key.userId === null && key.id !== id);
      for (const other of others) if (other.revokedAt === null) await credentials.revokeKey(other.id, Date.now());
    },
    async verify(id, secret) {
      const key = await credentials.readKey(bareId(id));
      // An unknown id is compared as well, so that response times do not reveal which ids exist.
      const isRight = timingSafeEqual(key?.hash ?? NOBODY, hashCode(secret));
      if (!key || !isRight || key.revokedAt !== null) return undefined;
      return key.expiresAt !== null && key.expiresAt <= Date.now() ? undefined : key;
    },
    touch(id, from) {
      const now = Date.now();
      const use = `${id} ${from}`; // each network for itself: of two that take turns, both are seen
      if (now - (touched.get(use) ?? 0) < TOUCH_EVERY) return;
      if (touched.size >= MOST_TOUCHED) touched.clear();
      touched.set(use, now);
      // A request that could be answered must not fail because of it. The next minute notes it again.
      const touching = unattended("key use", report, () => credentials.touchKey(id, now, from).then(() => true));
      void touching.then((isNoted) => isNoted || touched.delete(use));
    },
    list: () => credentials.listKeys(),
    read: async (id) => (ID.test(bareId(id)) ? credentials.readKey(bareId(id)) : undefined),
    revoke: async (id) => (ID.test(bareId(id)) ? credentials.revokeKey(bareId(id), Date.now()) : "unknown"),
  };
}

/** Returns the id without its prefix; of a whole key only the part before the dot. */
export function bareId(id: string): string {
  return id.startsWith(PREFIX) ? (id.slice(PREFIX.length).split(".", 1)[0] ?? "") : id;
}

function generateKey(scope: string, options: KeyOptions = {}): { row: StoredKey; key: string } {
  const { name = "", userId = null, roles = [], expiresAt = Date.now() + DAYS * 86_400_000 } = options;
  const { id, secret } = generate();
  return { row: { ...newKey(id, secret, scope, name), userId, roles, expiresAt }, key: `${PREFIX}${id}.${secret}` };
}

function generate(): { id: string; secret: string } {
  const id = randomId();
  const random = randomCode();
  // With the checksum a secret scanner can tell a real key from similar text.
  return { id, secret: random + checksum(`${id}.${random}`) };
}

const UNUSED = { roles: [], revokedAt: null, lastUsedAt: null, lastUsedFrom: null };

function newKey(id: string, secret: string, scope: string, name: string): StoredKey {
  return { id, name, userId: null, hash: hashCode(secret), scope, createdAt: Date.now(), expiresAt: null, ...UNUSED };
}

function checksum(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, CHECKSUM);
}
