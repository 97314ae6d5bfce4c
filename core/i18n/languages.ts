import { type Catalogue, currentCatalogue, SOURCE_LANGUAGE } from "./translate.ts";

interface LanguageEntry {
  /** Is written in the language itself, so that whoever reads no other finds it. Without a name the settings do not offer it. */
  name?: string;
  direction?: "rtl";
  /** A noun of another language is written with a capital letter, too: "Employee anlegen". */
  capitalizesNouns?: true;
  /** Without it the sentences are already written in this language. */
  load?: () => Promise<Catalogue["texts"]>;
}

/**
 * Every language of the app, by its BCP 47 tag. A new language is its catalogue and one line here: the settings, the page that
 * shows while the app loads and the tests follow. `pseudo` puts every text in «…», right to left, for tests of the screens.
 */
const TABLE = {
  en: { name: "English" },
  de: { name: "Deutsch", capitalizesNouns: true, load: async () => (await import("./de.json", { with: { type: "json" } })).default },
  pseudo: { direction: "rtl", load: async () => (await import("./pseudo.ts")).PSEUDO_TEXTS },
} satisfies Record<string, LanguageEntry>;

export type Language = keyof typeof TABLE;
export const LANGUAGES: Readonly<Record<Language, LanguageEntry>> = TABLE;
export const LANGUAGE_TAGS = Object.keys(TABLE) as Language[];

export function isLanguage(tag: unknown): tag is Language {
  return LANGUAGE_TAGS.includes(tag as Language);
}

/** `wanted`: the setting, "system" or a language. `system`: the browser's tags, the best one first. public/appearance.js does the same. */
export function chooseLanguage(wanted: string, system: readonly string[]): Language {
  return [wanted, ...system.map((tag) => tag.split("-")[0])].find(isLanguage) ?? SOURCE_LANGUAGE;
}

/**
 * Returns the BCP 47 tag by which numbers are written unless the user chose one. Empty: as the browser does, whose tag is `browser`. A
 * translated language that was chosen against the browser's brings its own way of writing.
 */
export function usualLocale(wanted: string, browser: string): string {
  const { language } = currentCatalogue();
  const isTranslated = isLanguage(language) && LANGUAGES[language].name !== undefined && language !== SOURCE_LANGUAGE;
  return wanted !== "system" && isTranslated && !browser.startsWith(language) ? language : "";
}

/** Returns undefined for the source language, and where the catalogue cannot be fetched: an app in English is better than none. */
export async function openCatalogue(language: Language): Promise<Catalogue | undefined> {
  const texts = await LANGUAGES[language].load?.().catch(() => undefined);
  return texts && { language, texts };
}
