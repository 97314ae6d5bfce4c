// Text that only this service can read or make: encrypted and authenticated (AES-256-GCM, NIST SP 800-38D).

import { createCipheriv, createDecipheriv } from "node:crypto";

/** Bytes of an IV, which must be another one for each text under one key. */
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Returns IV, tag and text as base64url. `key`: 32 bytes. `boundTo`: what the text belongs to; under anything else it cannot be opened. */
export function sealText(key: Buffer, iv: Buffer, text: string, boundTo = ""): string {
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Opens with whichever of the keys has sealed it. Undefined for what was not sealed with one of them for this. */
export function openText(keys: readonly Buffer[], sealed: string, boundTo = ""): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
  for (const key of keys) {
    const text = openWith(key, bytes, boundTo);
    if (text !== undefined) return text;
  }
  return undefined;
}

function openWith(key: Buffer, bytes: Buffer, boundTo: string): string | undefined {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return undefined; // another key's, or altered: GCM says no more than that
  }
}
