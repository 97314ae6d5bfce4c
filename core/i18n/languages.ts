// The languages that the app speaks, and which of them this browser's user wants. Fetches a catalogue only where it is spoken.

import { type Catalogue, currentCatalogue } from "./translate.ts";

/** "pseudo": every text in «…», from right to left; for tests of the screens, not offered to anybody. */
export const LANGUAGES = ["en", "de", "pseudo"] as const;
export type Language = (typeof LANGUAGES)[number];

/** `wanted`: the setting, "system" or a language. `system`: the browser's tags, the best one first. public/appearance.js does the same. */
export function chooseLanguage(wanted: string, system: readonly string[]): Language {
  const known = (tag: string) => LANGUAGES.find((language) => language === tag);
  return known(wanted) ?? system.map((tag) => known(tag.split("-")[0] as string)).find(Boolean) ?? "en";
}

/** How numbers are written unless the user says so: as the browser does (`browser`: its tag), or as in the language that was chosen against the browser's. */
export function usualLocale(wanted: string, browser: string): string {
  const { language } = currentCatalogue();
  return wanted !== "system" && language === "de" && !browser.startsWith(language) ? language : "";
}

/** English needs none. A catalogue that cannot be fetched leaves the app in English too: that is better than no app. */
export async function openCatalogue(language: Language): Promise<Catalogue | undefined> {
  try {
    if (language === "de") return { language, texts: (await import("./de.json")).default };
    if (language === "pseudo") return (await import("./pseudo.ts")).PSEUDO;
  } catch {
    // See above.
  }
}
