// Text compared whatever the case of its letters, and in nothing else: accents and signs count.

const ASCII_UPPER = /[A-Z]+/g;

/**
 * Returns the lower case as Unicode has it, in no language: ß (and ẞ) is ss, and ς is σ. İ is i with a dot above and ı is itself, so
 * neither is i: Turkish letters stay four. The same text always folds the same, and what is folded stays as it is.
 */
export function caseFold(text: string): string {
  return text.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");
}

/** Does as SQL does on both engines (`lower`, in the collation "C"): only A to Z become small. */
export function asciiLower(text: string): string {
  return text.replace(ASCII_UPPER, (letters) => letters.toLowerCase());
}
