// Folds the texts of records. Each is folded to sort it and again to search it, and first names come again.

import { ASCII, fold } from "../../core/text/fold.ts";

const MOST = 1_000; // texts; emptied when full
const LONGEST = 100; // UTF-16 units
const known = new Map<string, string>();

/** As `fold`, which costs a text with other letters than ASCII's five passes. */
export function foldKnown(text: string): string {
  if (text.length > LONGEST || ASCII.test(text)) return fold(text);
  let folded = known.get(text);
  if (folded === undefined) {
    folded = fold(text);
    if (known.size >= MOST) known.clear();
    known.set(text, folded);
  }
  return folded;
}
