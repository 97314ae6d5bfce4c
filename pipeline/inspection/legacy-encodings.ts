// Guesses from its words in which older encoding a text is. Loaded only for bytes that are not UTF-8.

import type { Encoding } from "../model/dialect.ts";
import { createDecoder } from "../reading/encoding.ts";
import { createIbmDecoder } from "../reading/ibm-tables.ts";
import { isArabicWord, isCyrillicWord, isGreekWord, isHebrewWord, isLatinWord, isThaiWord, isWideWord } from "./language-words.ts";
import { withoutMarks } from "./neutral-marks.ts";

export interface PlausibleEncoding {
  encoding: Encoding;
  /** Words of the file as they read in this encoding. */
  sample: string;
}

// The letters beyond ASCII of languages, in lower case.
const WESTERN = [
  "äöüß",
  "àâæçéèêëîïôœùûüÿ",
  "áéíñóúü",
  "àáâãçéêíóôõúü",
  "àèéìíîòóù",
  "åäöæøé",
  "áàâéèëêïíîóòöôúûüä",
  "áðéíóúýþæöø",
  "àçèéíïòóúü",
  "šžäöõü",
  "çë",
];
const CENTRAL = ["ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "äöüß", "ăâîşţ", "ăâîșț", "çë"];
const TURKISH = ["çğıöşüâîû", "äöüß"];
const BALTIC = ["ąčęėįšųūž", "āčēģīķļņōŗšūž", "äöõüšž", "ąćęłńóśźż", "äöüß"];

type IsWord = (word: string) => boolean;

/** The texts that an encoding is used for. Each entry of `languages` says whether a word may be one of that language. */
interface Written {
  languages: readonly IsWord[];
  /** The weight of a word that is right in another language than most are. Western files often have names of several languages. */
  inOthers: number;
  /** Only Italian has accents at the ends of words alone. */
  hasItalian: boolean;
}

const latin = (languages: readonly string[]): Written => ({
  languages: languages.map((letters) => (word) => isLatinWord(word, letters)),
  inOthers: languages === WESTERN ? 0.85 : 0.35,
  hasItalian: languages === WESTERN,
});
const script = (isWord: IsWord): Written => ({ languages: [isWord], inOthers: 0, hasItalian: true });

/** They stand in the order in which an encoding is preferred among equals. */
const WORDS: Partial<Record<Encoding, Written>> = {
  "windows-1252": latin(WESTERN),
  "windows-1250": latin(CENTRAL),
  "windows-1254": latin(TURKISH),
  "windows-1257": latin(BALTIC),
  "ISO-8859-2": latin(CENTRAL),
  "ISO-8859-15": latin(WESTERN),
  macintosh: latin(WESTERN),
  IBM850: latin(WESTERN),
  IBM852: latin(CENTRAL),
  "windows-1251": script(isCyrillicWord),
  "KOI8-R": script(isCyrillicWord),
  "windows-1253": script(isGreekWord),
  "windows-1255": script(isHebrewWord),
  "windows-1256": script(isArabicWord),
  "windows-874": script(isThaiWord),
  Shift_JIS: script(isWideWord),
  GB18030: script(isWideWord),
  Big5: script(isWideWord),
  "EUC-KR": script(isWideWord),
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
const ENOUGH = 3; // different words that are right; with fewer a person is asked, unless it is the commonest encoding
const AT_ENDS = 0.8; // what all words count where their accents stand at the ends, and that is not usual
const MOST_WORDS = 2_000;
const MOST_CHOICES = 6;
const MOST_SAMPLED = 120; // characters

interface Reading {
  encoding: Encoding;
  text: string;
  /** The different words beyond ASCII. */
  words: string[];
  /** The share of the words beyond ASCII that are right. */
  score: number;
  /** Counts the different words that are right. */
  evidence: number;
}

/**
 * Puts the most plausible encoding first. Others behind it read the bytes otherwise, and a person must choose: they are as plausible, or
 * there is little evidence. Windows-1252, the commonest of all, is then always among them.
 */
export function rankEncodings(bytes: Uint8Array): PlausibleEncoding[] {
  const lines = linesBeyondAscii(bytes);
  const readings = (Object.keys(WORDS) as Encoding[]).flatMap((encoding) => readAs(lines, encoding) ?? []);
  const western = readings.find(({ encoding }) => encoding === "windows-1252") as Reading; // it has no wrong bytes
  const ranked = readings.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  const top = ranked[0] ?? western;
  const best = top.text === western.text ? western : top; // where both read the same, the commoner name
  const isKnown = top.score >= LEAST;
  const near = isKnown ? ranked.filter(({ score }) => score > top.score - CLOSE) : ranked.slice(0, MOST_CHOICES - 1);
  const isSure = isKnown && (best === western || best.evidence >= ENOUGH) && near.every(({ text }) => text === best.text);
  const choices = isSure ? [best] : differing([best, western, ...near]);
  return choices.map((choice) => ({ encoding: choice.encoding, sample: sampleOf(choice, choices) }));
}

const SAMPLED = 6; // words

/** Returns the first words of the reading, those before the others that not all of them have: by them a person sees which one is right. */
function sampleOf({ words }: Reading, all: readonly Reading[]): string {
  const isShared = (word: string, at: number) => all.every((one) => one.words[at] === word);
  const apart = words.filter((word, at) => !isShared(word, at));
  return [...new Set([...apart, ...words])].slice(0, SAMPLED).join(" · ").slice(0, MOST_SAMPLED);
}

/** Returns each text once, the first of those that read alike. */
function differing(readings: readonly Reading[]): Reading[] {
  return readings.filter(({ text }, i) => readings.findIndex((one) => one.text === text) === i).slice(0, MOST_CHOICES);
}

/** Returns undefined when the bytes are not of the encoding. */
function readAs(lines: Uint8Array, encoding: Encoding): Reading | undefined {
  const text = decode(lines, encoding);
  if (text === undefined) return undefined;
  const { languages, inOthers, hasItalian } = WORDS[encoding] as Written;
  const words = wordsOf(text);
  const rightIn = languages.map((isWord) => new Set(words.filter((word) => isRight(word, isWord))));
  const right = words.filter((word) => rightIn.some((known) => known.has(word)));
  const most = Math.max(0, ...rightIn.map(({ size }) => size));
  const isAtEnds = !hasItalian && right.length >= ENOUGH && right.every((word) => /^[\0-\x7f]*[^\0-\x7f]$/.test(word));
  const counted = (most + (right.length - most) * inOthers) * (isAtEnds ? AT_ENDS : 1);
  const share = words.length === 0 ? 0 : counted / words.length;
  const score = share * (encoding in COMMON ? shareOfCommon(lines, encoding) : 1);
  return { encoding, text, score, evidence: right.length, words };
}

/** Signs that every language uses stand where they belong, and what is left beside them are words. */
function isRight(word: string, isWord: IsWord): boolean {
  const rest = withoutMarks(word);
  return rest?.split(" ").every((part) => !BEYOND_ASCII.test(part) || isWord(part)) ?? false;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Returns the different words with a character beyond ASCII. A no-break space is part of a word here: it is one of the signs that are judged. */
function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const word of text.split(/[ \t\r\n,;|"()[\]{}/\\:&=<>]+/)) {
    if (BEYOND_ASCII.test(word)) words.add(word);
    if (words.size === MOST_WORDS) break;
  }
  return [...words];
}

/** Returns the lines with a byte beyond ASCII, joined by LF. */
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
    return undefined; // the bytes are not of this encoding, which is an answer
  }
}

/** Returns the share of common characters among all that are not ASCII. */
function shareOfCommon(bytes: Uint8Array, encoding: Encoding): number {
  const ranges = COMMON[encoding] ?? [];
  const pairs: [lead: number, second: number][] = [];
  let [all, common] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] as number;
    if (lead < 0x80) continue;
    all++;
    const second = bytes[at + 1] ?? 0;
    if (encoding === "Shift_JIS" && lead >= 0xa0 && lead <= 0xdf) continue; // half-width, on one byte
    if (ranges.some(([from, to, least]) => lead >= from && lead <= to && second >= least)) common++;
    pairs.push([lead, second]);
    at++;
  }
  return all === 0 ? 0 : (common / all) * (looksKorean(pairs, encoding) ? KOREAN : 1);
}

const KOREAN = 0.8; // makes a text less likely Chinese that has the bytes of Korean alone

/** Chinese in GB18030 has common characters behind the leads of Korean, too, and in Big5 second bytes that are ASCII. */
function looksKorean(pairs: readonly (readonly [lead: number, second: number])[], encoding: Encoding): boolean {
  if (encoding === "GB18030") return pairs.every(([lead]) => lead <= 0xc8 || lead > 0xd7);
  return encoding === "Big5" && pairs.every(([, second]) => second > 0xa0);
}
