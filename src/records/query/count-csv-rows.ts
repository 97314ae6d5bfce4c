// Counts the rows of a CSV file while its bytes pass through.

const [QUOTE, NEWLINE] = [0x22, 0x0a];

export interface RowCounter {
  add(bytes: Uint8Array): void;
  /** Counts complete rows so far, without the heading. */
  rows(): number;
}

/** A line break within double quotes does not end a row (RFC 4180 section 2.6). */
export function createRowCounter(): RowCounter {
  let lines = 0;
  let isQuoted = false;
  return {
    add(bytes) {
      for (const byte of bytes) {
        if (byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === NEWLINE && !isQuoted) lines++;
      }
    },
    rows: () => Math.max(0, lines - 1),
  };
}
