// Two filters that are shown and changed as one: the bounds of a range, or those of a period that is counted from today.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { liesOnDays, type PeriodStart, type RelativeUnit, readRelativeTime } from "../../../core/dictionary/relative-times.ts";
import { currentCatalogue, t } from "../../../core/i18n/translate.ts";
import { type Filter, filteredField } from "./list-url.ts";

/** A filter, or the lower and the upper bound of one range. */
export type Bounds = readonly [filter: Filter, upper?: Filter];

export interface Period {
  /** Relative times; the second one lies no longer in it. */
  from: string;
  until: string;
  words: () => string;
}

export const PERIODS: readonly Period[] = [
  { from: "today", until: "today+1d", words: () => unitWords(0, "day") },
  { from: "today-1d", until: "today", words: () => unitWords(-1, "day") },
  { from: "today-6d", until: "today+1d", words: () => t("in the last {n} days", { n: 7 }) },
  { from: "today-29d", until: "today+1d", words: () => t("in the last {n} days", { n: 30 }) },
  { from: "week", until: "week+1w", words: () => unitWords(0, "week") },
  { from: "week-1w", until: "week", words: () => unitWords(-1, "week") },
  { from: "month", until: "month+1m", words: () => unitWords(0, "month") },
  { from: "month-1m", until: "month", words: () => unitWords(-1, "month") },
  { from: "year", until: "year+1y", words: () => unitWords(0, "year") },
  { from: "year-1y", until: "year", words: () => unitWords(-1, "year") },
  { from: "today", until: "today+7d", words: () => t("in the next {n} days", { n: 7 }) },
  { from: "today", until: "today+30d", words: () => t("in the next {n} days", { n: 30 }) },
];

/** Writes "yesterday", "this month", "3 weeks ago" in the language of the app (Unicode CLDR, "Relative time"). */
function unitWords(by: number, unit: Intl.RelativeTimeFormatUnit): string {
  const { language } = currentCatalogue();
  return new Intl.RelativeTimeFormat(language === "pseudo" ? "en" : language, { numeric: "auto" }).format(by, unit);
}

/** Those of one field that are a range stand together, where the first of them stood. */
export function joinBounds(collection: Collection, filters: readonly Filter[]): Bounds[] {
  const uppers = new Map(
    filters.flatMap((filter) => {
      const upper = filter.operator === "gte" && filters.find((other) => isRange(collection, filter, other));
      return upper ? [[filter, upper]] : [];
    }),
  );
  const joined = filters.map((filter): Bounds => {
    const upper = uppers.get(filter);
    return upper ? [filter, upper] : [filter];
  });
  const taken = new Set(uppers.values());
  return joined.filter(([filter]) => !taken.has(filter));
}

function isRange(collection: Collection, lower: Filter, upper: Filter): boolean {
  const field = filteredField(collection, lower.name);
  if (!field || !KIND_TRAITS[field.kind].order || upper.name !== lower.name || lower.text === "" || upper.text === "") return false;
  return upper.operator === "lte" || periodOf([lower, upper]) !== undefined;
}

/** Returns the period that the two bounds are, if they are one. */
export function periodOf([lower, upper]: Bounds): Period | undefined {
  if (lower.operator !== "gte" || upper?.operator !== "lt") return undefined;
  return PERIODS.find(({ from, until }) => from === lower.text && until === upper.text);
}

const UNITS: Record<RelativeUnit, Intl.RelativeTimeFormatUnit> = { h: "hour", d: "day", w: "week", m: "month", y: "year" };
const STARTS: Record<PeriodStart, readonly RelativeUnit[]> = {
  now: ["h", "d", "w", "m", "y"],
  today: ["d", "w", "m", "y"],
  week: ["w"],
  month: ["m"],
  year: ["y"],
};

/** Returns a relative time in words: "7 days ago", "last month". Undefined for another text; as it stands where words would say it worse. */
export function relativeWords(text: string): string | undefined {
  const time = readRelativeTime(text);
  if (!time) return undefined;
  const { from, by } = time;
  const unit = by === 0 ? STARTS[from][0] : time.unit;
  if (text === "now") return unitWords(0, "second");
  return unit && STARTS[from].includes(unit) ? unitWords(by, UNITS[unit]) : text;
}

/** Says whether the filter counts from the moment at which it is asked. */
export function isRelative(collection: Collection, { name, text }: Filter): boolean {
  const field = filteredField(collection, name);
  return field !== undefined && liesOnDays(field.kind) && readRelativeTime(text) !== undefined;
}

/** Puts `next` where the first of `old` stood, or at the end; other filters with the same field and operator go. */
export function putFilters(filters: readonly Filter[], next: readonly Filter[], old: readonly (Filter | undefined)[] = []): Filter[] {
  const isSame = (one: Filter) => next.some(({ name, operator }) => one.name === name && one.operator === operator);
  const first = filters.findIndex((one) => old.includes(one));
  const at = first === -1 ? filters.findIndex(isSame) : first;
  if (at === -1) return [...filters, ...next];
  return filters.flatMap((one, i) => (i === at ? next : isSame(one) || old.includes(one) ? [] : one));
}
