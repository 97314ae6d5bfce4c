// The rights that a deletion takes besides the one on the collection itself.

import type { Right } from "../contract/scopes.ts";
import { childrenOf } from "./children.ts";
import type { ReferenceField } from "./fields.ts";

interface Referring {
  name: string;
  references: readonly ReferenceField[];
}

/**
 * `delete` on each collection whose records are deleted along with a record of `collection`, and `update` where their references are
 * cleared. They are asked for even if no record refers to it, so that a refusal tells nobody whether one does.
 */
export function scopesAlongDeletion<One extends Referring>(
  collection: { name: string },
  collections: readonly One[],
): `${string}:${Right}`[] {
  const scopes = new Set<`${string}:${Right}`>();
  const going = new Set([collection.name]);
  for (const name of going) {
    for (const { child, field } of childrenOf(collections, { name })) {
      const { onDelete } = field.reference;
      if (onDelete === "cascade") going.add(child.name);
      if (onDelete !== "restrict") scopes.add(`${child.name}:${onDelete === "cascade" ? "delete" : "update"}`);
    }
  }
  scopes.delete(`${collection.name}:delete`); // of a collection that refers to itself
  return [...scopes];
}
