// Characters in names that nobody sees, and where a script or a symbol cannot do without them.

/** A character that nobody sees (Unicode, DerivedCoreProperties). */
export const HIDDEN = /\p{Default_Ignorable_Code_Point}/u;
/** Scripts whose letters join, or that write clusters of consonants (UAX #31, section 2.3). */
const JOINING = ["Arabic", "Syriac", "Mongolian", "Nko", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu"]
  .concat("Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar")
  .map((script) => `\\p{Script=${script}}`)
  .join("");
const NEEDED = [
  `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
  "(?<=\\p{Script=Han})[\\u{fe00}-\\u{fe02}\\u{e0100}-\\u{e01ef}]", // the form of a character that a family writes
  "(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]",
  "\\p{RGI_Emoji}", // several are one picture by joiners and variation selectors
];
const ALLOWED = new RegExp(NEEDED.join("|"), "gv");

/** Says whether a name has a character that nobody sees (Default_Ignorable_Code_Point) where it means nothing. */
export function hasHidden(name: string): boolean {
  return HIDDEN.test(name) && HIDDEN.test(name.replace(ALLOWED, ""));
}
