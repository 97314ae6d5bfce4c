// More words about a record, which a list does not need.

import type { WireRecord } from "../../core/contract/records.ts";
import { labelOf } from "../../core/dictionary/categories.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";

/** A value that tells records of the same name apart: the first list field that is not part of the name, and no number of another record. */
export function detailOf(collection: Collection, record: WireRecord): string {
  const isDetail = (one: Field) => !collection.label.includes(one) && !one.reference && !one.item && (record[one.name] ?? null) !== null;
  const field = collection.list.find(isDetail);
  return field ? labelOf(field, record[field.name] as Value) : "";
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
