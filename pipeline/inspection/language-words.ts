// Tells whether a word may be one of a language, by its letters alone.

const LETTERS = /[\p{L}\p{M}]+/gu;

/** One-letter words beyond ASCII: à Paris, é, ó, å, ö. */
const ONE_LETTER = "àáâéèêíóôúåöøő";

/** `letters`: those beyond ASCII of a language, in lower case. A word has no others, in usual case. */
export function isLatinWord(word: string, letters: string): boolean {
  return hasLettersOnly(word) && partsOf(word).every((part) => isLatinPart(part, word, letters));
}

/**
 * Lithuanian has no ė behind a vowel, and a letter with a hook only before some consonants. Icelandic has no þ behind i or y, which is
 * where Turkish has its ş.
 */
const IMPOSSIBLE = /[aeouyąęėįųū]ė|[ąęįų][rmldbpvjfh]|[ąęįų]{2}|[iy]þ/u;

function isLatinPart(part: string, word: string, letters: string): boolean {
  const small = part.toLowerCase();
  const foreign = [...small.replace(/i̇/g, "i")].filter((letter) => letter > "\x7f");
  if (foreign.length === 0) return true;
  if ([...part].length === 1) return ONE_LETTER.includes(small) && !/\d/.test(word) && letters.includes(small);
  if (IMPOSSIBLE.test(small) || (part.length < 3 && part !== small && part === part.toUpperCase())) return false;
  return isCased(part, small) && foreign.every((letter) => letters.includes(letter));
}

const CYRILLIC = [
  "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
  "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
  "абвгдеёжзійклмнопрстуўфхцчшыьэюя",
  "абвгдђежзијклљмнњопрстћуфхцчџш",
  "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
];
const CYRILLIC_WORDS = "авийксоуяєізб";

/** Words have a vowel, or the r of Serbian; abbreviations are short. */
export function isCyrillicWord(word: string): boolean {
  return hasLettersOnly(word) && partsOf(word).every((part) => isCyrillicPart(part, word));
}

function isCyrillicPart(part: string, word: string): boolean {
  if (isAscii(part)) return true;
  const small = part.toLowerCase();
  if (small.length === 1) return (CYRILLIC_WORDS.includes(small) && !/\d/.test(word)) || (part !== small && word.includes(".")); // also initials
  const isOfOne = CYRILLIC.some((letters) => [...small].every((letter) => letters.includes(letter)));
  const hasVowel = part.length < 4 || /[аеёиоуыэюяіїєўр]/.test(small);
  return isOfOne && hasVowel && isCased(part, small) && !/^[ъьы]|[бвгджзклмнпстфхцчшщ]{6}/.test(small);
}

/** Every word of several syllables has an accent, unless it is in capitals. */
export function isGreekWord(word: string): boolean {
  return (
    hasLettersOnly(word) &&
    partsOf(word).every((part) => {
      if (isAscii(part)) return true;
      const small = part.toLowerCase();
      if (!/^[α-ωάέήίόύώϊϋΐΰ]+$/u.test(small) || !isCased(part, small)) return false;
      const isAccented = /[άέήίόύώΐΰ]/u.test(small);
      const vowels = small.match(/[αεηιουωϊϋ]/gu)?.length ?? 0;
      return !/ς./u.test(part) && (isAccented || part === part.toUpperCase() || vowels < 2);
    })
  );
}

export function isHebrewWord(word: string): boolean {
  const isFinal = (part: string) => /[ךםןףץ]./u.test(part); // these letters end a word
  return (
    hasLettersOnly(word) && partsOf(word).every((part) => isAscii(part) || (/^[א-ת][א-ת\u05b0-\u05c2]+$/u.test(part) && !isFinal(part)))
  );
}

export function isArabicWord(word: string): boolean {
  // The letters of TEH MARBUTA and ALEF MAKSURA end a word, and no word has a hamza behind another.
  const isOdd = (part: string) => /[ةى][\u0621-\u063a]|[ءآ]{2}|^[ةىئؤ]/u.test(part);
  const isPart = (part: string) => isAscii(part) || (/^[\u0621-\u06d3\u064b-\u0652]{2,}$/u.test(part) && !isOdd(part));
  return /^[^\0-\x7f\u0600-\u06ff]*$/u.test(word.replace(/[\0-\x7f\u0600-\u06ff]/gu, "")) && lettersFit(word, isPart);
}

/** Signs above and below stand on a consonant, and a vowel before it has one behind it. */
export function isThaiWord(word: string): boolean {
  const SYLLABLES =
    /^(?:[\u0e40-\u0e44]?[\u0e01-\u0e2e][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]{0,2}[\u0e30\u0e32\u0e33\u0e45\u0e46\u0e2f]?){2,}$/u;
  return lettersFit(word, (part) => isAscii(part) || SYLLABLES.test(part));
}

const WIDE = /[\u2e80-\u2fdf\u3001-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uffee]+/gu;

/**
 * Signs of Chinese, Japanese and Korean come in rows. One alone beside a Latin letter or a digit has perhaps swallowed the letter of
 * another encoding, and says nothing.
 */
export function isWideWord(word: string): boolean {
  if (/[^\0-\x7f]/.test(word.replace(WIDE, "").replace(/[\u3000-\u303f・·—–…“”‘’○◎●※→]/gu, ""))) return false;
  return [...word.matchAll(WIDE)].every(([run], i, runs) => {
    const from = (runs[i] as RegExpExecArray).index;
    const [before, after] = [word[from - 1] ?? "", word[from + run.length] ?? ""];
    if (/[a-z]/.test(before) || /[a-z]/.test(after) || (/[A-Za-z]/.test(before) && /[A-Za-z]/.test(after))) return false;
    return run.length > 1 || (!/[A-Za-z0-9]/.test(before) && !/[A-Za-z0-9]/.test(after));
  });
}

/** Returns the parts between hyphens, points, digits and the like. */
function partsOf(word: string): string[] {
  return word.match(LETTERS) ?? [];
}

function hasLettersOnly(word: string): boolean {
  return !/[^\0-\x7f]/.test(word.replace(LETTERS, ""));
}

/** Does as hasLettersOnly, for scripts of which some letters count as marks and digits. */
function lettersFit(word: string, isPart: (part: string) => boolean): boolean {
  return word.split(/[\0-@[-`{-\x7f]+/).every((part) => part === "" || isPart(part));
}

function isAscii(part: string): boolean {
  return /^[\0-\x7f]*$/.test(part);
}

/** Is true of small letters, of capitals, and of one capital at the beginning. */
function isCased(word: string, small: string): boolean {
  return word === small || word === word.toUpperCase() || word.slice(1) === small.slice(1);
}
