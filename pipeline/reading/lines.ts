// Counts, skips and restores physical lines of a text.

/** Counts line feeds before `end`. */
export function countBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Counts line breaks within the cells of a row, all of them LF. */
export function countInside(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) if (cell.includes("\n")) count += countBreaks(cell, cell.length);
  return count;
}

/** Puts quoted line breaks back as they were in the file. `breaks[next]` is the first one of this row. */
export function putBack(cells: string[], breaks: readonly string[], next: number): void {
  let at = next;
  for (const [i, cell] of cells.entries()) {
    if (cell.includes("\n")) cells[i] = cell.replace(/\n/g, () => breaks[at++] ?? "\n");
  }
}

/** Returns the place where the last `rest` characters of the normalised text begin in the original text, where CRLF has two characters. */
export function rawLength(given: string, rest: number): number {
  let at = given.length;
  for (let left = rest; left > 0; left--) {
    at--;
    if (given[at] === "\n" && given[at - 1] === "\r") at--;
  }
  return at;
}

/**
 * Removes up to `count` lines from the front of a text. A line counts only when its end is there; a CR at the end of the text
 * may be half of one, unless `last`: nothing comes after.
 */
export function skipLines(raw: string, count: number, last: boolean): { rest: string; skipped: number } {
  let at = 0;
  let skipped = 0;
  for (const { index, 0: end } of raw.matchAll(/\r\n?|\n/g)) {
    if (skipped === count || (!last && end === "\r" && index + 1 === raw.length)) break;
    at = index + end.length;
    skipped++;
  }
  return { rest: raw.slice(at), skipped };
}
