// The fields of parents by which the list of a collection is filtered, such as `customer.city`.

import { parentsOf } from "./children.ts";
import type { Collection } from "./collections.ts";
import type { Field, ReferenceField } from "./fields.ts";
import { SERVICE_TIMES } from "./filters.ts";
import { lookupName } from "./lookup-name.ts";

const together = new WeakMap<Collection, readonly Collection[]>();

/** Notes which collections were read together, among which each one's parents are. */
export function keepTogether(collections: readonly Collection[]): void {
  for (const collection of collections) together.set(collection, collections);
}

/**
 * Returns what a list is filtered by of its parents, for each of its references. A field has the name that the filter has, and a title that says
 * whose it is. What a mask covers is not among them, nor who wrote a parent.
 */
export function fieldsOfParents(collection: Collection): { reference: ReferenceField; fields: Field[] }[] {
  return parentsOf(collection, together.get(collection) ?? []).map(({ field, parent }) => ({
    reference: field,
    fields: filteredBy(parent).map((of) => throughParent(field, of)),
  }));
}

/** Returns the field that a filter such as `customer.city` or, two steps up, `customer.region.name` names; undefined for every other name. */
export function fieldOfParent(collection: Collection, name: string, steps = 2): Field | undefined {
  const [as, ...rest] = name.split(".");
  const near = parentsOf(collection, together.get(collection) ?? []).find(({ field }) => field.reference.as === as);
  if (!near || steps === 0) return undefined;
  const above = rest.join(".");
  const of = filteredBy(near.parent).find((field) => field.name === above) ?? fieldOfParent(near.parent, above, steps - 1);
  return of && throughParent(near.field, of);
}

function filteredBy({ fields }: Collection): Field[] {
  return [...fields.filter(({ masked }) => !masked), ...SERVICE_TIMES];
}

function throughParent({ title, reference }: ReferenceField, of: Field): Field {
  return { ...of, name: lookupName(reference.as, of.name), title: `${title}: ${of.title}` };
}
