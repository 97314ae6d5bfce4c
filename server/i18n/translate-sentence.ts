// Translates an English sentence of the service by its template, which gives back what its placeholders were.

/** English template → translation. A translation may leave placeholders out. */
export type Texts = Readonly<Record<string, string>>;

/** Maps what the data dictionary says in its own language to the reader's. A value that is written like a title is none: labels are apart. */
export interface Words {
  /** Titles, nouns and messages of rules. */
  names: ReadonlyMap<string, string>;
  labels: ReadonlyMap<string, string>;
}

/** Returns the translation; undefined for a sentence that no template fits. */
export type Translate = (sentence: string, words: Words) => string | undefined;

interface Template {
  /** Holds what stands around the placeholders, and between them. */
  fixed: readonly string[];
  /** Names the placeholders, in their order. */
  names: readonly string[];
  translation: string;
  /** Characters that are no placeholder: the template with most of them means the sentence. */
  weight: number;
}

/** Stand for titles and nouns of the dictionary, which are translated by themselves. */
const OF_DICTIONARY = new Set(["title", "noun", "key", "other", "same", "field", "child", "collection"]);
/** Stand for phrases that have templates of their own: half a sentence in English would help nobody. */
const PHRASES = new Set(["form", "kind", "place"]);

const LONGEST = 4_000; // characters of a sentence; a longer one lists names, and stays
const MOST_SENTENCES = 12; // of one text
export const NO_WORDS: Words = { names: new Map(), labels: new Map() };

/** Later tables come before earlier ones. */
export function createTranslate(...tables: readonly Texts[]): Translate {
  const known = new Map(tables.flatMap((texts) => Object.entries(texts)));
  const templates = [...known].map(readTemplate).filter(({ names }) => names.length > 0);
  templates.sort((a, b) => b.weight - a.weight);

  /** Translates one sentence or phrase. */
  function translateOne(text: string, words: Words): string | undefined {
    const whole = words.names.get(text) ?? known.get(text);
    if (whole !== undefined) return whole;
    for (const template of templates) {
      const found = valuesIn(text, template.fixed);
      const values = found && translateValues(template.names, found, words);
      if (values) return template.translation.replace(/\{(\w+)\}/g, (mark, name: string) => values.get(name) ?? mark);
    }
    return undefined;
  }

  /** Returns undefined where a phrase has no translation. */
  function translateValues(names: readonly string[], given: readonly string[], words: Words): Map<string, string> | undefined {
    const values = new Map<string, string>();
    for (const [i, name] of names.entries()) {
      const value = translateValue(name, given[i] ?? "", words);
      if (value === undefined) return undefined;
      values.set(name, value);
    }
    return values;
  }

  function translateValue(name: string, given: string, words: Words): string | undefined {
    if (PHRASES.has(name)) return translateOne(given, NO_WORDS);
    if (name === "why") return eachOf(given, ". ", (one) => translateOne(one, words));
    if (name === "values") return eachOf(given, ", ", (one) => words.labels.get(one));
    return OF_DICTIONARY.has(name) ? translateTitle(given, words) : given;
  }

  /** Translates a title, several that are unique together, or that of one value of several. */
  function translateTitle(given: string, words: Words): string {
    const [, title, n] = /^(.*), value (\d+)$/s.exec(given) ?? [];
    if (title !== undefined)
      return (known.get("{title}, value {n}") ?? given).replace("{title}", translateTitle(title, words)).replace("{n}", n ?? "");
    return words.names.get(given) ?? eachOf(given, " + ", (one) => words.names.get(one) ?? known.get(one));
  }

  return function translate(sentence, words): string | undefined {
    if (sentence.length > LONGEST) return undefined;
    const one = translateOne(sentence, words);
    if (one !== undefined) return one;
    const ends = [...sentence.matchAll(/[.?!] (?=\P{Ll})/gu)].map(({ index }) => index + 1);
    if (ends.length > MOST_SENTENCES) return undefined;
    const failed = new Set<number>(); // where what follows is not known: each rest is tried once
    /** Translates several sentences: the longest beginning that is known, and what follows it. */
    function translateFrom(start: number): string | undefined {
      const rest = start === 0 ? undefined : translateOne(sentence.slice(start), words);
      if (rest !== undefined) return rest;
      for (const end of ends.filter((at) => at > start).reverse()) {
        if (failed.has(end + 1)) continue;
        const begun = translateOne(sentence.slice(start, end), words);
        const after = begun === undefined ? undefined : translateFrom(end + 1);
        if (after !== undefined) return `${begun} ${after}`;
      }
      failed.add(start);
      return undefined;
    }
    return translateFrom(0);
  };
}

function eachOf(given: string, between: string, translate: (one: string) => string | undefined): string {
  return given
    .split(between)
    .map((one) => translate(one) ?? one)
    .join(between);
}

function readTemplate([text, translation]: readonly [string, string]): Template {
  const pieces = text.split(/\{(\w+)\}/);
  const fixed = pieces.filter((_, i) => i % 2 === 0);
  return { fixed, names: pieces.filter((_, i) => i % 2 === 1), translation, weight: fixed.join("").length };
}

/** Returns what stands between these pieces in the text, each at least a character long; undefined where it lacks them in this order. */
function valuesIn(text: string, fixed: readonly string[]): string[] | undefined {
  const [first = "", ...others] = fixed;
  const last = others.pop() ?? "";
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const piece of others) {
    const next = text.indexOf(piece, at + 1);
    if (next === -1) return undefined;
    values.push(text.slice(at, next));
    at = next + piece.length;
  }
  const end = text.length - last.length;
  return end > at ? [...values, text.slice(at, end)] : undefined;
}
