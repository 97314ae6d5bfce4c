// Which collections refer to one. Apart from reading references, because the form of a record needs it.

import type { ReferenceField } from "./fields.ts";

/** The references to this collection, each with the collection that has it. */
export function childrenOf<Child extends { references: readonly ReferenceField[] }>(
  collections: readonly Child[],
  { name }: { name: string },
): { child: Child; field: ReferenceField }[] {
  return collections.flatMap((child) =>
    child.references.filter(({ reference }) => reference.collection === name).map((field) => ({ child, field })),
  );
}
