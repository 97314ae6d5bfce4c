// A language for tests of the screens: the English sentences in «…», so that a text which is not in the catalogue shows.

import de from "./de.json";
import type { Catalogue } from "./translate.ts";

const brackets = (text: string) => `«${text}»`;

/** Of a plural the English sentence has one form here, with the number in it. */
export const PSEUDO: Catalogue = {
  language: "pseudo",
  texts: Object.fromEntries(
    Object.entries(de).map(([text, said]) => [text, typeof said === "string" ? brackets(text) : { other: brackets(text) }]),
  ),
};
