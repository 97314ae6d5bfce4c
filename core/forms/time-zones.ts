// Turns the time on a wall clock into an instant, with the rules that the platform has for the time zone.

/**
 * `wall`: a time as if it were in UTC, RFC 3339. Returns the instant, RFC 3339 in UTC. Undefined for a time that the zone's
 * clocks skip or show twice, and for a zone that the platform does not know.
 */
export function instantIn(zone: string, wall: string): string | undefined {
  const meant = Date.parse(wall);
  if (Number.isNaN(meant)) return undefined;
  if (zone === "UTC") return new Date(meant).toISOString();
  const format = formatOf(zone);
  if (!format) return undefined;
  // It compares the offsets of the day before and of the day after: they differ only around a change of the clocks.
  const near = [-1, 1].map((days) => meant - offsetAt(format, meant + days * 86_400_000));
  const fit = new Set(near.filter((instant) => instant + offsetAt(format, instant) === meant));
  const [instant] = fit;
  return fit.size === 1 && instant !== undefined ? new Date(instant).toISOString() : undefined;
}

/** Keeps them by time zone: making one takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat | undefined>();
const MOST_FORMATS = 50;

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(zone)) {
    let format: Intl.DateTimeFormat | undefined;
    try {
      const numeric = "2-digit";
      const parts = { year: "numeric", month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric } as const;
      format = new Intl.DateTimeFormat("en", { ...parts, timeZone: zone, hourCycle: "h23" });
    } catch {} // RangeError: not a zone
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(zone, format);
  }
  return formats.get(zone);
}

/** Returns the ms by which the wall clock is ahead of UTC. */
function offsetAt(format: Intl.DateTimeFormat, instant: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}

/** Says by how many ms the clocks there are ahead of UTC at a moment, in ms since 1970. A zone that the platform does not know counts as UTC. */
export function offsetIn(zone: string, at: number): number {
  const format = zone === "UTC" ? undefined : formatOf(zone);
  return format ? offsetAt(format, at) : 0;
}

/** Says that from a moment on, in ms since 1970, the clocks are so many ms ahead of UTC. */
export interface ClockShift {
  from: number;
  ahead: number;
}

const [FIRST_SHIFT, LAST_SHIFT, STEP] = [Date.UTC(1900, 0), Date.UTC(2100, 0), 5 * 86_400_000];
const shiftsByZone = new Map<string, readonly ClockShift[]>();

/** Returns all changes of a zone's clocks from 1900 to 2100, the earliest first; none for UTC. Before the first and after the last the clocks stay. */
export function clockShifts(zone: string): readonly ClockShift[] {
  const known = shiftsByZone.get(zone);
  if (known) return known;
  const shifts: ClockShift[] = [];
  for (let at = FIRST_SHIFT; zone !== "UTC" && at < LAST_SHIFT; at += STEP) {
    const ahead = offsetIn(zone, at);
    if (ahead !== shifts.at(-1)?.ahead)
      shifts.push({ from: shifts.length === 0 ? Number.NEGATIVE_INFINITY : changeBetween(zone, at - STEP, at), ahead });
  }
  const found = shifts.length === 1 && shifts[0]?.ahead === 0 ? [] : shifts;
  if (shiftsByZone.size >= MOST_FORMATS) shiftsByZone.clear();
  shiftsByZone.set(zone, found);
  return found;
}

/** Returns the second in which the clocks have the later offset first. */
function changeBetween(zone: string, before: number, after: number): number {
  const ahead = offsetIn(zone, after);
  let [low, high] = [before / 1_000, after / 1_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetIn(zone, middle * 1_000) === ahead) high = middle;
    else low = middle;
  }
  return high * 1_000;
}

const QUARTER = 900_000; // ms; no clock is changed between two quarters of an hour, and no day ends there
let latest: { zone: string; quarter: number; day: string } | undefined; // a file and a batch ask for each record

/** Returns the day that it is there now, or was lately, as YYYY-MM-DD. `at`: in ms since 1970. */
export function dayIn(zone: string, at: number): string {
  const quarter = Math.floor(at / QUARTER);
  if (latest?.zone !== zone || latest.quarter !== quarter)
    latest = { zone, quarter, day: new Date(at + offsetIn(zone, at)).toISOString().slice(0, 10) };
  return latest.day;
}
