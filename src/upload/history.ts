// The uploads that ended on this computer, newest first, in IndexedDB. Keeps counts and file names, never rows.

import { type DBSchema, openDB } from "idb";
import type { Report } from "./report.ts";

export interface PastUpload {
  id: string;
  collection: string;
  fileName: string;
  /** Epoch milliseconds. */
  endedAt: number;
  report: Pick<Report, "counts" | "rowsRead" | "seconds" | "ended">;
}

export interface History {
  add(upload: PastUpload): Promise<void>;
  list(): Promise<PastUpload[]>;
  clear(): Promise<void>;
}

interface Schema extends DBSchema {
  uploads: { key: string; value: PastUpload; indexes: { endedAt: number } };
}

const KEPT = 100; // uploads; older ones make room

/** Opens (and on the first visit makes) the database. Rejects where the browser keeps no data, as in some private windows. */
export function openHistory(): History {
  const opened = openDB<Schema>("intake", 1, {
    upgrade(db) {
      db.createObjectStore("uploads", { keyPath: "id" }).createIndex("endedAt", "endedAt");
    },
  });
  return {
    async add(upload) {
      const db = await opened;
      await db.put("uploads", upload);
      const keys = await db.getAllKeysFromIndex("uploads", "endedAt");
      for (const key of keys.slice(0, -KEPT)) await db.delete("uploads", key);
    },
    async list() {
      return (await (await opened).getAllFromIndex("uploads", "endedAt")).reverse();
    },
    async clear() {
      await (await opened).clear("uploads");
    },
  };
}
