// Numbers and times in the chosen locale, or else the browser’s.

import { MOST_DECIMALS } from "../../core/dictionary/decimals.ts";
import { t, tCount, type Values } from "../../core/i18n/translate.ts";

let locale: string | undefined;
let formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

const dates = (options: Intl.DateTimeFormatOptions) => () => new Intl.DateTimeFormat(locale, options);
const MAKERS = {
  number: () => new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }), // the default is three
  time: dates({ timeStyle: "short" }),
  timeOfDay: dates({ timeStyle: "short", timeZone: "UTC" }),
  timeWithSeconds: dates({ timeStyle: "medium", timeZone: "UTC" }),
  year: () => new Intl.NumberFormat(locale, { useGrouping: false, minimumIntegerDigits: 4 }),
  dayMonth: dates({ day: "numeric", month: "short" }),
  weekday: dates({ dateStyle: "full" }),
  shortWeekday: dates({ weekday: "short" }),
  shortWeekdayOfDay: dates({ weekday: "short", timeZone: "UTC" }),
  fullDate: dates({ dateStyle: "medium" }),
  fullDatetime: dates({ dateStyle: "medium", timeStyle: "short" }),
  datetimeWithSeconds: dates({ dateStyle: "medium", timeStyle: "medium" }),
  calendarDate: dates({ dateStyle: "medium", timeZone: "UTC" }),
};

type Formatters = { [Name in keyof typeof MAKERS]: ReturnType<(typeof MAKERS)[Name]> };

/** Is made when it is first needed: all of them together take a slow processor a quarter of a second. */
function formatter<Name extends keyof Formatters>(name: Name): Formatters[Name] {
  const made = formatters.get(name) ?? MAKERS[name]();
  formatters.set(name, made);
  return made as Formatters[Name];
}

/** Applies to everything formatted from now on. `tag`: BCP 47; empty for the browser's own. */
export function setLocale(tag: string): void {
  if (tag === (locale ?? "")) return;
  locale = tag || undefined;
  formatters = new Map();
}

export function formatNumber(n: number): string {
  return formatter("number").format(n);
}

/** Writes a name in the quotation marks of the language. */
export function quoted(name: string): string {
  return t("“{name}”", { name });
}

/** Writes a name for a sentence that must be plain text, where it leaves the direction of the rest as it is (UAX #9, FSI and PDI). */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

/** Writes all its digits, and as many decimals as every value of its field has: "1,250.50". */
export function formatDecimal(decimal: string, decimals: number): string {
  const format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: MOST_DECIMALS });
  return format.format(decimal as Intl.StringNumericLiteral); // text, so that no digit is lost
}

/** Returns undefined for the browser's own locale. */
export function currentLocale(): string | undefined {
  return locale;
}

/** Works like tCount, with `n` formatted in the user's locale. */
export function count(n: number, one: string, other: string, values?: Values): string {
  return tCount(n, one, other, { n: formatNumber(n), ...values });
}

/** Writes a past time: "2 min ago", "today, 09:12", "yesterday, 09:12", "3 Nov". */
export function formatRelativeTime(iso: string, now = new Date()): string {
  const then = new Date(iso);
  const minutes = Math.floor((now.getTime() - then.getTime()) / 60_000);
  if (minutes < 1) return t("just now");
  if (minutes < 60) return t("{n} min ago", { n: minutes });
  const days = Math.round((startOfDay(now) - startOfDay(then)) / 86_400_000);
  if (days === 0) return t("today, {time}", { time: formatter("time").format(then) });
  if (days === 1) return t("yesterday, {time}", { time: formatter("time").format(then) });
  return formatPastDay(then, now);
}

/** Writes a past time in the few words that a column has room for: "now", "12 min", "3 h", "yesterday", "Thu", "3 Nov". */
export function formatAge(iso: string, now = new Date()): string {
  const then = new Date(iso);
  const minutes = Math.floor((now.getTime() - then.getTime()) / 60_000);
  if (minutes < 1) return t("now");
  if (minutes < 60) return t("{n} min", { n: minutes });
  const days = Math.round((startOfDay(now) - startOfDay(then)) / 86_400_000);
  if (days === 0) return t("{n} h", { n: Math.floor(minutes / 60) });
  if (days === 1) return t("yesterday");
  return days < 7 ? formatter("shortWeekday").format(then) : formatPastDay(then, now);
}

function formatPastDay(then: Date, now: Date): string {
  return formatter(then.getFullYear() === now.getFullYear() ? "dayMonth" : "fullDate").format(then);
}

export function formatDatetime(iso: string, hasSeconds = false): string {
  return formatter(hasSeconds ? "datetimeWithSeconds" : "fullDatetime").format(new Date(iso));
}

export function formatTime(iso: string): string {
  return formatter("time").format(new Date(iso));
}

/** Writes the day of a time: "Saturday, 22 November 2026". */
export function formatDay(iso: string): string {
  return formatter("weekday").format(new Date(iso));
}

export function formatDate(date: string): string {
  return formatter("calendarDate").format(new Date(`${date}T00:00:00Z`));
}

/** Writes the weekday of a day, YYYY-MM-DD: "Sat". */
export function formatWeekday(date: string): string {
  return formatter("shortWeekdayOfDay").format(new Date(`${date}T00:00:00Z`));
}

/** Writes "hh:mm:ss", of which the seconds are shown only where there are some. */
export function formatTimeOfDay(time: string): string {
  const format = formatter(time.endsWith(":00") ? "timeOfDay" : "timeWithSeconds");
  return format.format(new Date(`1970-01-01T${time}Z`));
}

export function formatYear(year: number): string {
  return formatter("year").format(year);
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
