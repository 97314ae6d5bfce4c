// Dates as people type them (9.3., 9/3/26, yesterday, +3d), and as the chosen locale writes them in an input.

import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { isTwofold, readTypedForm } from "../../core/forms/typed-date.ts";
import { currentCatalogue, t } from "../../core/i18n/translate.ts";
import { currentLocale, formatDay } from "./format.ts";
import { type NumberSigns, plainDigits } from "./typed-numbers.ts";
import { plain, readTypedTime, writeTypedTime } from "./typed-times.ts";

type Part = "day" | "month" | "year";

interface DatePart {
  type: Part | "literal";
  value: string;
}

interface DateForm {
  /** Day, month and year in the order of the locale, with what stands between them. */
  parts: readonly DatePart[];
  /** Fits a date that the form has written. */
  pattern: RegExp;
}

const known = new Map<string | undefined, DateForm>();

/** Follows the short form of the locale (Unicode CLDR, "Dates"), but with all digits of the year, by the calendar of the service. */
function formOf(locale: string | undefined): DateForm {
  let form = known.get(locale);
  if (!form) {
    form = readForm(locale);
    known.set(locale, form);
  }
  return form;
}

function readForm(locale: string | undefined): DateForm {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "short", calendar: "gregory", numberingSystem: "latn", timeZone: "UTC" });
  const parts = format
    .formatToParts(Date.UTC(2033, 1, 3))
    .map(({ type, value }): DatePart => ({ type: isPart(type) ? type : "literal", value: plain(value) }));
  while (parts.at(-1)?.type === "literal") parts.pop(); // "г." behind a year
  const pattern = parts.map(({ type, value }) => (type === "literal" ? `\\s*${escaped(value.trim())}\\s*` : DIGITS[type])).join("");
  return { parts, pattern: new RegExp(`^${pattern}\\.?$`) };
}

const DIGITS: Record<Part, string> = { day: "(?<day>\\d{1,2})", month: "(?<month>\\d{1,2})", year: "(?<year>\\d{4})" };

