// Dates in a search. People type them as they write them, and the service finds them as 1981-03-09.

import type { Collection } from "../../core/dictionary/collections.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { currentLocale } from "./format.ts";

const DATE = /(?<![\d./-])(\d\d?)([./-])(\d\d?)\2(\d{4})(?![\d./-])/g;
const NAMED = /(?<![\p{L}\d])(?:(\d\d?)\.? (\p{L}{3,})\.?|(\p{L}{3,})\.? (\d\d?)),? (\d{4})(?!\d)/gu;

/**
 * Returns "01" to "12": the month whose name in the reader's locale, or in English, begins with this, alone or as in a date of the list; ""
 * for none.
 */
function monthNamed(typed: string): string {
  const isMonth = (month: number) =>
    [currentLocale(), "en"].some((locale) => {
      const day = new Date(2033, month, 15);
      const shown = new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).formatToParts(day).find(({ type }) => type === "month");
      const names = [day.toLocaleDateString(locale, { month: "long" }), shown?.value ?? ""];
      return names.some((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
    });
  for (let month = 0; month < 12; month++) if (isMonth(month)) return String(month + 1).padStart(2, "0");
  return "";
}

/**
 * Returns the search with dates such as 9.3.1981, 3/9/1981 and Mar 9, 1981 as 1981-03-09. With dots the day stands first; else the first is
 * what it is in the reader's locale. Nothing changes where records have no dates: a text may have one in it.
 */
export function withIsoDates({ fields }: Collection, q: string): string {
  if (!fields.some(({ kind }) => KIND_TRAITS[kind].schema.format === "date")) return q;
  const orTyped = (typed: string, iso: string) => (KIND_TRAITS.date.fromText(iso) === undefined ? typed : iso);
  const named = q.replace(NAMED, (typed, day, month, monthFirst, dayAfter, year) =>
    orTyped(typed, `${year}-${monthNamed(month ?? monthFirst)}-${(day ?? dayAfter).padStart(2, "0")}`),
  );
  return named.replace(DATE, (typed, first: string, sign: string, second: string, year: string) => {
    const isMonthFirst = sign !== "." && new Date(2033, 10, 22).toLocaleDateString(currentLocale()).startsWith("11");
    const iso = [year, ...(isMonthFirst ? [first, second] : [second, first])].map((part) => part.padStart(2, "0")).join("-");
    return orTyped(typed, iso);
  });
}
