// Which columns were matched with which fields last time, by collection and headings, in IndexedDB. Keeps headings and field names, never rows.

import { type DBSchema, openDB } from "idb";
import type { RememberedMapping } from "../../pipeline/mapping/remembered-mapping.ts";
import { COLUMNS } from "./storage-names.ts";

export interface Mappings {
  /** None when the browser keeps no data or takes its time: a file is read whether its columns are remembered or not. */
  list(): Promise<RememberedMapping[]>;
  keep(mapping: RememberedMapping): Promise<void>;
  clear(): Promise<void>;
}

const MAX_MAPPINGS = 50; // header sets; older ones make room
const PATIENCE = 1_000; // ms

interface Schema extends DBSchema {
  mappings: { key: string; value: RememberedMapping; indexes: { usedAt: number } };
}

/** Opens (and on the first visit makes) the database. Keeping and clearing reject where the browser keeps no data, as in some private windows. */
export function openMappings(): Mappings {
  const opened = openDB<Schema>(COLUMNS, 1, {
    upgrade(db) {
      db.createObjectStore("mappings", { keyPath: "key" }).createIndex("usedAt", "usedAt");
    },
  });
  return {
    async list() {
      const tired = new Promise<RememberedMapping[]>((resolve) => setTimeout(() => resolve([]), PATIENCE));
      return Promise.race([opened.then((db) => db.getAll("mappings")).catch(() => []), tired]);
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
