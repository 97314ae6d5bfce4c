// Finds what the user changed, and what someone else changed in the meantime.

import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { type Item, isSame, itemsOf, type Value } from "../../../core/dictionary/kinds.ts";
import { type Fields, validateRecord } from "../../../core/dictionary/validate.ts";
import { type Texts, textOf, textToValidate } from "../../values/field-text.ts";
import { fieldValue, type RecordValues } from "../../values/field-value.ts";

/** Returns the touched fields of `mine` that differ from `base`: the body of a PATCH. */
export function changedFields(base: RecordValues, mine: Readonly<Fields>, touched: readonly string[]): Fields {
  return Object.fromEntries(
    touched.filter((name) => !isSame(mine[name] ?? null, base[name] ?? null)).map((name) => [name, mine[name] ?? null]),
  );
}

/** Returns the texts that differ from what `base` would show. */
export function typedTexts(collection: Collection, base: RecordValues, texts: Readonly<Texts>): Texts {
  const typed = collection.fields.filter(({ name }) => texts[name] !== undefined);
  return Object.fromEntries(
    typed.flatMap((field) => {
      const text = texts[field.name] ?? "";
      return text === textOf(field, fieldValue(base, field)) ? [] : [[field.name, text]];
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
  /** Several values with what both have added, and without what either has taken out: then there is nothing to choose. */
  united?: readonly Item[];
}

/** Theirs with what was added to `was` in `mine`, and without what was taken out there. */
function unite(was: Value | null, theirs: Value | null, mine: Value | null): readonly Item[] {
  const [before, own] = [itemsOf(was), itemsOf(mine)];
  const left = itemsOf(theirs).filter((item) => own.includes(item) || !before.includes(item));
  return [...left, ...own.filter((item) => !before.includes(item) && !left.includes(item))];
}

/** Returns what was typed, with several values as both have changed them. */
export function unitedTexts(changes: readonly MeanwhileChange[], texts: Readonly<Texts>): Texts {
  const united = changes.flatMap(({ field, united }) => (united ? [[field.name, textOf(field, united.length > 0 ? united : null)]] : []));
  return { ...texts, ...Object.fromEntries(united) };
}

export function changedMeanwhile(collection: Collection, base: RecordValues, theirs: RecordValues, mine: RecordValues): MeanwhileChange[] {
  return collection.fields.flatMap((field) => {
    const [was, now] = [fieldValue(base, field), fieldValue(theirs, field)];
    if (isSame(was, now)) return [];
    const own = mine[field.name] === undefined ? was : fieldValue(mine, field);
    const clash = !isSame(own, was) && !isSame(own, now);
    const united = clash && field.item ? unite(was, now, own) : undefined;
    return { field, was, theirs: now, mine: own, clash: clash && !united, ...(united && { united }) };
  });
}
