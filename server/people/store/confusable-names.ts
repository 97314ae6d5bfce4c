// Names that people cannot tell apart, though computers can.

import unhomoglyph from "unhomoglyph";
import { foldName } from "../../../core/contract/names.ts";

/** A name is refused, because `confusableWith`, which is there already, looks like it. */
export interface Confusable {
  confusableWith: string;
}

/** Returns the first of the names of others that `name` looks like, or that is the same but for its case. */
export function findConfusable(name: string, others: readonly string[]): string | undefined {
  const [written, folded] = skeletonsOf(name);
  return others.find((other) => {
    const [asWritten, asFolded] = skeletonsOf(other);
    return asWritten === written || asFolded === folded;
  });
}

/** Works as `findConfusable`, told apart from a name that is taken. */
export function conflictOf(name: string, others: readonly string[]): "taken" | Confusable | undefined {
  const other = findConfusable(name, others);
  if (other === undefined) return undefined;
  const folded = foldName(name);
  return others.some((one) => foldName(one) === folded) ? "taken" : { confusableWith: other };
}

/** Returns it as it is written, where a capital I is an l; and in small letters, where it is an i. */
function skeletonsOf(name: string): [written: string, folded: string] {
  return [skeletonOf(name), skeletonOf(foldName(name)).toLowerCase()];
}

/** UTS #39, section 4: two texts with one skeleton are confusable. */
function skeletonOf(text: string): string {
  return unhomoglyph(text.normalize("NFD").replace(/\p{Default_Ignorable_Code_Point}/gu, "")).normalize("NFD");
}
