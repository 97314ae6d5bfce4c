// Translates what people read. The English sentence is the key of every catalogue.

/** The language that the sentences in the code are written in. */
export const SOURCE_LANGUAGE = "en";

/**
 * `texts`: English sentence → translation, or null if it stays as it is; for a plural, its English `other` form → its forms. Plain
 * data: it is posted to the worker.
 */
export interface Catalogue {
  /** A BCP 47 tag. */
  language: string;
  texts: Readonly<Record<string, string | Forms | null>>;
}

export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** Holds what takes the place of `{name}`. */
export type Values = Readonly<Record<string, string | number | undefined>>;

const ENGLISH: Catalogue = { language: SOURCE_LANGUAGE, texts: {} };

// Module state is an exception here: a page or a worker sets its language once, before it writes any text, and an argument for it
// would stand in nearly every function. The service sets none and answers in English; its mails use inCatalogue.
let catalogue = ENGLISH;
let plurals: Intl.PluralRules | undefined; // made once: a file in which every row is wrong needs it a million times

/** Call it once, before the first text. Without a catalogue the texts are English. */
export function setCatalogue(currentCatalogue: Catalogue = ENGLISH): void {
  catalogue = currentCatalogue;
  plurals = undefined;
}

/** Returns what `write` makes in the language of another catalogue. `write` must not wait for anything: meanwhile all texts would be in it. */
export function inCatalogue<T>(other: Catalogue | undefined, write: () => T): T {
  const before = catalogue;
  setCatalogue(other);
  try {
    return write();
  } finally {
    setCatalogue(before);
  }
}

export function currentCatalogue(): Catalogue {
  return catalogue;
}

/**
 * Returns the translation of an English sentence, with its placeholders filled.
 *
 * @example t("Up to {n} characters.", { n: 5 }) // "Up to 5 characters."
 */
export function t(text: string, values?: Values): string {
  const found = catalogue.texts[text];
  return fill(typeof found === "string" ? found : text, values);
}

/**
 * Returns the form of a sentence that a number needs. `{n}` is the number, unless `values` has another text for it.
 *
 * @example tCount(2, "{n} row", "{n} rows") // "2 rows"
 */
export function tCount(n: number, one: string, other: string, values?: Values): string {
  const forms = catalogue.texts[other];
  if (typeof forms !== "object" || !forms) return fill(n === 1 ? one : other, { n, ...values });
  plurals ??= new Intl.PluralRules(catalogue.language);
  return fill(forms[plurals.select(n)] ?? forms.other ?? other, { n, ...values });
}

/** Writes a number as the language writes it. */
export function tNumber(n: number): string {
  return n.toLocaleString(catalogue.language);
}

/** Marks a sentence that is translated later, such as one in a table, so that the catalogue test finds it. */
export function message<T extends string>(text: T): T {
  return text;
}

/** Returns the translation for an error code of the service; `or`, usually its English sentence, when the catalogue has none. */
export function tCode(code: string, or: string, values?: Values): string {
  const found = catalogue.texts[code];
  return typeof found === "string" ? fill(found, values) : or;
}

/** Writes a title inside a sentence. English writes "Last name" in small letters there, but not "ID number"; other languages keep it as it is. */
export function inSentence(title: string): string {
  const isSmall = catalogue.language === SOURCE_LANGUAGE && /^\p{Lu}\p{Ll}/u.test(title);
  return isSmall ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

const splitTexts = new Map<string, string[]>(); // each sentence is split once, however many rows it is used for

/**
 * Puts values in the place of their names in braces. A name without a value stays: it may mark an element, such as `{b}`.
 *
 * @example fill("{name} is taken", { name: "A7" }) // "A7 is taken"
 */
export function fill(text: string, values: Values = {}): string {
  const pieces = splitTexts.get(text) ?? text.split(/[{}]/);
  splitTexts.set(text, pieces);
  let filled = pieces[0] as string;
  for (let i = 1; i < pieces.length; i += 2) filled += (values[pieces[i] as string] ?? `{${pieces[i]}}`) + (pieces[i + 1] as string);
  return filled;
}
