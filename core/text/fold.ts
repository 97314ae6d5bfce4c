// Text as people search and sort it: case and accents taken off. One folding for search, sort and column matching.

// Letters that Unicode does not decompose, though people type them without the stroke or ligature; apostrophes of names.
const PLAIN: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  þ: "th",
  ŋ: "n",
  "’": "'",
  ʼ: "'",
};
const SPECIAL = /[ßæœøđðłħıþŋ’ʼ]/g;
const ASCII = /^[\x20-\x7e]*$/;

// Names come again, and a service folds each text to sort it and to search it. Emptied when full.
const KNOWN_TEXTS = 1_000;
const LONGEST_KNOWN = 100; // UTF-16 units
const known = new Map<string, string>();

/** Lower case without accents: `fold("Ångström") === "angstrom"`. The same text always folds the same (NFKD, UAX #15). */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  if (text.length > LONGEST_KNOWN) return foldAnew(text);
  let folded = known.get(text);
  if (folded === undefined) {
    folded = foldAnew(text);
    if (known.size >= KNOWN_TEXTS) known.clear();
    known.set(text, folded);
  }
  return folded;
}

function foldAnew(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** The folded words of a text: runs of letters and digits. `"van 't Hoff"` gives van, t, hoff. */
export function foldWords(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
