// Challenges that a passkey signs. Each proves itself, so any process takes the answer, and asking for one stores nothing.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { deriveKeys, type MasterSecrets } from "../../../engine/secrets/master-secrets.ts";
import { hashCode } from "../random-codes.ts";

export interface Challenges {
  /** `purpose`: what the answer will be for. A challenge for one purpose is worth nothing for another. */
  create(purpose: readonly string[]): string;
  /** Says whether `create` made it for this purpose in the last five minutes. Whether it was answered before, only the store knows. */
  isValid(challenge: string, purpose: readonly string[]): boolean;
}

export const CHALLENGE_MS = 300_000;
/** Is longer than a challenge lives, because the clocks of two processes differ. */
const REMEMBER_MS = 3_600_000;

const TIME_BYTES = 6;
const RANDOM_BYTES = 32;
const SIGNED_BYTES = TIME_BYTES + RANDOM_BYTES;

export function createChallenges(secrets: MasterSecrets): Challenges {
  const keys = deriveKeys(secrets, "passkey challenge");
  const sign = (key: Buffer, signed: Buffer, purpose: readonly string[]) =>
    createHmac("sha256", key).update(signed).update(JSON.stringify(purpose)).digest();
  return {
    create(purpose) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(Date.now() + CHALLENGE_MS, 0, TIME_BYTES);
      const signed = Buffer.concat([time, randomBytes(RANDOM_BYTES)]);
      return Buffer.concat([signed, sign(keys[0], signed, purpose)]).toString("base64url");
    },
    isValid(challenge, purpose) {
      const bytes = Buffer.from(challenge, "base64url");
      const signed = bytes.subarray(0, SIGNED_BYTES);
      const given = bytes.subarray(SIGNED_BYTES);
      const signatures = keys.map((key) => sign(key, signed, purpose));
      const isOurs = signatures.some((signature) => given.length === signature.length && timingSafeEqual(given, signature));
      return isOurs && signed.readUIntBE(0, TIME_BYTES) > Date.now();
    },
  };
}

/** Returns what the store remembers of a challenge that was answered. */
export function usedChallenge(challenge: string): { hash: Uint8Array; expiresAt: number } {
  return { hash: hashCode(challenge), expiresAt: Date.now() + REMEMBER_MS };
}
