// The names of files come from other systems: they may neither command a terminal nor forge a line of a log.

// C0 and C1 controls but the tab, line and paragraph separators, and what reorders text (Unicode Standard Annex 9).
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched for
const UNSAFE = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Writes one line of text with every such character as JSON would escape it. In JSON it changes nothing but the spelling.
 *
 * @example printable("a\nb") === "a\\u000ab"
 */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
