import { LANGUAGE_TAGS, LANGUAGES, openCatalogue } from "./languages.ts";

/**
 * Writes the languages into index.html, whose page is painted before the app is there: `data-languages` and `data-rtl` on the root
 * element for public/appearance.js, and each `<span lang="en">` once more, hidden, in every language that has a name.
 * Throws where a catalogue lacks one of these texts.
 */
export async function writeLanguages(html: string): Promise<string> {
  const rightToLeft = LANGUAGE_TAGS.filter((tag) => LANGUAGES[tag].direction === "rtl");
  const attributes = `data-languages="${LANGUAGE_TAGS.join(" ")}" data-rtl="${rightToLeft.join(" ")}"`;
  const catalogues = (await Promise.all(LANGUAGE_TAGS.filter((tag) => LANGUAGES[tag].name).map(openCatalogue))).filter(
    (one) => one !== undefined,
  );
  return html.replace("<html ", `<html ${attributes} `).replace(/<span lang="en">([^<]*)<\/span>/g, (english, text: string) => {
    const translated = catalogues.map(({ language, texts }) => {
      if (typeof texts[text] !== "string") throw new Error(`index.html: no ${language} text for “${text}”.`);
      return `<span lang="${language}" hidden>${texts[text]}</span>`;
    });
    return [english, ...translated].join("");
  });
}
