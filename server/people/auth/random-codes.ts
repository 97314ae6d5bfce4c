// Random codes, such as tokens, secrets of keys and one-time links, and what is stored of them.

import { createHash, randomBytes } from "node:crypto";

/** Makes 256 random bits as text without signs that a form, a link or a shell would change. */
export function randomCode(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns what is stored of a code. A fast hash is enough for 256 random bits. */
export function hashCode(code: string): Buffer {
  return createHash("sha256").update(code).digest();
}

/** Makes an id of a person, a role, a session or a key: 64 random bits. */
export function randomId(): string {
  return randomBytes(8).toString("hex");
}
