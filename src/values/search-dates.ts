// Dates in a search. People type them as they write them, and the service finds them as 1981-03-09.

import type { Collection } from "../../core/dictionary/collections.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { currentLocale } from "./format.ts";

const DATE = /(?<![\d./-])(\d\d?)([./-])(\d\d?)\2(\d{4})(?![\d./-])/g;

/**
 * The search with dates such as 9.3.1981 and 3/9/1981 as 1981-03-09. With dots the day stands first; else the first is what it is in the
 * reader's locale. Nothing changes where records have no dates: a text may have one in it.
 */
export function withIsoDates({ fields }: Collection, q: string): string {
  if (!fields.some(({ kind }) => KIND_TRAITS[kind].schema.format === "date")) return q;
  return q.replace(DATE, (typed, first: string, sign: string, second: string, year: string) => {
    const isMonthFirst = sign !== "." && new Date(2033, 10, 22).toLocaleDateString(currentLocale()).startsWith("11");
    const iso = [year, ...(isMonthFirst ? [first, second] : [second, first])].map((part) => part.padStart(2, "0")).join("-");
    return KIND_TRAITS.date.fromText(iso) === undefined ? typed : iso;
  });
}
