// Tells quickly that a text needs no cleaning, which is so for nearly every cell of a file.

// Control characters, bidi embeddings, overrides and isolates (UAX #9), halves of surrogate pairs, and U+FFFE and U+FFFF, which are no
// characters: the first stands for wrong bytes of a file. ZWJ and ZWNJ are allowed: several scripts need them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
export const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff\p{Cs}]/u;
// Nobody sees them, so at an end they are a slip, and two unique values with and without one look the same. Inside other texts they
// stay: Khmer and Thai end words with the first.
export const INVISIBLE = /[\u200b\u2060\ufeff]/;

/** By UTF-16 unit, as they are met: most texts of an organisation have a hundred different ones. */
const KINDS = new Uint8Array(0x10000);
const CLEAN = 1;
const SPACE = 2; // clean, but not at an end
const OTHER = 3;

// NFC changes a text only where a character of its own is changed, or a mark or a part of a Hangul syllable follows (UAX #15, table 4).
const COMBINES = /[\p{M}\u1100-\u11ff]/u;

function kindOf(unit: number): number {
  const text = String.fromCharCode(unit);
  const isOther = FORBIDDEN.test(text) || INVISIBLE.test(text) || COMBINES.test(text) || text.normalize("NFC") !== text;
  const kind = isOther ? OTHER : text.trim() === "" ? SPACE : CLEAN;
  KINDS[unit] = kind;
  return kind;
}

/**
 * True: the text is trimmed and in NFC, and has neither a forbidden nor an invisible character. False: perhaps not. A text of a script
 * with marks, or with a character beyond U+FFFF, is looked at more closely.
 */
export function isClean(text: string): boolean {
  const end = text.length - 1;
  for (let i = 0; i <= end; i++) {
    const unit = text.charCodeAt(i);
    const kind = KINDS[unit] || kindOf(unit);
    if (kind === OTHER || (kind === SPACE && (i === 0 || i === end))) return false;
  }
  return true;
}
