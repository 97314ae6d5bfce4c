// Keeps in IndexedDB how a person last matched columns with fields, by collection and headings.

import { type DBSchema, openDB } from "idb";
import type { RememberedMapping } from "../../../pipeline/mapping/remembered-mapping.ts";
import { olderThan } from "../../browser/clock.ts";
import { COLUMNS } from "../../browser/storage-names.ts";

export interface Mappings {
  /** Is empty when the browser stores nothing or is slow: reading a file does not wait for it. */
  list(): Promise<RememberedMapping[]>;
  keep(mapping: RememberedMapping): Promise<void>;
  clear(): Promise<void>;
  /** Deletes those of other people. */
  clearOthers(): Promise<void>;
}

const MAX_MAPPINGS = 50; // of one person; older ones are deleted
const KEEP_OTHERS_MS = 7 * 86_400_000; // those of people who have not come back; wrong values and what they became are data
const PATIENCE = 1_000; // ms

interface Schema extends DBSchema {
  mappings: { key: [person: string, key: string]; value: RememberedMapping & { person: string } };
}

/**
 * Opens (and at first creates) the database, for one person, from personKey(). `keep` and `clear` reject where the browser stores nothing, as in some private
 * windows.
 */
export function openMappings(person: string): Mappings {
  const opened = openDB<Schema>(COLUMNS, 2, {
    upgrade(db) {
      for (const name of db.objectStoreNames) db.deleteObjectStore(name);
      db.createObjectStore("mappings", { keyPath: ["person", "key"] });
    },
    blocking: (_, __, event) => (event.target as IDBDatabase).close(), // another tab deletes it, or has a newer version
  });
  opened.catch(() => undefined); // each call rejects with it
  const own = async () => (await (await opened).getAll("mappings")).filter((one) => one.person === person);
  const others = async () => (await (await opened).getAll("mappings")).filter((one) => one.person !== person);
  const drop = async (mappings: readonly { person: string; key: string }[]) => {
    for (const one of mappings) await (await opened).delete("mappings", [one.person, one.key]);
  };
  return {
    async list() {
      const timeout = new Promise<RememberedMapping[]>((resolve) => setTimeout(() => resolve([]), PATIENCE));
      return Promise.race([own().catch(() => []), timeout]);
    },
    async keep(mapping) {
      await (await opened).put("mappings", { ...mapping, person });
      const latestFirst = (await own()).sort((one, other) => other.usedAt - one.usedAt);
      await drop([...latestFirst.slice(MAX_MAPPINGS), ...(await olderThan(KEEP_OTHERS_MS, await others(), ({ usedAt }) => usedAt))]);
    },
    clear: async () => drop(await own()),
    clearOthers: async () => drop(await others()),
  };
}
