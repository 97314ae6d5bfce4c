// The records of a group as filters of the list, and how a period is called.

import type { Period } from "../../../core/contract/summaries.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Kind, type Value } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import { currentLocale, formatDate, formatYear } from "../../values/format.ts";
import type { Filter } from "./list-url.ts";

const DAY = 86_400_000; // ms

/**
 * Choose exactly the records of a group in a list that has `others` as filters. `period`: the one to which the values were cut, in the
 * time zone of the browser.
 */
export function filtersOfGroup({ name, kind }: Field, value: Value | null, period?: Period, others: readonly Filter[] = []): Filter[] {
  const [own, rest] = [true, false].map((isOwn) => others.filter((one) => (one.name === name) === isOwn)) as [Filter[], Filter[]];
  if (value === null) return [...rest, { name, operator: "eq", text: "" }];
  const text = KIND_TRAITS[kind].toText?.(value) ?? String(value);
  if (!period) return [...rest, { name, operator: "eq", text }];
  const { isMoment } = KIND_TRAITS[kind];
  const place = (day: string) => (isMoment ? new Date(`${day}T00:00:00`).toISOString() : day);
  const before = (day: string) => (isMoment ? new Date(Date.parse(place(day)) - 1).toISOString() : addDays(day, -1));
  const [first, next] = boundsOf(text, period);
  const bound = (operator: Filter["operator"], text: string): Filter => ({ name, operator, text });
  return [
    ...rest,
    ...own.filter(({ operator }) => !LOWER.includes(operator) && !UPPER.includes(operator)),
    ...bounded(kind, own, LOWER, [bound("gte", place(first)), bound("gt", before(first))]),
    ...bounded(kind, own, UPPER, [bound("lt", place(next)), bound("lte", before(next))]),
  ];
}

const LOWER: readonly string[] = ["gte", "gt"];
const UPPER: readonly string[] = ["lt", "lte"];

/**
 * Returns the bounds on one side. `given`: that of the group, said in two ways: an address has each operator once. A bound of the list that is narrower
 * decides in place of it, and one that counts from today stays beside it.
 */
function bounded(kind: Kind, own: readonly Filter[], side: readonly string[], given: readonly [Filter, Filter]): Filter[] {
  const { fromText, order } = KIND_TRAITS[kind];
  const old = own.filter(({ operator }) => side.includes(operator));
  const [fixed, moving] = [true, false].map((isFixed) => old.filter(({ text }) => (fromText(text) !== undefined) === isFixed));
  const isNarrower = ({ operator, text }: Filter) => {
    const [theirs, groups] = [fromText(text), fromText(given[0].text)];
    if (theirs === undefined || groups === undefined || !order) return false;
    if (side === UPPER) return order.isAfter(groups, theirs);
    return order.isAfter(theirs, groups) || (operator === "gt" && !order.isAfter(groups, theirs));
  };
  if (fixed?.some(isNarrower)) return old;
  const free = given.find(({ operator }) => !moving?.some((one) => one.operator === operator)) ?? given[0];
  return [...(moving ?? []).filter(({ operator }) => operator !== free.operator), free];
}

/** Returns the first day of a period such as 2026-Q4, and the first after it. */
function boundsOf(value: string, period: Period): [first: string, next: string] {
  const [year = "", part = "01"] = value.split("-");
  const month = period === "quarter" ? Number(part.slice(1)) * 3 - 2 : Number(part);
  if (period === "day" || period === "week") return [value, addDays(value, period === "day" ? 1 : 7)];
  const firstOf = (count: number) => new Date(Date.UTC(Number(year), month - 1 + count)).toISOString().slice(0, 10);
  return [firstOf(0), firstOf(period === "month" ? 1 : period === "quarter" ? 3 : 12)];
}

function addDays(day: string, by: number): string {
  return new Date(Date.parse(day) + by * DAY).toISOString().slice(0, 10);
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
