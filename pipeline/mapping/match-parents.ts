// Matches headings of a file with fields of the parents that its rows name, as a proposal for the user.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { Lookup } from "../../core/dictionary/references.ts";
import { bareName } from "../../core/text/similarity.ts";
import { fieldsThatFill, isUnnamed, namesOf } from "./match-columns.ts";

/**
 * Matches headings that no field has with unique fields of parents by their own names, such as "Account number", and then with what else
 * the file says of these parents. A name that two parents have says nothing.
 */
export function matchParents(collection: Collection, header: readonly string[], before: readonly (string | null)[]): (string | null)[] {
  const columns = [...before];
  const { lookups, parents, parentFields } = collection;
  if (!parents) return columns;
  const isTaken = (fills: string) => fieldsThatFill(collection, fills).some((name) => columns.includes(name));
  for (const [all, isFree] of [
    [lookups, (fills: string) => !isTaken(fills)],
    [parentFields ?? lookups, isTaken],
  ] as const) {
    const free = [...all.values()].filter(({ name, fills }) => !columns.includes(name) && isFree(fills));
    for (const [i, heading] of header.entries()) {
      const bare = bareName(heading);
      if (columns[i] !== null || bare === "" || !isUnnamed(collection, heading)) continue;
      const isMeant = ({ fills, by }: (typeof free)[number]) => {
        const own = parents.get(fills)?.collection.byName.get(by);
        return own !== undefined && namesOf(own).some((name) => bareName(name) === bare);
      };
      const [only, ...others] = free.filter(isMeant);
      if (only && others.length === 0 && !columns.includes(only.name)) columns[i] = only.name;
    }
  }
  return columns;
}

/** Returns the fields of parents that have a column while none says which parent is meant: nothing would be done with their cells. */
export function fieldsWithoutParent(collection: Collection, columns: readonly (string | null)[]): Lookup[] {
  const isNamed = (fills: string) => fieldsThatFill(collection, fills).some((name) => columns.includes(name));
  return [...(collection.parentFields?.values() ?? [])].filter(({ name, fills }) => columns.includes(name) && !isNamed(fills));
}
