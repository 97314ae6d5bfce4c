// Reads the words and signs with which people say yes or no.

const YES = new Set([
  "yes",
  "y",
  "on",
  "x",
  "✓",
  "ja",
  "j",
  "wahr",
  "oui",
  "vrai",
  "sí",
  "si",
  "sì",
  "verdadero",
  "vero",
  "sim",
  "tak",
  "prawda",
]);
const NO = new Set(["no", "n", "off", "nein", "falsch", "non", "faux", "falso", "não", "nie", "fałsz", "nee"]);

/** Returns "true" or "false"; undefined for a text that is neither. */
export function readYesNo(text: string): "true" | "false" | undefined {
  const word = text.toLowerCase();
  return YES.has(word) ? "true" : NO.has(word) ? "false" : undefined;
}
