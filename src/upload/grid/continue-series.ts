// Finds what comes after some cells when they are dragged on: the series that they begin, else the same cells again.

interface Step {
  /** Returns the cell so many steps after the last. */
  after(steps: number): string;
}

/**
 * `source`: the cells of one column, in order. One cell is copied; two or more are continued if they are equally far apart.
 * @example continueSeries(["7", "9"], 2) // ["11", "13"]
 */
export function continueSeries(source: readonly string[], count: number): string[] {
  const step = source.length < 2 ? undefined : (numberStep(source) ?? dateStep(source) ?? numberedTextStep(source));
  return Array.from({ length: count }, (_, i) => (step ? step.after(i + 1) : (source[i % source.length] ?? "")));
}

/** Matches a number such as `-1.50`: at most 15 digits, and as many decimals in each. */
const NUMBER = /^(-?)(\d{1,15})(?:([.,])(\d{1,6}))?$/;

function numberStep(source: readonly string[]): Step | undefined {
  const read = source.map((text) => NUMBER.exec(text));
  const first = read[0];
  if (!first || read.some((one) => one?.[3] !== first[3] || one?.[4]?.length !== first[4]?.length)) return undefined;
  const decimals = first[4]?.length ?? 0;
  const width = read.some((one) => /^0\d/.test(one?.[2] ?? "")) ? (first[2]?.length ?? 0) : 1; // 007 and 008 have leading zeros
  if (width > 1 && read.some((one) => one?.[2]?.length !== width)) return undefined;
  const values = read.map((one) => BigInt(`${one?.[1]}${one?.[2]}${one?.[4] ?? ""}`));
  const by = constantDifference(values);
  if (by === undefined) return undefined;
  return {
    after(steps) {
      const value = (values.at(-1) as bigint) + by * BigInt(steps);
      const digits = (value < 0n ? -value : value).toString().padStart(width + decimals, "0");
      const whole = digits.slice(0, digits.length - decimals);
      return `${value < 0n ? "-" : ""}${whole}${decimals > 0 ? `${first[3]}${digits.slice(-decimals)}` : ""}`;
    },
  };
}

function constantDifference(values: readonly bigint[]): bigint | undefined {
  const differences = values.slice(1).map((value, i) => value - (values[i] as bigint));
  return differences.every((one) => one === differences[0]) ? differences[0] : undefined;
}

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY = 86_400_000; // ms

/** Steps by the same day of months that are equally far apart, else days that are. */
function dateStep(source: readonly string[]): Step | undefined {
  const days = source.map(dayOf);
  if (days.some((day) => day === undefined)) return undefined;
  const dates = days.map((day) => new Date((day as number) * DAY));
  const months = dates.map((date) => BigInt(date.getUTCFullYear() * 12 + date.getUTCMonth()));
  const byMonth = constantDifference(months);
  const dayOfMonth = (dates[0] as Date).getUTCDate();
  if (byMonth && dayOfMonth <= 28 && dates.every((date) => date.getUTCDate() === dayOfMonth)) {
    const last = Number(months.at(-1)) - 2000 * 12; // a year below 100 would be taken for one of the last century
    return { after: (steps) => isoOf(Date.UTC(2000, last + Number(byMonth) * steps, dayOfMonth)) };
  }
  const by = constantDifference(days.map((day) => BigInt(day as number)));
  return by === undefined ? undefined : { after: (steps) => isoOf(((days.at(-1) as number) + Number(by) * steps) * DAY) };
}

/** Days since 1970; undefined when the text is no day of the calendar. */
function dayOf(text: string): number | undefined {
  const [, year, month, day] = (ISO_DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || year < 1000) return undefined;
  const at = Date.UTC(year, month - 1, day);
  return isoOf(at) === text ? at / DAY : undefined;
}

function isoOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
}

/** Finds the step of texts such as `A-7`, `A-8`: the same text, with a letter in it, before numbers that are continued. */
function numberedTextStep(source: readonly string[]): Step | undefined {
  const read = source.map((text) => /^(.*\D)(\d{1,15})$/s.exec(text));
  const before = read[0]?.[1];
  if (before === undefined || !/\p{L}/u.test(before) || read.some((one) => one?.[1] !== before)) return undefined;
  const step = numberStep(read.map((one) => one?.[2] ?? ""));
  return step && { after: (steps) => `${before}${step.after(steps)}` };
}
