// What people read, in their language: the English sentence is the key of the catalogue that says it otherwise. Knows no sentence itself.

/** `texts`: English sentence → sentence; of a plural the English `other` → its forms. Plain data, so that a worker can be told. */
export interface Catalogue {
  /** A BCP 47 tag. */
  language: string;
  texts: Readonly<Record<string, string | Forms>>;
}

export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** What takes the place of `{name}`. */
export type Values = Readonly<Record<string, string | number | undefined>>;

const ENGLISH: Catalogue = { language: "en", texts: {} };

// State of a module, against the house's rule: a language is set once for a whole world (a page, a worker) before anything
// is said, and an argument for it would stand in every function that says something. The service sets none and speaks English.
let catalogue = ENGLISH;
let plurals: Intl.PluralRules | undefined; // made once: a wholly wrong file asks a million times

/** Once, before the first sentence. */
export function setCatalogue(currentCatalogue: Catalogue = ENGLISH): void {
  catalogue = currentCatalogue;
  plurals = undefined;
}

export function currentCatalogue(): Catalogue {
  return catalogue;
}

/** The sentence in the language that is spoken; without a catalogue as it is written here. */
export function t(text: string, values?: Values): string {
  const found = catalogue.texts[text];
  return fill(typeof found === "string" ? found : text, values);
}

/** The form that a number needs; `{n}` is the number as it is, unless the values say it. */
export function tCount(n: number, one: string, other: string, values?: Values): string {
  const forms = catalogue.texts[other];
  if (typeof forms !== "object") return fill(n === 1 ? one : other, { n, ...values });
  plurals ??= new Intl.PluralRules(catalogue.language);
  return fill(forms[plurals.select(n)] ?? forms.other ?? other, { n, ...values });
}

/** A number as the language writes it. */
export function tNumber(n: number): string {
  return n.toLocaleString(catalogue.language);
}

/** Marks a sentence that stands in a table and is said later, so that catalogues are held to it. */
export function message<T extends string>(text: T): T {
  return text;
}

/** Our own words for what the service says in English; `or` when there are none for its code. */
export function tCode(code: string, or: string, values?: Values): string {
  const found = catalogue.texts[code];
  return typeof found === "string" ? fill(found, values) : or;
}

/** A name or title as it stands within a sentence: in English "Last name" goes on in small letters, "ID number" does not. */
export function inSentence(title: string): string {
  const isSmall = catalogue.language === "en" && /^\p{Lu}\p{Ll}/u.test(title);
  return isSmall ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

const cut = new Map<string, string[]>(); // each sentence once, however many rows it is said of

/** Names without a value stay as they are: they may be marks of elements. */
export function fill(text: string, values: Values = {}): string {
  const pieces = cut.get(text) ?? text.split(/[{}]/);
  cut.set(text, pieces);
  let filled = pieces[0] as string;
  for (let i = 1; i < pieces.length; i += 2) filled += (values[pieces[i] as string] ?? `{${pieces[i]}}`) + (pieces[i + 1] as string);
  return filled;
}
