// More words about a record, which a list does not need.

import type { WireRecord } from "../../core/contract/records.ts";
import { labelOf } from "../../core/dictionary/categories.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Value } from "../../core/dictionary/kinds.ts";

/** A value that tells records of the same name apart: the first list field that is not part of the name. */
export function detailOf(collection: Collection, record: WireRecord): string {
  const field = collection.list.find((one) => !collection.label.includes(one) && (record[one.name] ?? null) !== null);
  return field ? labelOf(field, record[field.name] as Value) : "";
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
