// What the history keeps of one change of a record, the same on both engines.

import type { Operation, Source } from "../../core/contract/history.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { deletionVersion } from "./decide.ts";
import { OPERATION_BITS } from "./history/reads.ts";
import type { RowChange } from "./plan-write.ts";

/** The row of one change. `changes` is JSON. */
export interface EntryRow {
  id: number;
  version: number;
  operation: Operation;
  changes: string | null;
}

/** What all changes of one write have in common. `now` in ms since 1970; `by` is the number of the principal. */
export interface WriteStamp {
  now: number;
  by: number;
  source: Source;
  isRestore: boolean;
}

/** A write's `operations`: the bits of those that its entries have. */
export function operationsOf(entries: readonly EntryRow[]): number {
  return entries.reduce((bits, { operation }) => bits | OPERATION_BITS[operation], 0);
}

/**
 * A change is kept as old and new value of each field, a deleted record as its values. Of a new record nothing is kept: it stands in
 * its table, and what it lost since then stands in later entries.
 */
export function entryOf(collection: Collection, change: RowChange, isRestore: boolean): EntryRow {
  const { record } = change;
  const id = record[collection.key.name] as number;
  switch (change.outcome) {
    case "created":
      return { id, version: record.version, operation: isRestore ? "restored" : "created", changes: null };
    case "updated":
      return { id, version: record.version, operation: isRestore ? "restored" : "updated", changes: JSON.stringify(change.changes) };
    case "deleted":
      return { id, version: deletionVersion(record), operation: "deleted", changes: JSON.stringify(valuesOf(collection, record)) };
  }
}

/** The fields that have a value, but for the key. */
function valuesOf({ fields, key }: Collection, record: WireRecord): Record<string, unknown> {
  const given = fields.filter((field) => field !== key && (record[field.name] ?? null) !== null);
  return Object.fromEntries(given.map(({ name }) => [name, record[name]]));
}
