// Recently read records, which then need no SQL. Only for a file that no other process writes.

import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Batch } from "../store.ts";

const MAX_RECORDS = 10_000; // for each collection, about 6 MB

export interface RecordCache {
  read(collection: Collection, id: number): WireRecord | undefined;
  add(collection: Collection, id: number, record: WireRecord): void;
  /** Forgets every record of the batch, or of the erasure. Call it after each write, also a failed one, before the answer is sent. */
  forget(batch: Pick<Batch, "collection"> & { ops: readonly { id: number | null }[] }): void;
  /** Forgets everything. */
  clear(): void;
}

export function createRecordCache(): RecordCache {
  const caches = new Map<string, Map<number, WireRecord>>();
  const cacheOf = ({ name }: Collection) => {
    let records = caches.get(name);
    if (!records) {
      records = new Map();
      caches.set(name, records);
    }
    return records;
  };
  return {
    read: (collection, id) => cacheOf(collection).get(id),
    add(collection, id, record) {
      const records = cacheOf(collection);
      if (records.size >= MAX_RECORDS) records.clear();
      records.set(id, record);
    },
    // Ids that the store assigns were never in use, so none of them is cached.
    forget({ collection, ops }) {
      const records = cacheOf(collection);
      if (records.size > 0) for (const { id } of ops) if (id !== null) records.delete(id);
    },
    clear: () => caches.clear(),
  };
}
