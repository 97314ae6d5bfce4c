// Declares how records of a collection are compared to find those that are stored twice, and finds mistakes in it.

import { COMPARERS, type Comparer } from "../contract/duplicates.ts";
import type { Collection, Mistake } from "./collections.ts";
import { type Field, isObject } from "./fields.ts";
import { KIND_TRAITS } from "./kinds.ts";

/** Compares one field of two records; with "name" it may be several that make a name together. */
export interface Comparison {
  fields: readonly string[];
  as: Comparer;
  /** Points for values that are the same; those that are nearly the same get a part of them. */
  weight: number;
  /** Points that are taken away where both records have a value, and the two are different. */
  unlike?: number;
  /** Says, with "letters", how many letters may be wrong, added, left out or swapped; 1 unless it says 2. */
  letters?: 1 | 2;
  /** Says, with "date", how many days may lie between the two. */
  days?: number;
}

/** Says when two records mean the same, by the sum of the points of all comparisons. */
export interface Match {
  comparisons: readonly Comparison[];
  /** Points from which two records are the same. */
  same: number;
  /** Points from which somebody should look whether they are. */
  maybe: number;
}

/** Says which fields a way of comparing can compare, and how a refusal words it. */
const COMPARED: Record<Comparer, { compares(field: Field): boolean; needs: string }> = {
  exact: { compares: ({ item }) => !item, needs: "one value: records are not compared by several" },
  name: { compares: isText, needs: "type string" },
  phone: { compares: isText, needs: "type string" },
  email: { compares: isText, needs: "type string" },
  letters: { compares: isText, needs: "type string" },
  date: { compares: isDay, needs: "type date" },
};

/** Returns the ways in which the values of a field can be compared, the key's in none. */
export function comparersFor(field: Field): Comparer[] {
  return COMPARERS.filter((one) => COMPARED[one].compares(field));
}

function isText({ kind }: Field): boolean {
  return KIND_TRAITS[kind].isText === true;
}

function isDay({ kind }: Field): boolean {
  const { isTime, fromText } = KIND_TRAITS[kind];
  return isTime === true && fromText("2026-01-31") !== undefined;
}

/** Finds each mistake in `match` of the resources, with its JSON pointer. Passes over what has another shape: dictionary.schema.json refuses it. */
export function checkMatches(dataPackage: unknown, collections: readonly Collection[]): Mistake[] {
  const { resources } = dataPackage as { resources: readonly unknown[] };
  return resources.flatMap((resource, i) => {
    if (!isObject(resource) || !isObject(resource.match)) return [];
    const collection = collections.find(({ name }) => name === resource.name);
    return collection ? checkMatch(resource.match, collection, `/resources/${i}/match`) : [];
  });
}

function checkMatch({ comparisons, same, maybe }: Record<string, unknown>, collection: Collection, path: string): Mistake[] {
  const all = Array.isArray(comparisons) ? comparisons.filter(isObject) : [];
  const mistakes = all.flatMap((comparison, i) => checkComparison(comparison, collection, `${path}/comparisons/${i}`));
  if (typeof same === "number" && typeof maybe === "number" && maybe > same)
    mistakes.push({ path: `${path}/maybe`, message: "must not be above same" });
  return mistakes;
}

function checkComparison(comparison: Record<string, unknown>, collection: Collection, path: string): Mistake[] {
  const way = COMPARERS.find((one) => one === comparison.as);
  const names: unknown[] = Array.isArray(comparison.fields) ? comparison.fields : [];
  const mistakes = names.flatMap((name, i) => {
    const field = collection.byName.get(String(name));
    if (!field) return [{ path: `${path}/fields/${i}`, message: `there is no field "${name}"` }];
    if (field === collection.key)
      return [{ path: `${path}/fields/${i}`, message: `"${name}" is the key, which no two records have in common` }];
    if (!way || COMPARED[way].compares(field)) return [];
    return [{ path: `${path}/fields/${i}`, message: `must be a field of ${COMPARED[way].needs}` }];
  });
  if (way && way !== "name" && names.length > 1)
    mistakes.push({ path: `${path}/fields`, message: 'must be one field; only "name" compares several together' });
  if (comparison.letters !== undefined && way !== "letters")
    mistakes.push({ path: `${path}/letters`, message: 'must be left out: only "letters" counts them' });
  if (comparison.days !== undefined && way !== "date")
    mistakes.push({ path: `${path}/days`, message: 'must be left out: only "date" counts them' });
  return mistakes;
}

/** Returns the points that two records have at most. */
export function mostPoints({ comparisons }: Match): number {
  return comparisons.reduce((sum, { weight }) => sum + weight, 0);
}

/** Names a field anew; undefined where it is not compared any more in this way. */
export type NameOf = (name: string, as?: unknown) => string | undefined;

/** Says whether values of this type can be compared so. */
export function comparesType(as: unknown, type: unknown): boolean {
  if (as === "exact") return type !== "list";
  return type === (as === "date" ? "date" : "string");
}

/**
 * Returns the comparisons with other names of fields, without those of which a field has none (undefined) any more. Undefined where those
 * that are left can find nothing.
 */
export function withComparedFields(match: unknown, nameOf: NameOf): unknown {
  if (!isObject(match) || !Array.isArray(match.comparisons)) return match;
  const comparisons: unknown[] = match.comparisons.flatMap((one: unknown) => {
    if (!isObject(one) || !Array.isArray(one.fields)) return [one];
    const fields = one.fields.map((name) => (typeof name === "string" ? nameOf(name, one.as) : name));
    return fields.includes(undefined) ? [] : [{ ...one, fields }];
  });
  if (comparisons.length === match.comparisons.length) return { ...match, comparisons };
  const left = comparisons.reduce<number>((sum, one) => sum + (isObject(one) ? Number(one.weight) : 0), 0);
  return left < Number(match.maybe) ? undefined : { ...match, comparisons };
}

/** Returns the names of the fields that are compared. */
export function comparedFields({ comparisons }: Match): string[] {
  return [...new Set(comparisons.flatMap(({ fields }) => fields))];
}