function isPart(type: string): type is Part {
  return type in DIGITS;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** Returns the input's text for a date of the service ("2026-03-09"): "09.03.2026" in German. Any other text unchanged. */
export function writeTypedDate(text: string): string {
  if (KIND_TRAITS.date.fromText(text) === undefined) return text;
  const [year = "", month = "", day = ""] = text.split("-");
  const digits: Record<Part, string> = { day, month, year };
  const write = ({ type, value }: DatePart) =>
    type === "literal" ? value : type === "year" || value.startsWith("0") ? digits[type] : String(Number(digits[type]));
  return formOf(currentLocale()).parts.map(write).join("");
}

/** Returns the input's text for an instant: day and time in the reader's time zone. Empty for a text that is none: an address may contain any. */
export function writeTypedDatetime(instant: string): string {
  const [day = "", time = ""] = localText(instant).split("T");
  return day && `${writeTypedDate(day)} ${writeTypedTime(time)}`;
}

/** Returns an instant in the reader's time zone, as an input of type `datetime-local` has it; empty for another text. */
export function localText(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return "";
  return `${isoDay(at)}T${[at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => digitsOf(n, 2)).join(":")}`;
}

/** Writes it part by part, because old local times have offsets with seconds, which getTimezoneOffset() rounds. */
function isoDay(at: Date): string {
  return `${digitsOf(at.getFullYear(), 4)}-${digitsOf(at.getMonth() + 1, 2)}-${digitsOf(at.getDate(), 2)}`;
}

function digitsOf(n: number, length: number): string {
  return String(n).padStart(length, "0");
}

/** Returns the date as the service writes it: "2026-03-09". Undefined if the text is none. A date without a year is one of this year. */
export function readTypedDate(text: string, { locale, digits }: NumberSigns): string | undefined {
  const typed = plain(plainDigits(text, { digits }));
  const read = (one: string) => readTypedForm("date", one, locale);
  return readAsShown(typed, locale) ?? readRelative(typed) ?? read(typed) ?? read(withYear(typed));
}

function readAsShown(typed: string, locale: string | undefined): string | undefined {
  const { year, month = "", day = "" } = formOf(locale).pattern.exec(typed)?.groups ?? {};
  if (year === undefined) return undefined;
  return KIND_TRAITS.date.fromText(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`) as string | undefined;
}

/** Reads "9.3.", "9/3", "9 March". */
function withYear(typed: string): string {
  const year = new Date().getFullYear();
  const mark = /^\d{1,2}([./-]) ?\d{1,2}\1?$/.exec(typed)?.[1];
  if (mark) return `${typed.endsWith(mark) ? typed : typed + mark}${year}`;
  return /^\d{1,2}\D+$|^\D+ \d{1,2}\D*$/.test(typed) ? `${typed} ${year}` : typed;
}

const STEPS = /^([+-]\d{1,4}) ?(\p{L}{0,8})$/u;
type Unit = "day" | "week" | "month" | "year";

/** First letters of the units, by language. Those of English are read in each. */
const UNITS: Readonly<Record<string, Readonly<Record<string, Unit>>>> = {
  en: { "": "day", d: "day", w: "week", m: "month", y: "year" },
  de: { t: "day", j: "year" },
  fr: { j: "day", s: "week", a: "year" },
};

/** Reads "today", "gestern", "+3d", "-2 weeks": counted from the reader's own day. */
function readRelative(typed: string): string | undefined {
  const [, steps, letters = ""] = STEPS.exec(typed) ?? [];
  const unit = steps === undefined ? "day" : languages().flatMap((one) => UNITS[one]?.[letters.charAt(0)] ?? [])[0];
  const by = steps === undefined ? dayNamed(typed) : Number(steps);
  if (by === undefined || unit === undefined) return undefined;
  const now = new Date();
  const months = unit === "month" ? by : unit === "year" ? by * 12 : 0;
  const days = unit === "day" ? by : unit === "week" ? by * 7 : 0;
  const lastDay = new Date(now.getFullYear(), now.getMonth() + months + 1, 0).getDate();
  const text = isoDay(new Date(now.getFullYear(), now.getMonth() + months, Math.min(now.getDate(), lastDay) + days));
  return KIND_TRAITS.date.fromText(text) as string | undefined;
}

/** Lists those of the app and of the regional format, then English. */
function languages(): string[] {
  const used = [currentCatalogue().language, new Intl.Locale(new Intl.DateTimeFormat(currentLocale()).resolvedOptions().locale).language];
  return [...new Set([...used.filter((one) => one !== "pseudo"), "en"])];
}

const DAYS = [0, -1, 1, -2, 2]; // with names of their own in some languages, as "vorgestern"

function dayNamed(typed: string): number | undefined {
  if (!/^\p{L}[\p{L}' -]+$/u.test(typed)) return undefined;
  const names = languages().map((language) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
  return DAYS.find((by) => names.some((format) => plain(format.format(by, "day")) === typed));
}

/** Reads a moment as the service writes it, in UTC. A text without a zone is in the reader's; a date alone is the beginning of its day. */
export function readTypedDatetime(text: string, signs: NumberSigns): string | undefined {
  const asInFiles = KIND_TRAITS.datetime.fromText(text.trim());
  if (asInFiles !== undefined) return String(asInFiles);
  const typed = plain(plainDigits(text, signs));
  const day = readTypedDate(typed, signs);
  if (day !== undefined) return instantOf(day, "00:00");
  for (const { index, 0: gap } of typed.matchAll(/[ ,t]+(?:um |at |à )?/g)) {
    const [date, time] = [readTypedDate(typed.slice(0, index), signs), readTypedTime(typed.slice(index + gap.length), signs)];
    if (date !== undefined && time !== undefined) return instantOf(date, time);
  }
  return readTypedForm("datetime", typed, signs.locale, Intl.DateTimeFormat().resolvedOptions().timeZone);
}

function instantOf(day: string, time: string): string | undefined {
  const at = new Date(`${day}T${time}`); // without a zone: local time (ECMAScript, Date Time String Format)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Says whether the text is a date of which the locale says what it means: 3/4/2026. */
export function isTwofoldDate(text: string): boolean {
  const [typed = ""] = plain(text).split(/[ ,]/); // without a time
  return isTwofold(withYear(typed));
}

/** Writes the date in full, to stand beside a typed text: "Thursday, March 14, 2019". Of one that means two days, also which part stands first. */
export function spellDate(text: string, iso: string): string {
  const date = formatDay(`${iso}T00:00`);
  if (!isTwofoldDate(text)) return date;
  const isDayFirst = formOf(currentLocale()).parts.find(({ type }) => type !== "literal")?.type === "day";
  return isDayFirst ? t("{date}, day first", { date }) : t("{date}, month first", { date });
}

/** Says whether the text is written as a date, of a day that no month has: 31.2.2026. */
export function isNoDay(text: string): boolean {
  return /^(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{2,4})(?:[ ,t].*)?$/.test(plain(text.trim()));
}

/** Writes "Day.Month.Year", in the words of the app and with the signs of the locale. */
export function dateForm(): string {
  const words: Record<Part, string> = { day: t("Day"), month: t("Month"), year: t("Year") };
  return formOf(currentLocale())
    .parts.map(({ type, value }) => (type === "literal" ? value : words[type]))
    .join("");
}
