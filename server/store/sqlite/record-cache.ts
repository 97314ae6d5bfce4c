// The records that were read lately, so that one asked for again costs no SQL. Only for a file that nobody else writes.

import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Batch } from "../store.ts";

const MAX_RECORDS = 10_000; // of a collection, about 6 MB

export interface RecordCache {
  read(collection: Collection, id: number): WireRecord | undefined;
  keep(collection: Collection, id: number, record: WireRecord): void;
  /** All that a batch names: to be called whatever became of it, before anyone is told. */
  forget(batch: Batch): void;
}

export function createRecordCache(): RecordCache {
  const kept = new Map<string, Map<number, WireRecord>>();
  const cacheOf = ({ name }: Collection) => {
    let records = kept.get(name);
    if (!records) {
      records = new Map();
      kept.set(name, records);
    }
    return records;
  };
  return {
    read: (collection, id) => cacheOf(collection).get(id),
    keep(collection, id, record) {
      const records = cacheOf(collection);
      if (records.size >= MAX_RECORDS) records.clear();
      records.set(id, record);
    },
    // Ids that the store gives were never in use, so none of them was read.
    forget({ collection, ops }) {
      const records = cacheOf(collection);
      if (records.size > 0) for (const { id } of ops) if (id !== null) records.delete(id);
    },
  };
}
