// Files that were chosen together and wait, with what is known of them, in IndexedDB, until each is uploaded.

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { olderThan } from "./clock.ts";
import { QUEUES } from "./storage-names.ts";

/** The queue of one tab. `content` is plain data. */
export interface StoredQueue<Content> {
  id: string;
  /** From serviceTag(): one host may serve this app twice. */
  service: number;
  collection: string;
  /** When a file was last added. Epoch milliseconds. */
  storedAt: number;
  content: Content;
}

export interface Queues<Content> {
  /** Those of a service and collection, the latest first. Older ones than 7 days are deleted. */
  list(service: number, collection: string): Promise<StoredQueue<Content>[]>;
  put(queue: StoredQueue<Content>): Promise<void>;
  drop(id: string): Promise<void>;
  /** Rejects when there is no room for a copy. */
  putFile(queue: string, id: number, file: File): Promise<void>;
  /** Those that the browser still has, by their id. */
  files(queue: string): Promise<Map<number, File>>;
  dropFile(queue: string, id: number): Promise<void>;
  clear(): Promise<void>;
}

const KEEP_MS = 7 * 86_400_000;

interface Schema<Content> extends DBSchema {
  queues: { key: string; value: StoredQueue<Content> };
  files: { key: [queue: string, id: number]; value: File };
}

/** Opens (and at first creates) the database. Every call rejects where the browser stores nothing, as in some private windows. */
export function openQueues<Content = unknown>(): Queues<Content> {
  const opened = open<Content>();
  opened.catch(() => undefined); // each call rejects with it
  const drop = async (id: string) => {
    const transaction = (await opened).transaction(["queues", "files"], "readwrite");
    transaction.objectStore("queues").delete(id);
    transaction.objectStore("files").delete(filesOf(id));
    await transaction.done;
  };
  return {
    async list(service, collection) {
      const all = await (await opened).getAll("queues");
      const aged = await olderThan(KEEP_MS, all, ({ storedAt }) => storedAt);
      for (const { id } of aged) await drop(id);
      return all
        .filter((one) => one.service === service && one.collection === collection && !aged.includes(one))
        .sort((a, b) => b.storedAt - a.storedAt);
    },
    async put(queue) {
      await (await opened).put("queues", queue);
    },
    drop,
    async putFile(queue, id, file) {
      await (await opened).put("files", file, [queue, id]);
    },
    async files(queue) {
      const store = (await opened).transaction("files").store;
      const [keys, files] = await Promise.all([store.getAllKeys(filesOf(queue)), store.getAll(filesOf(queue))]);
      return new Map(keys.map(([, id], i) => [id, files[i] as File]));
    },
    async dropFile(queue, id) {
      await (await opened).delete("files", [queue, id]);
    },
    async clear() {
      const transaction = (await opened).transaction(["queues", "files"], "readwrite");
      transaction.objectStore("queues").clear();
      transaction.objectStore("files").clear();
      await transaction.done;
    },
  };
}

async function open<Content>(): Promise<IDBPDatabase<Schema<Content>>> {
  return openDB<Schema<Content>>(QUEUES, 1, {
    upgrade(db) {
      db.createObjectStore("queues", { keyPath: "id" });
      db.createObjectStore("files");
    },
    blocking: (_, __, event) => (event.target as IDBDatabase).close(), // another tab deletes it
  });
}

function filesOf(queue: string): IDBKeyRange {
  return IDBKeyRange.bound([queue, 0], [queue, Number.MAX_SAFE_INTEGER]);
}
