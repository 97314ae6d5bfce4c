// Tells quickly that a text needs no cleaning, which is so for nearly every cell of a file.

// Control characters, bidi embeddings, overrides and isolates (UAX #9), halves of surrogate pairs, and U+FFFE and U+FFFF, which are no
// characters: the first stands for wrong bytes of a file. ZWJ and ZWNJ are allowed: several scripts need them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
export const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff\p{Cs}]/u;
// Nobody sees them, so a text with one looks like the same text without it, and is not found: the default-ignorable code points (UAX #44)
// but for joiners, variation selectors, fillers of Hangul syllables and tags, which change what is shown.
export const INVISIBLE = /\u034f|\u17b4|\u17b5|[\u00ad\u061c\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufff8]/;

const ALL_INVISIBLE = new RegExp(INVISIBLE.source, "g");
const OF_WORD_ENDS = "\u200b"; // Khmer, Lao, Burmese and Thai write words without spaces, and end them with it
const WITHOUT_SPACES = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/;
const OF_DIRECTION = "\u200e\u200f\u061c\u034f"; // marks beside text from right to left
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Returns the text without the characters that nobody sees, but for those that mean something in its script; trimmed. */
export function withoutInvisible(text: string): string {
  if (!INVISIBLE.test(text)) return text;
  const kept = (WITHOUT_SPACES.test(text) ? OF_WORD_ENDS : "") + (RIGHT_TO_LEFT.test(text) ? OF_DIRECTION : "");
  const outer = kept === "" ? /^\s+|\s+$/g : new RegExp(`^[\\s${kept}]+|[\\s${kept}]+$`, "g");
  return text.replace(ALL_INVISIBLE, (character) => (kept.includes(character) ? character : "")).replace(outer, "");
}

/** Keeps them by UTF-16 unit, as they are met: most texts of an organisation have a hundred different ones. */
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
