// Says more about a record than a list needs.

import type { WireRecord } from "../../core/contract/records.ts";
import { labelOf } from "../../core/dictionary/categories.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";

/** Returns the list fields with a value that is not part of the name, and no number of another record: they tell records of the same name apart. */
export function detailFields({ label, list }: Collection, record: WireRecord): Field[] {
  return list.filter((one) => !label.includes(one) && !one.reference && !one.item && (record[one.name] ?? null) !== null);
}

/** Returns the first value that tells records of the same name apart. */
export function detailOf(collection: Collection, record: WireRecord): string {
  const [field] = detailFields(collection, record);
  return field ? labelOf(field, record[field.name] as Value) : "";
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
