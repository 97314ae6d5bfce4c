// Text that only this service can read or make: encrypted and authenticated (AES-256-GCM, NIST SP 800-38D).

import { createCipheriv, createDecipheriv } from "node:crypto";

/** Of an IV, which must be another one for each text under one key. */
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** As base64url: IV, tag, text. `key`: 32 bytes. `boundTo`: what it belongs to; under anything else it cannot be opened. */
export function sealText(key: Buffer, iv: Buffer, text: string, boundTo = ""): string {
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Undefined for what was not sealed with this key for this. */
export function openText(key: Buffer, sealed: string, boundTo = ""): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
