// Finds the references to a collection and from it, and says which fields of a parent are shown.
// Pages need this without the code of references.ts, which validates them.

import type { Collection } from "./collections.ts";
import type { Field, ReferenceField } from "./fields.ts";

/** Returns every reference to the named collection, each with the collection that has it, which may be the named one itself. */
export function childrenOf<Child extends { references: readonly ReferenceField[] }>(
  collections: readonly Child[],
  { name }: { name: string },
): { child: Child; field: ReferenceField }[] {
  return collections.flatMap((child) =>
    child.references.filter(({ reference }) => reference.collection === name).map((field) => ({ child, field })),
  );
}

/** Holds a reference and the collection that it leads to. */
export interface Parent {
  field: ReferenceField;
  parent: Collection;
}

/** Returns the references of `collection`, without those to a collection that is not among `collections`, such as one that the caller may not read. */
export function parentsOf(collection: Collection, collections: readonly Collection[]): Parent[] {
  return collection.references.flatMap((field) => {
    const parent = collections.find(({ name }) => name === field.reference.collection);
    return parent ? { field, parent } : [];
  });
}

/** Returns the fields of a parent that answers show, its key first. */
export function shownFields({ key, label }: Collection): Field[] {
  return [...new Set([key, ...label])];
}
