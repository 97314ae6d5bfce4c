// Several values in one text: with a delimiter between them, and in double quotes where they hold it, as in CSV.

/** Returns the items of `a, "b;c"`, trimmed and without those that are empty. A quotation mark that is not closed is a character like others. */
export function readItems(text: string, delimiter = ","): string[] {
  const array = text.startsWith("[") ? readArray(text) : undefined;
  if (array) return array;
  const end = delimiter.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const item = new RegExp(`\\s*(?:"((?:[^"]|"")*)"\\s*?(?=${end}|$)|([\\s\\S]*?)(?=${end}|$))(?:${end}|$)`, "uy");
  const items: string[] = [];
  while (item.lastIndex < text.length) {
    const [, quoted, bare = ""] = item.exec(text) ?? [];
    const read = (quoted?.replaceAll('""', '"') ?? bare).trim();
    if (read !== "") items.push(read);
  }
  return items;
}

/** Reads JSON, as files of other programs have several values. */
function readArray(text: string): string[] | undefined {
  try {
    const items: unknown[] = JSON.parse(text);
    if (!items.every((item) => typeof item === "string" || typeof item === "number")) return undefined;
    return items.map((item) => String(item).trim()).filter((item) => item !== "");
  } catch {
    return undefined; // it is a text like others
  }
}

/** Writes items so that `readItems` reads them again. */
export function writeItems(items: readonly (string | number)[], delimiter = ","): string {
  const isQuoted = (item: string) => /^["[]/.test(item) || [...delimiter].some((sign) => item.includes(sign));
  return items.map((item) => (isQuoted(`${item}`) ? `"${`${item}`.replaceAll('"', '""')}"` : item)).join(delimiter);
}
