// Times of day as people type them (14:05, 1405, 14.05 Uhr, 2:05 pm), and as the chosen locale shows them.

import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { currentLocale, formatTimeOfDay } from "./format.ts";
import { MARKS, type NumberSigns, plainDigits } from "./typed-numbers.ts";

/** Also takes "am" and "pm", or the words that the locales of our languages put around 24 hours. */
const CLOCK = /^(?:klo? |kl\. ?)?(\d{1,2})(?: ?[:.h] ?(\d{2})(?:[:.](\d{2}))?)? ?(?:([ap])\.? ?m\.?|uhr|h)?$/;
const DIGITS = /^(\d{1,2})(\d{2})(\d{2})? ?(?:([ap])\.? ?m\.?|uhr)?$/; // 905, 1405, 140530

/**
 * Returns the time as the dictionary writes it: "14:05:00". Undefined if the text is none. A locale that was chosen before still counts,
 * because its text may stand in an input.
 */
export function readTypedTime(text: string, signs: NumberSigns): string | undefined {
  const typed = plain(plainDigits(text, signs));
  const [, hours, minutes = "00", seconds = "00", half] = CLOCK.exec(typed) ?? DIGITS.exec(typed) ?? [];
  if (hours === undefined) return readAsShown(typed);
  const hour = half === undefined ? Number(hours) : hourOf(Number(hours), half);
  return hour === undefined ? undefined : timeOf(hour, minutes, seconds);
}

/** Writes for the input a time of the service, and any other text unchanged. */
export function writeTypedTime(text: string): string {
  const time = KIND_TRAITS.time.fromText(text);
  if (time === undefined) return text;
  shownForms();
  return formatTimeOfDay(String(time)).replace(SPACES, " ");
}

const SPACES = /[\u00a0\u2009\u202f]/g;

/** Writes small letters, with plain spaces and without direction marks. */
export function plain(text: string): string {
  return text.replace(MARKS, "").replace(SPACES, " ").toLowerCase();
}

function hourOf(hours: number, half: string): number | undefined {
  return hours >= 1 && hours <= 12 ? (hours % 12) + (half === "p" ? 12 : 0) : undefined;
}

function timeOf(hour: number, minutes: string, seconds: string): string | undefined {
  return KIND_TRAITS.time.fromText(`${String(hour).padStart(2, "0")}:${minutes}:${seconds}`) as string | undefined;
}

interface ShownForm {
  pattern: RegExp;
  /** The hour of the day for a period of the day and the hour that stands beside it: "午後 2" is 14. */
  hours: ReadonlyMap<string, number>;
}

const known = new Map<string | undefined, ShownForm[]>();

/** Lists how the chosen locale shows times without and with seconds, and how those that were chosen before did. */
function shownForms(): ShownForm[] {
  const locale = currentLocale();
  if (!known.has(locale)) known.set(locale, [shownForm(locale, "short"), shownForm(locale, "medium")]);
  return [...known.values()].flat();
}

const PARTS: Readonly<Record<string, string>> = {
  hour: "(?<hour>\\d{1,2})",
  minute: "(?<minute>\\d{2})",
  second: "(?<second>\\d{2})",
  dayPeriod: "(?<period>\\D+?)",
};

function shownForm(locale: string | undefined, timeStyle: "short" | "medium"): ShownForm {
  const format = new Intl.DateTimeFormat(locale, { timeStyle, timeZone: "UTC", numberingSystem: "latn" });
  const hours = new Map<string, number>();
  let pattern = "";
  for (let hour = 0; hour < 24; hour++) {
    const parts = format.formatToParts(hour * 3_600_000).map(({ type, value }) => ({ type, value: plain(value) }));
    const textOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
    hours.set(`${textOf("dayPeriod")} ${Number(textOf("hour"))}`, hour);
    pattern = parts.map(({ type, value }) => PARTS[type] ?? value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("");
  }
  return { pattern: new RegExp(`^${pattern.trim()}$`), hours };
}

function readAsShown(typed: string): string | undefined {
  for (const { pattern, hours } of shownForms()) {
    const { hour, minute = "", second = "00", period = "" } = pattern.exec(typed)?.groups ?? {};
    const at = hour === undefined ? undefined : hours.get(`${period} ${Number(hour)}`);
    if (at !== undefined) return timeOf(at, minute, second);
  }
  return undefined;
}
