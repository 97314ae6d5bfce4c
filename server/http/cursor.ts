// Cursors of lists: a place as opaque text. Encrypted, because it holds field values, and bound to its list.

import { createHmac } from "node:crypto";
import type { Value } from "../../core/dictionary/kinds.ts";
import { deriveKeys, type MasterSecrets } from "../engine/secrets/master-secrets.ts";
import { IV_BYTES, openText, sealText } from "../engine/secrets/sealed-text.ts";
import { httpErrors } from "./errors.ts";

export const MAX_CURSOR = 4_000; // characters

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
export function createCursors(secrets: MasterSecrets): Cursors {
  const keys = deriveKeys(secrets, "cursor 2");
  const [ivKey] = deriveKeys(secrets, "cursor iv");
  return {
    seal(list, place) {
      const text = JSON.stringify(place);
      const iv = createHmac("sha256", ivKey)
        .update(JSON.stringify([list, text]))
        .digest()
        .subarray(0, IV_BYTES);
      return sealText(keys[0], iv, text, list);
    },
    open(list, cursor) {
      const text = openText(keys, cursor, list);
      if (text === undefined) throw httpErrors.badCursor();
      return JSON.parse(text);
    },
  };
}
