// Says which collections refer to one, and to which it refers. Apart from references.ts, because forms need it.

import type { Collection } from "./collections.ts";
import type { Field, ReferenceField } from "./fields.ts";

/** The references to this collection, each with the collection that has it. */
export function childrenOf<Child extends { references: readonly ReferenceField[] }>(
  collections: readonly Child[],
  { name }: { name: string },
): { child: Child; field: ReferenceField }[] {
  return collections.flatMap((child) =>
    child.references.filter(({ reference }) => reference.collection === name).map((field) => ({ child, field })),
  );
}

/** A reference with the collection that it leads to. */
export interface Parent {
  field: ReferenceField;
  parent: Collection;
}

/** Without those whose collection is not among these. */
export function parentsOf(collection: Collection, collections: readonly Collection[]): Parent[] {
  return collection.references.flatMap((field) => {
    const parent = collections.find(({ name }) => name === field.reference.collection);
    return parent ? { field, parent } : [];
  });
}

/** Returns what answers have of a parent. */
export function shownFields({ key, label }: Collection): Field[] {
  return [...new Set([key, ...label])];
}
