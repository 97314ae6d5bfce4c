// A date that a person pastes, in whichever form it was copied.

import { KIND_TRAITS, type Kind } from "../../core/dictionary/kinds.ts";
import { readDate, readDatetime } from "./date-forms.ts";
import type { Reading } from "./readings.ts";

const READERS = {
  date: (text: string) => readDate(text),
  datetime: (text: string, zone: string) => readDatetime(text, [zone]),
};

type DateKind = keyof typeof READERS;

/** Says whether values of the kind are pasted in forms that `readPastedDate` reads. */
export function isDateKind(kind: Kind): kind is DateKind {
  return kind in READERS;
}

/**
 * The date as 2026-01-31, or with a time as an instant (2026-01-31T08:30:00.000Z). Of "1/2/2026" the reader's locale says what it means;
 * a file may come from anywhere, but who pastes sees what comes of it. Undefined: no date, or one without the time that is needed.
 */
export function readPastedDate(kind: DateKind, text: string, locale: string | undefined, zone: string): string | undefined {
  const asInFiles = KIND_TRAITS[kind].fromText(text);
  if (asInFiles !== undefined) return String(asInFiles);
  const readings = READERS[kind](text, zone);
  const written = readings.filter(({ name }) => !/serial|unix| t0@/.test(name)); // a bare number is no date that people write, and a date alone lacks its time
  const [only] = written;
  const isOne = new Set(written.map((one) => one.text)).size === 1;
  return (isOne ? only : written.find(({ name }) => beginsWith(name) === firstPart(locale)))?.text;
}

function beginsWith(name: Reading["name"]): string | undefined {
  return name.split(":")[1]?.charAt(0);
}

/** "d", "m" or "y": what stands first in a date of this locale. */
function firstPart(locale: string | undefined): string | undefined {
  return new Intl.DateTimeFormat(locale)
    .formatToParts()
    .find(({ type }) => type !== "literal")
    ?.type.charAt(0);
}
