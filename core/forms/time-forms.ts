// The ways in which people write a time of day and a year, and what each text may mean.

import type { Reading } from "./readings.ts";

const HALF = "(?:([ap])\\.? ?m\\.?|uhr|hrs?|h)?";
const CLOCK = new RegExp(`^(?:klo? |kl\\. ?)?(\\d{1,2})(?: ?([:.h]) ?(\\d{2})(?:[:.](\\d{2})(?:[.,]0+)?)?)? ?${HALF}$`, "i");
const DIGITS = new RegExp(`^(\\d{1,2})(\\d{2})(\\d{2})? ?${HALF}$`, "i");
const FRACTION = /^0?\.\d+$|^0$/;
const SPACES = /[\u00a0\u2009\u202f]/g;

const DAY = 86_400; // seconds
const SLIP = 0.001; // seconds; a fraction of a day in a workbook has 15 digits

export function readTime(given: string): Reading[] {
  const text = given.replace(SPACES, " ");
  const readings: Reading[] = [];
  const clock = CLOCK.exec(text);
  if (clock) {
    const [, hours = "", mark = "", minutes, seconds, half] = clock;
    const isBare = minutes === undefined && half === undefined && /\d$/.test(text);
    const form = minutes === undefined ? "h" : `h${mark === ":" ? " " : mark.toLowerCase()}m`; // a colon ends the kind in a name
    // A number alone is a fraction of a day where it can be one: workbooks keep midnight as 0.
    if (!isBare || text !== "0") readings.push(...valid(`time:${form}`, hours, minutes, seconds, half));
  } else {
    const [, hours, minutes, seconds, half] = DIGITS.exec(text) ?? [];
    if (hours !== undefined) readings.push(...valid("time:hm", hours, minutes, seconds, half));
  }
  if (FRACTION.test(text)) readings.push(...ofDay(Number(text)));
  return readings;
}

function valid(name: Reading["name"], hours: string, minutes = "00", seconds = "00", half?: string): Reading[] {
  const isTwelve = Number(hours) >= 1 && Number(hours) <= 12;
  if (half !== undefined && !isTwelve) return [];
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return [{ name: half === undefined ? name : `${name} p`, text: `${String(hour).padStart(2, "0")}:${minutes}:${seconds}` }];
}

/** Reads a time as workbooks keep it, if it is a whole number of seconds. */
function ofDay(fraction: number): Reading[] {
  const seconds = Math.round(fraction * DAY);
  if (seconds >= DAY || Math.abs(fraction * DAY - seconds) > SLIP) return [];
  return [{ name: "time:day", text: new Date(seconds * 1000).toISOString().slice(11, 19) }];
}

/** Two digits may be a year of either century: a person chooses, or the limits of the field leave one. */
export function readYear(text: string): Reading[] {
  const [, two] = /^['’]?(\d{2})$/.exec(text) ?? [];
  if (two !== undefined) {
    return [
      { name: "year:19yy", text: `19${two}` },
      { name: "year:20yy", text: `20${two}` },
    ];
  }
  const [, thousand, rest] = /^([1-9])[.,' \u00a0\u202f’](\d{3})$/.exec(text) ?? [];
  return thousand === undefined ? [] : [{ name: "year:y,yyy", text: `${thousand}${rest}` }];
}
