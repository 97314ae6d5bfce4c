// Filters through a parent and its parent (`order.customer.city`), made for the request that names them.

import { type Parent, parentsOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { httpErrors } from "./errors.ts";
import { type AskedFilter, filterParameters, ofParent, throughOf } from "./filters.ts";
import type { Parameter } from "./query-parameters.ts";

/** The parent of a parent, with the reference to it. */
interface FarParent {
  near: Parent;
  far: Parent;
}

/** Returns the filters that a list has for this query: those of the collection and its parents, and those through two that the query names. */
export function filtersOf(
  collection: Collection,
  parents: readonly Parent[],
  { query, collections }: { query: unknown; collections: readonly Collection[] },
): Record<string, Parameter<AskedFilter>> {
  const own = filterParameters(collection, parents);
  const named = farParentsIn(query, parents, collections);
  if (named.length === 0) return own;
  refuseFarther(query, named, collections);
  return { ...own, ...Object.fromEntries(named.flatMap(throughBoth)) };
}

/** Returns the parents of parents that filters of a query lead through, however they are spelled: `order.customer.city`, `filter[order][customer][city]`. */
export function farParentsIn(query: unknown, parents: readonly Parent[], collections: readonly Collection[]): FarParent[] {
  const paths = pathsIn(query);
  if (paths.length === 0) return [];
  return parents.flatMap((near) =>
    parentsOf(near.parent, collections).flatMap((far) =>
      paths.some((path) => leadsThrough(path, asOf(near), asOf(far))) ? [{ near, far }] : [],
    ),
  );
}

interface Path {
  parameter: string;
  words: readonly string[];
}

/** Returns the parameters whose names have at least three words. */
function pathsIn(query: unknown): Path[] {
  const paths = Object.keys(query as object).map((parameter) => ({ parameter, words: parameter.split(/[.[\]]+/) }));
  return paths.filter(({ words }) => words.length > 2);
}

const asOf = ({ field }: Parent) => field.reference.as;

/** Says whether these words stand one behind the other, and a field behind them. */
function leadsThrough({ words }: Path, ...parents: readonly string[]): boolean {
  return words.some((_, i) => i + parents.length < words.length && parents.every((word, j) => words[i + j] === word));
}

function throughBoth({ near, far }: FarParent): [string, Parameter<AskedFilter>][] {
  const beginning = `${asOf(far)}.`;
  const ofFar = Object.entries(filterParameters(near.parent, [far])).filter(([name]) => name.startsWith(beginning));
  return ofFar.map(([name, parameter]) => [`${asOf(near)}.${name}`, ofParent(parameter, throughOf(near))]);
}

function refuseFarther(query: unknown, named: readonly FarParent[], collections: readonly Collection[]): void {
  const paths = pathsIn(query);
  const errors = named.flatMap(({ near, far }) =>
    parentsOf(far.parent, collections).flatMap((farther) =>
      paths
        .filter((path) => leadsThrough(path, asOf(near), asOf(far), asOf(farther)))
        .map(({ parameter }) => ({ parameter, code: "BAD_PARAMETER", detail: "A filter leads through two parents at most." })),
    ),
  );
  if (errors.length > 0) throw httpErrors.badParameters(errors);
}
