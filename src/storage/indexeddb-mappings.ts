// How columns were matched with fields last time, by collection and headings, in IndexedDB.

import { type DBSchema, openDB } from "idb";
import type { RememberedMapping } from "../../pipeline/mapping/remembered-mapping.ts";
import { COLUMNS } from "./storage-names.ts";

export interface Mappings {
  /** Empty when the browser stores nothing or is slow: reading a file does not wait for it. */
  list(): Promise<RememberedMapping[]>;
  keep(mapping: RememberedMapping): Promise<void>;
  clear(): Promise<void>;
}

const MAX_MAPPINGS = 50; // older ones are deleted
const PATIENCE = 1_000; // ms

interface Schema extends DBSchema {
  mappings: { key: string; value: RememberedMapping; indexes: { usedAt: number } };
}

/**
 * Opens (and at first creates) the database. `keep` and `clear` reject where the browser stores nothing, as in some private
 * windows.
 */
export function openMappings(): Mappings {
  const opened = openDB<Schema>(COLUMNS, 1, {
    upgrade(db) {
      db.createObjectStore("mappings", { keyPath: "key" }).createIndex("usedAt", "usedAt");
    },
    blocking: (_, __, event) => (event.target as IDBDatabase).close(), // another tab deletes it, or has a newer version
  });
  return {
    async list() {
      const timeout = new Promise<RememberedMapping[]>((resolve) => setTimeout(() => resolve([]), PATIENCE));
      return Promise.race([opened.then((db) => db.getAll("mappings")).catch(() => []), timeout]);
    },
    async keep(mapping) {
      const db = await opened;
      await db.put("mappings", mapping);
      const keys = await db.getAllKeysFromIndex("mappings", "usedAt");
      for (const old of keys.slice(0, -MAX_MAPPINGS)) await db.delete("mappings", old);
    },
    async clear() {
      await (await opened).clear("mappings");
    },
  };
}
