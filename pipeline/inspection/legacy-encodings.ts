// Guesses from its letters in which older encoding a text is. Loaded only for bytes that are not UTF-8.

import type { Encoding } from "../model/dialect.ts";
import { createDecoder } from "../reading/encoding.ts";
import { createIbmDecoder } from "../reading/ibm-tables.ts";

export interface PlausibleEncoding {
  encoding: Encoding;
  /** Words of the file as they read in this encoding. */
  sample: string;
}

// The letters beyond ASCII of languages, in lower case. A word belongs to a language that has all of its letters.
const WESTERN = ["äöüß", "àâæçéèêëîïôœùûü", "áéíñóúü", "àáâãçéêíóôõú", "àèéìíòóù", "åäöæøé", "áéëèïóöü", "šžäöõü"];
const CENTRAL = ["ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "äöüß", "ăâîşţ", "șțăâî"];
const LANGUAGES: Partial<Record<Encoding, readonly string[]>> = {
  "windows-1252": WESTERN,
  "windows-1250": CENTRAL,
  "windows-1254": ["çğıöşüâîû"],
  "ISO-8859-2": CENTRAL,
  "ISO-8859-15": WESTERN,
  macintosh: WESTERN,
  IBM850: WESTERN,
  IBM852: CENTRAL,
  "windows-1251": ["абвгдежзийклмнопрстуфхцчшщъыьэюяё", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", "абвгдђежзијклљмнњопрстћуфхцчџш"],
  "KOI8-R": ["абвгдежзийклмнопрстуфхцчшщъыьэюяё"],
  "windows-1253": ["αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"],
};

/** Leads of the common characters, and the least second byte. Rare characters are many where the encoding is another one. */
const COMMON: Partial<Record<Encoding, readonly [from: number, to: number, second: number][]>> = {
  "EUC-KR": [[0xb0, 0xc8, 0xa1]],
  Shift_JIS: [
    [0x82, 0x83, 0x40],
    [0x88, 0x97, 0x40],
  ],
  Big5: [[0xa4, 0xc6, 0x40]],
  GB18030: [[0xb0, 0xd7, 0xa1]],
};

const CLOSE = 0.1; // scores of which neither is better
const LEAST = 0.6; // below it nothing is known
const MOST_WORDS = 2_000;

/** The most plausible first; those behind it are as plausible and read otherwise. At least one. */
export function rankEncodings(bytes: Uint8Array): PlausibleEncoding[] {
  const lines = linesBeyondAscii(bytes);
  const scored: (PlausibleEncoding & { score: number })[] = [];
  for (const encoding of Object.keys(COMMON) as Encoding[]) add(encoding, scoreWide(lines, encoding));
  for (const encoding of Object.keys(LANGUAGES) as Encoding[]) add(encoding, scoreLetters(decode(lines, encoding) ?? "", encoding));
  function add(encoding: Encoding, score: number): void {
    if (score > 0) scored.push({ encoding, score, sample: sampleOf(decode(lines, encoding) ?? "") });
  }
  scored.sort((a, b) => b.score - a.score);
  const [best] = scored;
  const western = { encoding: "windows-1252" as const, sample: sampleOf(decode(lines, "windows-1252") ?? "") };
  if (!best) return [western];
  const near = best.score < LEAST ? [...scored.slice(0, 3), western] : scored.filter(({ score }) => score > best.score - CLOSE);
  // Where both read the same, the commoner name.
  const isWestern = decode(lines, "windows-1252") === decode(lines, best.encoding);
  const preferred = isWestern ? western : best;
  const others = near.filter(({ sample }, i) => sample !== preferred.sample && near.findIndex((one) => one.sample === sample) === i);
  return [preferred, ...others.slice(0, 3)].map(({ encoding, sample }) => ({ encoding, sample }));
}

/** The lines with a byte beyond ASCII, joined by LF. */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const kept: number[] = [];
  for (let from = 0; from < bytes.length && kept.length < 100_000; ) {
    let end = from;
    let isPlain = true;
    for (; end < bytes.length && bytes[end] !== 0x0a && bytes[end] !== 0x0d; end++) if ((bytes[end] as number) > 0x7f) isPlain = false;
    const isCut = end === bytes.length && kept.length > 0; // the last line may end within a character
    if (!isPlain && !isCut) kept.push(...bytes.subarray(from, Math.min(end, from + 10_000)), 0x0a);
    from = end + 1;
  }
  return new Uint8Array(kept);
}

function decode(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    const isIbm = encoding === "IBM850" || encoding === "IBM852";
    return (isIbm ? createIbmDecoder(encoding) : createDecoder(encoding)).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** The share of common characters among all that are not ASCII; 0 when the bytes are not of the encoding. */
function scoreWide(bytes: Uint8Array, encoding: Encoding): number {
  if (decode(bytes, encoding) === undefined) return 0;
  const ranges = COMMON[encoding] ?? [];
  let [all, common] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] as number;
    if (lead < 0x80) continue;
    all++;
    const second = bytes[at + 1] ?? 0;
    if (encoding === "Shift_JIS" && lead >= 0xa0 && lead <= 0xdf) continue; // half-width, on one byte
    if (ranges.some(([from, to, least]) => lead >= from && lead <= to && second >= least)) common++;
    at++;
  }
  return all === 0 ? 0 : common / all;
}

/** The share of words, of those with a character beyond ASCII, whose letters are of one language and in usual case. */
function scoreLetters(text: string, encoding: Encoding): number {
  const words = wordsOf(text);
  const right = words.filter((word) => isWord(word, LANGUAGES[encoding] ?? []));
  return words.length === 0 ? 0 : right.length / words.length;
}

const NEUTRAL = /[’‘“”„–—…•€£§°«»·®©™²³ªº¡¿\u00a0]/g;

function wordsOf(text: string): string[] {
  const words = text.split(/[\s,;|"'()/.:&+\-0-9]+/).flatMap((word) => word.replace(/^[“„‘«]|[’”»…€£]$/g, "").split(/[’–—\u00a0]/));
  return words.filter((word) => /[^\0-\x7f]/.test(word) && word.replace(NEUTRAL, "") !== "").slice(0, MOST_WORDS);
}

function isWord(word: string, languages: readonly string[]): boolean {
  const small = word.toLowerCase();
  const isCased = word === small || word === word.toUpperCase() || word.slice(1) === small.slice(1);
  const foreign = [...small.replace(/i̇/g, "i")].filter((letter) => letter > "\x7f");
  const isMixed = /[a-z]/.test(small) && /[\u0370-\u04ff]/.test(small);
  return isCased && !isMixed && word.length > 1 && languages.some((letters) => foreign.every((letter) => letters.includes(letter)));
}

function sampleOf(text: string): string {
  return [...new Set(wordsOf(text))].slice(0, 6).join(" · ").slice(0, 120);
}
