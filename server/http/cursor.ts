// Cursors of lists: a place as opaque text. Encrypted, because it holds field values, and bound to its list.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import type { Value } from "../../core/dictionary/kinds.ts";
import { httpErrors } from "./errors.ts";

/** The sort values of a record; the page holds the rows after it, or those before it. */
export type Place = { after: readonly (Value | null)[] } | { before: readonly (Value | null)[] };

export interface Cursors {
  /** `list` identifies the list: collection, order, filters and search. */
  seal(list: string, place: Place): string;
  /** Throws BAD_CURSOR for text that `seal` did not make for the same list. */
  open(list: string, cursor: string): Place;
}

// The IV is derived from the plaintext, as in RFC 5297: the same place always has the same cursor, so that HEAD has the Link and the
// compressed Content-Length of GET. 96 bits are enough for 2^32 places for each key (NIST SP 800-38D section 8.3).
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function createCursors(secret: Buffer): Cursors {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "cursor 2", 32));
  const ivKey = Buffer.from(hkdfSync("sha256", secret, "", "cursor iv", 32));
  return {
    seal(list, place) {
      const text = JSON.stringify(place);
      const iv = createHmac("sha256", ivKey)
        .update(JSON.stringify([list, text]))
        .digest()
        .subarray(0, IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(list));
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open(list, cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      if (bytes.length <= IV_BYTES + TAG_BYTES) throw httpErrors.badCursor();
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES }).setAAD(
          Buffer.from(list),
        );
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString());
      } catch {
        throw httpErrors.badCursor();
      }
    },
  };
}
