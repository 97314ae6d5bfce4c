// Time zones: a fixed offset, or a name of the IANA database with its daylight saving, to instants and back.

export interface Zone {
  /** `local`: such as "2026-01-31T08:30:00.5". An ISO time with its offset, or why it is none; `wrong` continues “Hired is “…”, ”. */
  toInstant(local: string): { iso: string } | { wrong: string };
  /** Milliseconds to add to UTC at this instant. */
  offsetAt(instant: number): number;
}

/** Says which of two instants is meant: those that a local time may be, or on either side of an hour that a clock skips. */
export const DISAMBIGUATIONS = ["reject", "earlier", "later"] as const;
export type Disambiguation = (typeof DISAMBIGUATIONS)[number];

const OFFSET = /^([+-])([0-9]{2}):([0-9]{2})$/;
const [DAY, QUARTER] = [86_400_000, 900_000]; // ms

export function hasDaylightSaving(zone: string): boolean {
  return zone !== "Z" && zone !== "UTC" && !OFFSET.test(zone);
}

/** Says whether this program knows the name. The caller finds one that may be meant in `Intl.supportedValuesOf("timeZone")`. */
export function isZone(zone: string): boolean {
  if (!hasDaylightSaving(zone)) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

export function openZone(zone: string, disambiguation: Disambiguation = "reject"): Zone {
  if (hasDaylightSaving(zone)) return namedZone(zone, disambiguation);
  const [, sign, hours = "0", minutes = "0"] = OFFSET.exec(zone) ?? [];
  const offset = (sign === "-" ? -1 : 1) * (60 * Number(hours) + Number(minutes)) * 60_000;
  const suffix = zone === "UTC" ? "Z" : zone;
  return { toInstant: (local) => ({ iso: local + suffix }), offsetAt: () => offset };
}

/** Returns the day in the zone, in ISO form. `now`: epoch milliseconds. */
export function dayIn(zone: string, now: number): string {
  return new Date(now + openZone(zone).offsetAt(now)).toISOString().slice(0, 10);
}

function namedZone(zone: string, disambiguation: Disambiguation): Zone {
  const offsetAt = createOffsets(zone);
  return {
    offsetAt,
    toInstant(local) {
      const wall = Date.parse(`${local.slice(0, 19)}Z`);
      const isThere = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(local.slice(0, 19)); // Date.parse takes February 30
      if (!isThere) return { iso: `${local}Z` }; // the dictionary says what is wrong
      const nearby = [...new Set([offsetAt(wall - DAY), offsetAt(wall + DAY)])].sort((a, b) => b - a);
      const fitting = nearby.filter((offset) => offsetAt(wall - offset) === offset);
      const [first = 0, last = first] = fitting.length === 0 ? nearby : fitting;
      if (fitting.length !== 1 && disambiguation === "reject") return { wrong: whyTwo(zone, fitting.length) };
      const offset = disambiguation === "later" ? last : first;
      return { iso: new Date(wall - offset).toISOString().replace(/\.000Z$/, `${local.slice(19)}Z`) };
    },
  };
}

function whyTwo(zone: string, fitting: number): string {
  const why = fitting === 0 ? "clocks are set forward over it" : "clocks are set back over it";
  return `which ${zone} has ${fitting === 0 ? "never" : "twice"}, because ${why}: say "disambiguation": "earlier" or "later" in the layout`;
}

/** Asking Intl takes microseconds, so its answers are kept for a quarter of an hour each; since 1970 offsets change only between them. */
function createOffsets(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, calendar: "iso8601", hourCycle: "h23", era: "short" },
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  const known = new Map<number, number>();
  const ask = (instant: number): number => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const { year, month, day, hour, minute, second } = parts;
    const local = new Date(0);
    local.setUTCFullYear(/^B/.test(parts.era ?? "") ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
    local.setUTCHours(Number(hour), Number(minute), Number(second));
    return local.getTime() - 1000 * Math.floor(instant / 1000);
  };
  return (instant) => {
    if (instant < 0) return ask(instant);
    const key = Math.floor(instant / QUARTER);
    let offset = known.get(key);
    if (offset === undefined) {
      if (known.size > 100_000) known.clear();
      offset = ask(instant);
      known.set(key, offset);
    }
    return offset;
  };
}
