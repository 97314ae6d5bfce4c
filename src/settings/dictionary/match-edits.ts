// Reads, proposes and changes how a draft compares records to find duplicates.

import { COMPARERS, type Comparer } from "../../../core/contract/duplicates.ts";
import { type Field, isObject } from "../../../core/dictionary/fields.ts";
import { comparersFor } from "../../../core/dictionary/match.ts";
import { keyOf, type Package, type PackageResource } from "../../../core/dictionary/packages.ts";
import { changeResource, withWords } from "./package-edits.ts";
import { fieldsOf } from "./rule-fields.ts";

/** Holds it as a draft does: what is not chosen yet is missing, and what was typed and is no number is a text. */
export interface DraftedComparison {
  fields: readonly string[];
  as: Comparer;
  weight?: number | string;
  unlike?: number | string;
  letters?: number;
  days?: number | string;
}

/** Undefined takes a word out. */
export type ComparisonWords = { [Word in keyof DraftedComparison]?: DraftedComparison[Word] | undefined };

export interface DraftedMatch {
  comparisons: readonly DraftedComparison[];
  same?: number | string;
  maybe?: number | string;
}

/** Leaves out comparisons that were written by hand in another shape; undefined where the collection compares nothing. */
export function matchOf({ match }: PackageResource): DraftedMatch | undefined {
  if (!isObject(match)) return;
  const comparisons = Array.isArray(match.comparisons) ? match.comparisons.filter(isComparison) : [];
  return { ...(match as object), comparisons };
}

function isComparison(given: unknown): given is DraftedComparison {
  return isObject(given) && Array.isArray(given.fields) && COMPARERS.some((one) => one === given.as);
}

/** Undefined means that nothing is compared any more. */
export function setMatch(all: Package, at: number, match: DraftedMatch | undefined): Package {
  return changeResource(all, at, (resource) => withWords(resource, { match }));
}

/** Changes one comparison. What only another way of comparing has goes with it. */
export function withComparison(match: DraftedMatch, place: number, words: ComparisonWords): DraftedMatch {
  const change = (one: DraftedComparison): DraftedComparison => {
    const { letters, days, ...next } = withWords(one, words);
    const fields = next.as === "name" ? next.fields : next.fields.slice(0, 1);
    return { ...next, fields, ...(next.as === "letters" && letters && { letters }), ...(next.as === "date" && days && { days }) };
  };
  return { ...match, comparisons: match.comparisons.map((one, i) => (i === place ? change(one) : one)) };
}

/** Returns the fields that can be compared in one way, or in any. */
export function comparedFields(resource: PackageResource, as?: Comparer): Field[] {
  return fieldsOf(resource).filter((field) => {
    const ways = field.name === keyOf(resource) ? [] : comparersFor(field);
    return as ? ways.includes(as) : ways.length > 0;
  });
}

const NAME_POINTS = { weight: 6, unlike: 4 };
const ADDRESS_POINTS = { weight: 6, unlike: 0.5 }; // of an e-mail address
const PHONE_POINTS = { weight: 5, unlike: 0.5 };
const DAY_POINTS = { weight: 5, unlike: 5 };
const THRESHOLDS = { same: 9.5, maybe: 6 };

/** Proposes what fits people and firms: the name, and what few others have in common with them. Undefined where no field does. */
export function proposeMatch(resource: PackageResource): DraftedMatch | undefined {
  const fields = comparedFields(resource).filter(({ enum: list, reference, computed }) => !list && !reference && computed === undefined);
  const isLabel = ({ name, format }: Field) => format === undefined && (resource.label?.includes(name) ?? false);
  const names = fields.filter((field) => isLabel(field) && comparersFor(field).includes("name")).slice(0, 4);
  const of = (fits: (field: Field) => boolean, as: Comparer, points: object): DraftedComparison[] =>
    fields.filter(fits).map(({ name }) => ({ fields: [name], as, ...points }));
  const others = [
    ...of(({ format }) => format === "email", "email", ADDRESS_POINTS),
    ...of(({ format }) => format === "phone", "phone", PHONE_POINTS),
    ...of((field) => comparersFor(field).includes("date") && BIRTH.test(`${field.name} ${field.aliases.join(" ")}`), "date", DAY_POINTS),
  ];
  if (names.length === 0) return;
  const comparisons = [{ fields: names.map(({ name }) => name), as: "name" as const, ...NAME_POINTS }, ...others];
  return { comparisons, ...(others.length > 0 ? THRESHOLDS : { same: NAME_POINTS.weight, maybe: NAME_POINTS.weight / 2 }) };
}

const BIRTH = /birth|born|geburt|naissance|nacimiento/i;
const MOST_TOGETHER = 3; // comparisons that are named

/** Returns the fewest comparisons that reach so many points together if their values are the same, as places, those of one alone first. */
export function enoughTogether({ comparisons }: DraftedMatch, points: number | string | undefined): number[][] {
  if (typeof points !== "number") return [];
  const weights = comparisons.map(({ weight }) => (typeof weight === "number" ? weight : 0));
  const found: number[][] = [];
  const isMore = (places: readonly number[]) => found.some((fewer) => fewer.every((place) => places.includes(place)));
  let grown: number[][] = [[]];
  for (let n = 0; n < MOST_TOGETHER; n++) {
    grown = grown.flatMap((places) => weights.flatMap((_, i) => (i > (places.at(-1) ?? -1) ? [[...places, i]] : [])));
    const enough = grown.filter((places) => !isMore(places) && places.reduce((sum, i) => sum + (weights[i] ?? 0), 0) >= points);
    found.push(...enough);
  }
  return found;
}
