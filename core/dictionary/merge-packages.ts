// Brings two changes of one dictionary together, property by property.

import { canonical } from "./canonical.ts";
import { isObject } from "./fields.ts";

/** Both changed the same. `path`: a collection, or collection and field with a dot between; empty for the package itself. */
export interface PackageConflict {
  path: string;
  property: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

/** Says whose value counts where both changed the same. */
export type Preferred = "mine" | "theirs";

interface Found {
  conflicts: PackageConflict[];
  preferred: Preferred;
}

/**
 * Merges what `mine` and `theirs` changed of `base`. In all three everything has its id, as `identify` returns them. Where both changed the
 * same to different values, the preferred one counts and a conflict says so.
 */
export function mergePackages(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  preferred: Preferred = "theirs",
): { package: unknown; conflicts: PackageConflict[] } {
  const conflicts: PackageConflict[] = [];
  return { package: merge({ path: [], property: "" }, { base, mine, theirs }, { conflicts, preferred }), conflicts };
}

interface Three {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

interface Place {
  /** The names of the collection and of the field. */
  path: readonly string[];
  property: string;
}

function merge(place: Place, three: Three, found: Found): unknown {
  const { base, mine, theirs } = three;
  if (isSame(mine, base) || isSame(mine, theirs)) return theirs;
  if (isSame(theirs, base)) return mine;
  const before = base ?? {}; // both may have begun the same object
  if (isObject(before) && isObject(mine) && isObject(theirs)) return mergeObjects(place, { base: before, mine, theirs }, found);
  if (isIdentified(mine) && isIdentified(theirs)) return mergeLists(place, { base: isIdentified(base) ? base : [], mine, theirs }, found);
  if (isKeys(mine) && isKeys(theirs)) return mergeKeys(place, { base: isKeys(base) ? base : [], mine, theirs }, found);
  found.conflicts.push({ path: place.path.join("."), property: place.property, ...three });
  return found.preferred === "mine" ? mine : theirs;
}

function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

type Values = Record<string, unknown>;

function mergeObjects(place: Place, { base, mine, theirs }: Record<keyof Three, Values>, found: Found): Values {
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  const merged: Values = {};
  for (const name of names) {
    const property = place.property === "" || place.property === "schema" ? name : `${place.property}.${name}`;
    const value = merge({ ...place, property }, { base: base[name], mine: mine[name], theirs: theirs[name] }, found);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

interface Identified {
  id: string;
  name: string;
}

function isIdentified(given: unknown): given is Identified[] {
  return Array.isArray(given) && given.length > 0 && given.every((one) => isObject(one) && typeof one.id === "string");
}

/** Collections and fields: each by its id. The order is mine if I changed it and they did not, otherwise theirs; what is new comes last. */
function mergeLists(place: Place, { base, mine, theirs }: Record<keyof Three, Identified[]>, found: Found): unknown[] {
  const order = (list: readonly Identified[]) => list.map(({ id }) => id);
  const common = (list: readonly Identified[]) => order(list).filter((id) => base.some((one) => one.id === id));
  const isMineMoved = !isSame(common(mine), common(base)) && isSame(common(theirs), common(base));
  const [first, second] = isMineMoved ? [mine, theirs] : [theirs, mine];
  const ids = [...new Set([...order(first), ...order(second)])];
  return ids.flatMap((id) => {
    const of = (list: readonly Identified[]) => list.find((one) => one.id === id);
    const [old, own, their] = [of(base), of(mine), of(theirs)];
    const name = (their ?? own)?.name ?? "";
    const value = merge({ path: [...place.path, name], property: "" }, { base: old, mine: own, theirs: their }, found);
    return value === undefined ? [] : [value];
  });
}

interface Key {
  fields: unknown;
}

function isKeys(given: unknown): given is Key[] {
  return Array.isArray(given) && given.every((one) => isObject(one) && "fields" in one);
}

/** References: each by the field that refers. */
function mergeKeys(place: Place, { base, mine, theirs }: Record<keyof Three, Key[]>, found: Found): unknown[] {
  const nameOf = ({ fields }: Key) => String(fields);
  const names = [...new Set([...theirs, ...mine].map(nameOf))];
  return names.flatMap((name) => {
    const of = (list: readonly Key[]) => list.find((one) => nameOf(one) === name);
    const three = { base: of(base), mine: of(mine), theirs: of(theirs) };
    const value = merge({ path: [...place.path, name], property: "reference" }, three, found);
    return value === undefined ? [] : [value];
  });
}
