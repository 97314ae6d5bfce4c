// A date that a person types or pastes, in whichever form it was written.

import { KIND_TRAITS } from "../dictionary/kinds.ts";
import { readDate, readDatetime } from "./date-forms.ts";
import type { Reading } from "./readings.ts";

const READERS = {
  date: (text: string) => readDate(text),
  datetime: (text: string, zone: string) => readDatetime(text, [zone]),
};

/**
 * Returns the date as 2026-01-31, or with a time as an instant (2026-01-31T08:30:00.000Z). Of "1/2/2026" the reader's locale says what it means;
 * a file may come from anywhere, but who types sees what comes of it. Undefined: no date, or one without the time that is needed.
 */
export function readTypedForm(kind: keyof typeof READERS, text: string, locale: string | undefined, zone = "UTC"): string | undefined {
  const asInFiles = KIND_TRAITS[kind].fromText(text);
  if (asInFiles !== undefined) return String(asInFiles);
  const readings = READERS[kind](text, zone);
  const written = readings.filter(({ name }) => !/serial|unix| t0@/.test(name)); // a bare number is no date that people write, and a date alone lacks its time
  const [only] = written;
  const isOne = new Set(written.map((one) => one.text)).size === 1;
  return (isOne ? only : written.find(({ name }) => beginsWith(name) === firstPart(locale)))?.text;
}

/** Says whether the text is a date of which only the reader's locale says what it means, as "1/2/2026". */
export function isTwofold(text: string): boolean {
  return new Set(readDate(text).map((one) => one.text)).size > 1;
}

function beginsWith(name: Reading["name"]): string | undefined {
  return name.split(":")[1]?.charAt(0);
}

/** Returns "d", "m" or "y": what stands first in a date of this locale. */
function firstPart(locale: string | undefined): string | undefined {
  return new Intl.DateTimeFormat(locale)
    .formatToParts()
    .find(({ type }) => type !== "literal")
    ?.type.charAt(0);
}
