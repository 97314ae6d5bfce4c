// A mask stands in place of a value that a caller may not see: it says that there is one, and at most how a text ends.

const DOTS = "••••"; // as many for each value, so that nobody counts its characters
const SHOWN = 4; // characters at the end of a text
const MOST_SHORT = 8; // characters of a text of which nothing is shown

/** Returns the mask of a stored value; no value stays none. `isText`: the field is a free text, of which the last characters may be seen. */
export function maskOf(value: unknown, isText: boolean): string | null {
  if (value === null || value === undefined) return null;
  const characters = isText ? [...String(value)] : [];
  return DOTS + (characters.length > MOST_SHORT ? characters.slice(-SHOWN).join("") : "");
}

/** Says whether somebody sends back what they have read in place of a value. */
export function isMask(given: unknown): boolean {
  return typeof given === "string" && given.trimStart().startsWith(DOTS);
}
