// Rows for the files of the corpus: the same few people, in as many rows as a file needs.

export const HEADER = ["objectId", "lastName", "note", "accountID"] as const;

const NAMES = ["Smith", "Jones", "Miller", "Brown", "Garcia", "Davis", "Wilson"];
const NOTES = ["called", "no answer", "wrote a letter", "moved", "asked for a list", "paid"];

/** Rows of four cells without marks or delimiters. */
export function people(count: number, from = 1): string[][] {
  return Array.from({ length: count }, (_, i) => {
    const n = from + i;
    return [String(n), NAMES[n % 7] as string, NOTES[n % 6] as string, `A-${1000 + n}`];
  });
}

/** Lines of plain cells. */
export function lines(rows: readonly (readonly string[])[], delimiter = ","): string {
  return rows.map((cells) => `${cells.join(delimiter)}\n`).join("");
}

/** Does as `lines`, with each cell in quotation marks. */
export function quotedLines(rows: readonly (readonly string[])[], delimiter = ",", space = ""): string {
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  return rows.map((cells) => `${cells.map(quote).join(delimiter + space)}\n`).join("");
}
