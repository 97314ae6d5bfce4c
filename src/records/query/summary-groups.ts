// The records of a group as filters of the list, and how a period is called.

import type { Period } from "../../../core/contract/summaries.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Value } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import { currentLocale, formatDate, formatYear } from "../../values/format.ts";
import type { Filter } from "./list-url.ts";

const DAY = 86_400_000; // ms

/** Choose exactly the records of a group. `period`: the one to which the values were cut, in the time zone of the browser. */
export function filtersOfGroup({ name, kind }: Field, value: Value | null, period?: Period): Filter[] {
  if (value === null) return [{ name, operator: "eq", text: "" }];
  const text = KIND_TRAITS[kind].toText?.(value) ?? String(value);
  if (!period) return [{ name, operator: "eq", text }];
  const [first, next] = boundsOf(text, period);
  const place = KIND_TRAITS[kind].isMoment ? (day: string) => new Date(`${day}T00:00:00`).toISOString() : (day: string) => day;
  return [
    { name, operator: "gte", text: place(first) },
    { name, operator: "lt", text: place(next) },
  ];
}

/** The first day of a period such as 2026-Q4, and the first after it. */
function boundsOf(value: string, period: Period): [first: string, next: string] {
  const [year = "", part = "01"] = value.split("-");
  const month = period === "quarter" ? Number(part.slice(1)) * 3 - 2 : Number(part);
  if (period === "day" || period === "week")
    return [value, new Date(Date.parse(value) + (period === "day" ? 1 : 7) * DAY).toISOString().slice(0, 10)];
  const firstOf = (count: number) => new Date(Date.UTC(Number(year), month - 1 + count)).toISOString().slice(0, 10);
  return [firstOf(0), firstOf(period === "month" ? 1 : period === "quarter" ? 3 : 12)];
}

/** Calls a period as people do: November 2026, Q4 2026. A week is called by its first day. */
export function titleOfPeriod(value: string, period: Period): string {
  const [year = "", part = ""] = value.split("-");
  switch (period) {
    case "year":
      return formatYear(Number(value));
    case "quarter":
      return t("{quarter} {year}", { quarter: part, year });
    case "month":
      return new Intl.DateTimeFormat(currentLocale(), { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${value}-01`));
    case "week":
      return t("Week of {day}", { day: formatDate(value) });
    case "day":
      return formatDate(value);
  }
}
