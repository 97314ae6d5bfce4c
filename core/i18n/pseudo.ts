import de from "./de.json" with { type: "json" };
import type { Catalogue } from "./translate.ts";

const brackets = (text: string) => `«${text}»`;

/** Every English sentence in «…», so that a text which is not in the catalogue shows. A plural has one form, with its number. */
export const PSEUDO_TEXTS: Catalogue["texts"] = Object.fromEntries(
  Object.entries(de).map(([text, german]) => [
    text,
    german === null || typeof german === "string" ? brackets(text) : { other: brackets(text) },
  ]),
);
