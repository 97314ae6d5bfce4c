// A place in a list to opaque text and back. Sealed, so that it cannot be changed, used on another list or read: it holds names.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import type { Value } from "../../core/dictionary/kinds.ts";
import { httpErrors } from "./errors.ts";

/** The sort values of a record: the rows after it, or the rows before it. */
export type Place = { after: readonly (Value | null)[] } | { before: readonly (Value | null)[] };

export interface Cursors {
  /** `list` names the list the place is in: collection, order and search. */
  seal(list: string, place: Place): string;
  /** Throws BAD_CURSOR for text that `seal` did not make for the same list. */
  open(list: string, cursor: string): Place;
}

// Made from what is sealed, as RFC 5297 makes it: another place never has the same, and the same place always the same cursor, so
// that HEAD has the very Link and, compressed, the very Content-Length of GET. 96 bits are enough for 2^32 places a key (NIST SP 800-38D section 8.3).
const IV = 12; // bytes
const TAG = 16; // bytes

export function createCursors(secret: Buffer): Cursors {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "cursor 2", 32));
  const ivKey = Buffer.from(hkdfSync("sha256", secret, "", "cursor iv", 32));
  return {
    seal(list, place) {
      const text = JSON.stringify(place);
      const iv = createHmac("sha256", ivKey)
        .update(JSON.stringify([list, text]))
        .digest()
        .subarray(0, IV);
      const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG }).setAAD(Buffer.from(list));
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open(list, cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      if (bytes.length <= IV + TAG) throw httpErrors.badCursor();
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV), { authTagLength: TAG }).setAAD(Buffer.from(list));
        decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
        return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString());
      } catch {
        throw httpErrors.badCursor();
      }
    },
  };
}
