// Converts dates, times of day and years in formats such as YYYYMMDD to ISO and back. Whether a day exists is not checked.

import type { Zone } from "./time-zones.ts";

const TOKENS = /YYYY|CYY|YY|DDD|MM|DD|hh|mm|ss|f{1,9}/g;
const YEARS = ["YYYY", "CYY", "YY"];
const DAYS = ["MM", "DD", "DDD"];

type Parts = Partial<Record<string, string>>;

export interface DateFormat {
  /** Says what the format describes. */
  is: "date" | "datetime" | "time" | "year";
  /** Returns the ISO text, or undefined when the text is not in this format. `wrong`: why it is no time of the zone. */
  toIso(text: string, zone?: Zone): { iso: string } | { wrong: string } | undefined;
  /** `text`: an ISO date or UTC time, a time of day or a year; undefined when it is neither, or when its year has no place in the format. */
  fromIso(text: string, zone?: Zone): string | undefined;
}

/** `pivot`: the first year of two digits that is of the century from 1900 on; those before it are of the next. */
export function readFormat(format: string, pivot?: number): DateFormat | { wrong: string } {
  const tokens: readonly string[] = format.match(TOKENS) ?? [];
  const wrong = whyWrongFormat(format, tokens);
  if (wrong !== undefined) return { wrong };
  if (tokens.includes("YY") && pivot === undefined)
    return {
      wrong:
        'has a year of two digits, which could be of several centuries: write YYYY or CYY, or add "pivot", such as 50: then 50 to 99 are 1950 to 1999, and 00 to 49 are 2000 to 2049',
    };
  const pattern = new RegExp(
    `^${format.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&").replace(TOKENS, (token) => `(?<${nameOf(token)}>[0-9]{${token.length}})`)}$`,
  );
  return {
    is: subjectOf(tokens),
    toIso(text, zone) {
      const parts = pattern.exec(text)?.groups as Parts | undefined;
      if (!parts) return undefined;
      const clock = `${parts.hh}:${parts.mm}:${parts.ss ?? "00"}${parts.f === undefined ? "" : `.${parts.f}`}`;
      if (subjectOf(tokens) === "time") return { iso: clock };
      const year = yearOf(parts, pivot);
      if (subjectOf(tokens) === "year") return { iso: year };
      const day = dayOf(parts, year);
      if (!day) return undefined;
      if (parts.hh === undefined) return { iso: day };
      const local = `${day}T${clock}`;
      return zone ? zone.toInstant(local) : { iso: local };
    },
    fromIso(text, zone) {
      const parts = partsOf(text, zone, pivot);
      if (!parts || tokens.some((token) => parts[nameOf(token)] === undefined)) return undefined;
      return format.replace(TOKENS, (token) => (token.startsWith("f") ? fraction(parts, token) : (parts[token] ?? token)));
    },
  };
}

function subjectOf(tokens: readonly string[]): DateFormat["is"] {
  const hasTime = tokens.includes("hh");
  if (DAYS.some((token) => tokens.includes(token))) return hasTime ? "datetime" : "date";
  return hasTime ? "time" : "year";
}

function whyWrongFormat(format: string, tokens: readonly string[]): string | undefined {
  const names = tokens.map(nameOf);
  const has = (token: string) => names.includes(token);
  if (new Set(names).size !== names.length) return "has a part twice";
  if (/[A-Za-z]/.test(format.replace(TOKENS, "").replace("T", "")))
    return "is made of YYYY, CYY or YY, MM, DD, DDD, hh, mm, ss and f, such as YYYYMMDD";
  const years = YEARS.filter(has).length;
  const isAlone = !DAYS.some(has) && (has("hh") ? years === 0 : years === 1); // a time of day, or a year
  const isDate = years === 1 && has("MM") === has("DD") && has("DDD") !== has("MM");
  if (!isAlone && !isDate) return "needs YYYY (or CYY, YY) with MM and DD, or with DDD, the day of the year";
  if (has("hh") !== has("mm") || (has("ss") && !has("hh"))) return "needs hh and mm for a time";
  return has("f") && !has("ss") ? "needs ss before fractions of a second (f)" : undefined;
}

/** Fractions of a second have one name, however many digits there are. */
function nameOf(token: string): string {
  return token.startsWith("f") ? "f" : token;
}

function yearOf({ YYYY, CYY, YY }: Parts, pivot = 0): string {
  if (YYYY !== undefined) return YYYY;
  if (CYY !== undefined) return `${19 + Number(CYY[0])}${CYY.slice(1)}`; // of IBM i: 0 is the century from 1900 on
  return `${Number(YY) < pivot ? 20 : 19}${YY}`;
}

function dayOf({ MM, DD, DDD }: Parts, year: string): string | undefined {
  if (DDD === undefined) return `${year}-${MM}-${DD}`;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), 0, Number(DDD));
  const day = date.toISOString().slice(0, 10);
  return Number(DDD) > 0 && day.startsWith(year) ? day : undefined; // a year may have no day 366
}

const DAY = 86_400_000; // ms

function partsOf(text: string, zone: Zone | undefined, pivot = 0): Parts | undefined {
  const [, hh, mm, ss] = /^(\d{2}):(\d{2}):(\d{2})$/.exec(text) ?? [];
  if (hh !== undefined) return { hh, mm, ss, f: "" } as Parts;
  const instant = new Date(text).getTime();
  if (Number.isNaN(instant)) return undefined;
  const time = instant + (text.includes("T") ? (zone?.offsetAt(instant) ?? 0) : 0);
  const iso = new Date(time).toISOString();
  if (iso.length !== 24) return undefined;
  const first = new Date(0).setUTCFullYear(Number(iso.slice(0, 4)), 0, 1);
  const DDD = String(Math.floor((time - first) / DAY) + 1).padStart(3, "0");
  const at = (from: number, to: number) => iso.slice(from, to);
  const parts: Parts = { YYYY: at(0, 4), MM: at(5, 7), DD: at(8, 10), DDD, hh: at(11, 13), mm: at(14, 16), ss: at(17, 19), f: at(20, 23) };
  const century = Number(at(0, 2)) - 19;
  if (century >= 0 && century <= 9) parts.CYY = `${century}${at(2, 4)}`;
  if (yearOf({ YY: at(2, 4) }, pivot) === parts.YYYY) parts.YY = at(2, 4);
  return parts;
}

/** A stored time has milliseconds. */
function fraction({ f = "" }: Parts, token: string): string {
  return f.padEnd(token.length, "0").slice(0, token.length);
}
