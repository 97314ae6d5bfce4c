import type { WireRecord } from "../../core/contract/records.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Value } from "../../core/dictionary/kinds.ts";

/** A record, or some of its fields. */
export type RecordValues = Readonly<Record<string, WireRecord[string]>>;

/** Returns the value of a field of the dictionary; only `createdBy` and `updatedBy` are no values. */
export function fieldValue(record: RecordValues, { name }: Field): Value | null {
  return (record[name] ?? null) as Value | null;
}
