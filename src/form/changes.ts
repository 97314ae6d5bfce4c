// What the user changed, and what someone else changed meanwhile. Pure: records in, fields out.

import type { Fields } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import type { Value } from "../../dictionary/kinds.ts";

/** The fields of `mine` that differ from `base`, among those the user touched: the body of a PATCH. */
export function changedFields(base: Readonly<Fields>, mine: Readonly<Fields>, touched: readonly string[]): Fields {
  return Object.fromEntries(
    touched.filter((name) => (mine[name] ?? null) !== (base[name] ?? null)).map((name) => [name, mine[name] ?? null]),
  );
}

/** A field that someone else saved meanwhile; `clash` when the user changed it too, to something else. */
export interface MeanwhileChange {
  field: Field;
  was: Value | null;
  theirs: Value | null;
  mine: Value | null;
  clash: boolean;
}

export function changedMeanwhile(
  collection: Collection,
  base: Readonly<Fields>,
  theirs: Readonly<Fields>,
  mine: Readonly<Fields>,
): MeanwhileChange[] {
  return collection.fields.flatMap((field) => {
    const [was, now] = [base[field.name] ?? null, theirs[field.name] ?? null];
    if (was === now) return [];
    const own = mine[field.name] === undefined ? was : (mine[field.name] ?? null);
    return { field, was, theirs: now, mine: own, clash: own !== was && own !== now };
  });
}
