// Says how alike two records are, and why: the same in the form, in an upload and in the service.

import type { Comparer, Found, Reason } from "../contract/duplicates.ts";
import { foldWords } from "../text/fold.ts";
import { type ComparedName, compareToName, toComparedName } from "../text/similar-names.ts";
import { slips } from "../text/similarity.ts";
import type { Comparison, Match } from "./match.ts";

export interface Likeness {
  /** Points of all comparisons together. */
  score: number;
  /** Undefined: they are different, as far as their values say. */
  level: "same" | "maybe" | undefined;
  reasons: Reason[];
}

type AnyRecord = Readonly<Record<string, unknown>>;
type Compared = string | NameLater | undefined;

/** A name is taken apart when it is asked for: most records are told apart by their other values. */
export class NameLater {
  readonly #texts: readonly string[];
  #name: ComparedName | null | undefined;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  /** Returns undefined for a name without words. */
  get name(): ComparedName | undefined {
    if (this.#name === undefined) this.#name = toComparedName(this.#texts) ?? null;
    return this.#name ?? undefined;
  }
}

/** A record whose values are ready to be compared, by one `Match`: a value for each of its comparisons. */
export type ComparedRecord = readonly Compared[];

/** The part of the weight that such a finding gets. A name of which two letters are wrong gets less. */
const SHARES: Record<Found, number> = {
  same: 1,
  swapped: 1,
  letters: 0.85,
  days: 0.8,
  longer: 0.8,
  initials: 0.7,
  part: 0.3,
  different: 0,
};
const LETTERS_MORE = 0.15; // less of the weight for each further letter

interface Way {
  /** Returns undefined for a record that has nothing to compare. */
  prepare(texts: readonly string[]): Compared;
  compare(one: never, other: never, comparison: Comparison): Pick<Reason, "found" | "letters">;
}

const WAYS: Record<Comparer, Way> = {
  exact: { prepare: ([text]) => text || undefined, compare: sameOr(() => different) },
  name: { prepare: (texts) => new NameLater(texts), compare: (one: ComparedName, other: ComparedName) => compareToName(one, other) },
  phone: { prepare: ([text]) => digitsOf(text), compare: sameOr(comparePhones) },
  email: { prepare: ([text = ""]) => text.trim().toLowerCase() || undefined, compare: sameOr((one, other) => within(one, other, 1, 8)) },
  letters: {
    prepare: ([text = ""]) => foldWords(text).join(" ") || undefined,
    compare: sameOr((one, other, { letters = 1 }) => within(one, other, letters, 4)),
  },
  date: { prepare: ([text]) => text || undefined, compare: sameOr(compareDates) },
};

const different = { found: "different" } as const;

function sameOr(otherwise: (one: string, other: string, comparison: Comparison) => Pick<Reason, "found" | "letters">) {
  return (one: string, other: string, comparison: Comparison) =>
    one === other ? ({ found: "same" } as const) : otherwise(one, other, comparison);
}

/** In texts that are shorter than `least` one other letter is another text. */
function within(one: string, other: string, most: number, least: number): Pick<Reason, "found" | "letters"> {
  if (Math.min(one.length, other.length) < least) return different;
  const letters = slips(one, other, most);
  return letters <= most ? { found: "letters", letters } : different;
}

const SHORTEST_NUMBER = 6; // digits
const COUNTRY_CODE = 3; // digits at most

/**
 * Returns the digits of a number without those that are dialled only from abroad or at home. Undefined for one that is too short to mean
 * somebody.
 */
export function digitsOf(text = ""): string | undefined {
  const [number = ""] = text.replace("(0)", "").split(/[ex#]/i);
  const digits = number.replace(/\D/g, "").replace(/^0+/, "");
  return digits.length >= SHORTEST_NUMBER ? digits : undefined;
}

/** One of the two may be written without the code of its country. */
function comparePhones(one: string, other: string): Pick<Reason, "found" | "letters"> {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.length - short.length <= COUNTRY_CODE && long.endsWith(short)) return { found: "same" };
  return within(one, other, 1, 8);
}

const DAY = 86_400_000; // ms
const YEAR = 5; // characters, with the hyphen behind it

/** Dates are near that differ by few days, by one digit, or by day and month that are swapped. */
function compareDates(one: string, other: string, { days = 0 }: Comparison): Pick<Reason, "found" | "letters"> {
  if (days > 0 && Math.abs(Date.parse(one) - Date.parse(other)) <= days * DAY) return { found: "days" };
  if (one.startsWith(other.slice(0, YEAR)) && one.slice(YEAR, -3) === other.slice(-2) && one.slice(-2) === other.slice(YEAR, -3))
    return { found: "swapped" };
  return within(one, other, 1, 8);
}

/** Prepares a record, so that it can be compared with many. */
export function toCompared({ comparisons }: Match, record: AnyRecord): ComparedRecord {
  return comparisons.map(({ fields, as }) => {
    const texts = fields.map((name) => record[name]).filter((value) => value !== null && value !== undefined && value !== "");
    return texts.length === 0 ? undefined : WAYS[as].prepare(texts.map(String));
  });
}

/** Compares two records that `toCompared` has prepared by the same `match`. Those that are different have no reasons, and at most this score. */
export function compareRecords(match: Match, one: ComparedRecord, other: ComparedRecord): Likeness {
  const { comparisons, same, maybe } = match;
  const findings: (Reason | undefined)[] = [];
  let score = 0; // at most, as long as not all is compared
  for (let i = 0; i < comparisons.length; i++)
    if (one[i] !== undefined && other[i] !== undefined) score += (comparisons[i] as Comparison).weight;
  for (const i of orderOf(match)) {
    if (one[i] === undefined || other[i] === undefined) continue;
    const comparison = comparisons[i] as Comparison;
    const { fields, as, weight, unlike = 0 } = comparison;
    const [a, b] = [ready(one[i]), ready(other[i])];
    if (a === undefined || b === undefined)
      score -= weight; // a name without words is not compared
    else {
      const finding = WAYS[as].compare(a as never, b as never, comparison);
      score -= weight - (finding.found === "different" ? -unlike : weight * shareOf(finding));
      if (score >= maybe - HAIR) findings[i] = { fields, as, ...finding };
    }
    if (score < maybe - HAIR) return { score, level: undefined, reasons: NONE };
  }
  score = Math.round(score * 100) / 100;
  const reasons = findings.filter((reason) => reason !== undefined);
  return { score, level: score >= same ? "same" : score >= maybe ? "maybe" : undefined, reasons };
}

const NONE: Reason[] = [];
const orders = new WeakMap<Match, readonly number[]>();

/** Returns the places of the comparisons. Names come last: they take the longest, and often the others say already that two records are different. */
function orderOf(match: Match): readonly number[] {
  const known = orders.get(match);
  if (known) return known;
  const places = [...match.comparisons.keys()];
  const isName = (place: number) => match.comparisons[place]?.as === "name";
  const order = [...places.filter((place) => !isName(place)), ...places.filter(isName)];
  orders.set(match, order);
  return order;
}

function ready(value: Compared): string | ComparedName | undefined {
  return value instanceof NameLater ? value.name : value;
}

const HAIR = 1e-6; // points, by which sums of fractions may be too small

function shareOf({ found, letters = 1 }: Pick<Reason, "found" | "letters">): number {
  return SHARES[found] - (letters - 1) * LETTERS_MORE;
}
