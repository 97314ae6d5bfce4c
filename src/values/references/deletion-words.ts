// Says what a deletion does to other records, in words, where they are not counted.

import { childrenOf } from "../../../core/dictionary/children.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { nounsOf } from "../record-name.ts";

/** Returns the words for the records that refer to deleted ones. Those that are in the way are left out, because the service names them. */
export function wordsForChildren(collections: readonly Collection[], deleted: Collection): string[] {
  const words = childrenOf(collections, deleted).flatMap(({ child, field }) => {
    const named = { nouns: child.title, field: field.title };
    const { onDelete } = field.reference;
    if (onDelete === "cascade") return t("{nouns} that refer to them are deleted with them.", named);
    return onDelete === "clear" ? t("{nouns} that refer to them stay without “{field}”.", named) : [];
  });
  return [...words, ...wordsForGrandchildren(collections, deletedAlong(collections, deleted))];
}

/** Returns the words for the records that refer to those of `children`, which are deleted along with a parent. */
export function wordsForGrandchildren(collections: readonly Collection[], children: readonly Collection[]): string[] {
  const words = new Set<string>();
  const parents = new Set(children);
  // What is added to a set is iterated, too.
  for (const parent of parents) {
    for (const { child, field } of childrenOf(collections, parent)) {
      const named = { nouns: child.title, field: field.title, parents: nounsOf(parent).nouns };
      const { onDelete } = field.reference;
      if (onDelete === "cascade") words.add(t("{nouns} that refer to these {parents} are deleted as well.", named));
      if (onDelete === "clear") words.add(t("{nouns} that refer to these {parents} stay without “{field}”.", named));
    }
    for (const child of deletedAlong(collections, parent)) parents.add(child);
  }
  return [...words];
}

function deletedAlong(collections: readonly Collection[], parent: Collection): Collection[] {
  return childrenOf(collections, parent).flatMap(({ child, field }) => (field.reference.onDelete === "cascade" ? child : []));
}
