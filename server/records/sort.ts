// The order of a list: `sort=customer,-total`, made total by the key, and the place of a record in it.

import type { WireRecord } from "../../core/contract/records.ts";
import type { Parent } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import type { Value } from "../../core/dictionary/kinds.ts";
import { sortValue } from "../engine/columns.ts";
import type { ReadOptions, SortTerm, Store } from "../engine/store.ts";
import type { Parameter } from "../http/query-parameters.ts";
import { readParentsOf } from "./expand.ts";

const MAX_SORT_FIELDS = 4;

/** A term that names a parent stays one; `totalOrder` puts in its place what the parent is called. */
export function sortParameter(collection: Collection, parents: readonly Parent[]): Parameter<SortTerm[]> {
  const names = [
    ...collection.fields.flatMap(({ name, masked, item, isPerson }) => (masked || item || isPerson ? [] : name)),
    ...parents.map(({ field }) => field.reference.as),
    "createdAt",
    "updatedAt",
  ];
  return {
    expects: `up to ${MAX_SORT_FIELDS} of ${names.join(", ")}, each once, with commas between and - before a descending one`,
    // A list of all names, with and without -, would be a tenth of the document.
    schema: { type: "array", items: { type: "string", pattern: `^-?(${names.join("|")})$` }, minItems: 1, maxItems: MAX_SORT_FIELDS },
    read(given) {
      const terms = given.split(",").map((word) => ({ name: word.replace(/^-/, ""), descending: word.startsWith("-") }));
      const isUsable = terms.length <= MAX_SORT_FIELDS && terms.every(({ name }) => names.includes(name));
      return isUsable && new Set(terms.map(({ name }) => name)).size === terms.length ? terms : undefined;
    },
  };
}

/**
 * Returns the order made total by the key, in the direction of the term before it, so that one index serves it both ways. In the place of a
 * parent stand the fields of its label, and the field that refers, so that the records of one parent stay together.
 */
export function totalOrder(collection: Collection, parents: readonly Parent[], sort: readonly SortTerm[]): SortTerm[] {
  const terms = sort.flatMap((term) => {
    const named = parents.find(({ field }) => field.reference.as === term.name);
    return named ? termsOfParent(named, term.descending) : [term];
  });
  const { name: key } = collection.key;
  const all = [...terms, { name: key, descending: sort.at(-1)?.descending ?? false }];
  const once = all.filter((term, i) => term.through || all.findIndex(({ name, through }) => !through && name === term.name) === i);
  return once.slice(0, once.findIndex(({ name, through }) => !through && name === key) + 1); // ids are unique: terms after it change nothing
}

function termsOfParent({ field, parent }: Parent, descending: boolean): SortTerm[] {
  const through = { field: field.name, column: columnName(field), collection: parent.name, keyColumn: columnName(parent.key) };
  const label = parent.label.filter((one) => one !== parent.key);
  return [...label.map((of) => ({ name: of.name, descending, through: { ...through, of } })), { name: field.name, descending }];
}

export function reversed(order: readonly SortTerm[]): SortTerm[] {
  return order.map((term) => ({ ...term, descending: !term.descending }));
}

/** Returns the sort values of each record, one per term. Those of parents are read anew. */
export async function placesOf(
  records: readonly WireRecord[],
  sort: readonly SortTerm[],
  { collection, parents, store, options }: { collection: Collection; parents: readonly Parent[]; store: Store; options: ReadOptions },
): Promise<(Value | null)[][]> {
  const sorted = parents.filter(({ field }) => sort.some(({ through }) => through?.field === field.name));
  const found = new Map(
    await Promise.all(sorted.map(async (one) => [one.field.name, await readParentsOf(store, records, one, options)] as const)),
  );
  return records.map((record) =>
    sort.map(({ name, through }) => {
      if (!through) return sortValue(collection, record, name);
      const parent = parents.find(({ field }) => field.name === through.field)?.parent;
      const known = found.get(through.field)?.get(record[through.field] as number);
      return parent && known ? sortValue(parent, known, name) : null;
    }),
  );
}
