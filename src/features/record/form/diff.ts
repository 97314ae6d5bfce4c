// What the user changed, and what someone else changed in the meantime.

import type { Collection } from "../../../../core/dictionary/collections.ts";
import type { Field } from "../../../../core/dictionary/fields.ts";
import type { Value } from "../../../../core/dictionary/kinds.ts";
import { type Fields, validateRecord } from "../../../../core/dictionary/validate.ts";
import { type Texts, textOf, textToValidate } from "../../../fields/field-text.ts";

/** The touched fields of `mine` that differ from `base`: the body of a PATCH. */
export function changedFields(base: Readonly<Fields>, mine: Readonly<Fields>, touched: readonly string[]): Fields {
  return Object.fromEntries(
    touched.filter((name) => (mine[name] ?? null) !== (base[name] ?? null)).map((name) => [name, mine[name] ?? null]),
  );
}

/** The texts that differ from what `base` would show. */
export function typedTexts(collection: Collection, base: Readonly<Fields>, texts: Readonly<Texts>): Texts {
  const typed = collection.fields.filter(({ name }) => texts[name] !== undefined);
  return Object.fromEntries(
    typed.flatMap((field) => {
      const text = texts[field.name] ?? "";
      return text === textOf(field, base[field.name] ?? null) ? [] : [[field.name, text]];
    }),
  );
}

/** Texts parsed to values. An invalid text stays as it is. */
export function valuesOf(collection: Collection, texts: Readonly<Texts>): Fields {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => {
      const field = collection.byName.get(name);
      if (!field) return [];
      const validated = validateRecord(collection, { [name]: textToValidate(field, text) }, { from: "text", partial: true });
      return [[name, validated.record ? (validated.record[name] ?? null) : text || null]];
    }),
  );
}

/** A field that someone else changed. `clash`: the user changed it too, to another value. */
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
