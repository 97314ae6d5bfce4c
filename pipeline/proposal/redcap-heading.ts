// Knows the data dictionary of a REDCap project by its heading.

/** Says of the beginning of a file whether it is one. */
export function isRedcapDictionary(text: string): boolean {
  return /^\uFEFF?"?Variable \/ Field Name"?[,;\t]"?Form Name"?[,;\t]/.test(text);
}
