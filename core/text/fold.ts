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
  ς: "σ",
  "’": "'",
  ʼ: "'",
};
// Marks, and what nobody sees (Default_Ignorable_Code_Point, UAX #44). Joiners stay: they part words of some scripts.
const UNHEARD = /[\p{M}\u{e0000}-\u{e0fff}]+|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu;
const SPECIAL = /[ßæœøđðłħıþŋς’ʼ]/g;
export const ASCII = /^[\x20-\x7e]*$/;

/** Returns the lower case without accents: `fold("Ångström") === "angstrom"`. The same text always folds the same (NFKD, UAX #15). */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(UNHEARD, "")
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** Returns the folded words of a text: runs of letters and digits. `"van 't Hoff"` gives van, t, hoff. */
export function foldWords(text: string): string[] {
  return wordsIn(fold(text));
}

/** Returns the words of a name. "ä", "ae" and "a" are the same, and so are "ö" and "ü" with theirs. */
export function nameWords(text: string): string[] {
  return foldWords(text).map((word) => word.replace(/([aou])e/g, "$1"));
}

/** Returns the words of a text that is folded already. */
export function wordsIn(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
