// Recently read records, which then need no SQL. Only for a file that no other process writes.

import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Batch } from "../store.ts";

const MAX_RECORDS = 10_000; // for each collection, about 9 MB

interface CachedRecord {
  record: WireRecord;
  /** Is there once it was asked for: to write it anew took a tenth of a request. */
  json: string | undefined;
}

export interface RecordCache {
  read(collection: Collection, id: number): WireRecord | undefined;
  readJson(collection: Collection, id: number): { json: string; version: number } | undefined;
  /** Forgets every record of the batch, or of the erasure. Call it after each write, also a failed one, before the answer is sent. */
  forget(batch: Pick<Batch, "collection"> & { ops: readonly { id: number | null }[] }): void;
  /** Forgets all records, or those of a collection. */
  clear(collection?: Collection): void;
}

/** `readStored`: reads what is not in the cache. */
export function createRecordCache(readStored: (collection: Collection, id: number) => WireRecord | undefined): RecordCache {
  const caches = new Map<string, Map<number, CachedRecord>>();
  const cacheOf = ({ name }: Collection) => {
    let records = caches.get(name);
    if (!records) {
      records = new Map();
      caches.set(name, records);
    }
    return records;
  };
  const find = (collection: Collection, id: number): CachedRecord | undefined => {
    const records = cacheOf(collection);
    const known = records.get(id);
    if (known) return known;
    const record = readStored(collection, id);
    if (!record) return undefined;
    const cached: CachedRecord = { record, json: undefined };
    if (records.size >= MAX_RECORDS) records.clear();
    records.set(id, cached);
    return cached;
  };
  return {
    read: (collection, id) => find(collection, id)?.record,
    readJson(collection, id) {
      const found = find(collection, id);
      if (!found) return undefined;
      found.json ??= JSON.stringify(found.record);
      return { json: found.json, version: found.record.version };
    },
    // Ids that the store assigns were never in use, so none of them is cached.
    forget({ collection, ops }) {
      const records = cacheOf(collection);
      if (records.size > 0) for (const { id } of ops) if (id !== null) records.delete(id);
    },
    clear: (collection) => (collection ? cacheOf(collection).clear() : caches.clear()),
  };
}
