// Files that were chosen together and wait, with what is known of them, in IndexedDB, until each is uploaded.

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { olderThan } from "../../browser/clock.ts";
import { isOf } from "../../browser/person.ts";
import { QUEUES } from "../../browser/storage-names.ts";

/** The queue of one tab. `content` is plain data. */
export interface StoredQueue<Content> {
  /** Begins with its person, from personKey(). */
  id: string;
  collection: string;
  /** Says when a file was last added, in epoch milliseconds. */
  storedAt: number;
  content: Content;
}

export interface Queues<Content> {
  /** Lists the person's, the latest first. Older ones than 7 days are deleted, whoever they belong to. */
  list(): Promise<StoredQueue<Content>[]>;
  /** Lists those of other people, of which nobody else is told more than that they are there. */
  others(): Promise<string[]>;
  put(queue: StoredQueue<Content>): Promise<void>;
  drop(id: string): Promise<void>;
  /** Rejects when there is no room for a copy. */
  putFile(queue: string, id: number, file: File): Promise<void>;
  /** Returns those that the browser still has, by their id. */
  files(queue: string): Promise<Map<number, File>>;
  dropFile(queue: string, id: number): Promise<void>;
  /** Deletes the person's. */
  clear(): Promise<void>;
}

export const QUEUE_LOCK = "intake queue "; // plus the queue's id: the Web Lock of the tab that has it

const KEEP_MS = 7 * 86_400_000;

interface Schema<Content> extends DBSchema {
  queues: { key: string; value: StoredQueue<Content> };
  files: { key: [queue: string, id: number]; value: File };
}

/** Opens (and at first creates) the database. Every call rejects where the browser stores nothing, as in some private windows. */
export function openQueues<Content = unknown>(person: string): Queues<Content> {
  const opened = open<Content>();
  opened.catch(() => undefined); // each call rejects with it
  const drop = async (id: string) => {
    const transaction = (await opened).transaction(["queues", "files"], "readwrite");
    transaction.objectStore("queues").delete(id);
    transaction.objectStore("files").delete(filesOf(id));
    await transaction.done;
  };
  const kept = async () => {
    const all = await (await opened).getAll("queues");
    const aged = await olderThan(KEEP_MS, all, ({ storedAt }) => storedAt);
    for (const { id } of aged) await drop(id);
    return all.filter((one) => !aged.includes(one));
  };
  return {
    list: async () => (await kept()).filter(({ id }) => isOf(person, id)).sort((a, b) => b.storedAt - a.storedAt),
    others: async () => (await kept()).map(({ id }) => id).filter((id) => !isOf(person, id)),
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
      for (const id of await (await opened).getAllKeys("queues")) if (isOf(person, id)) await drop(id);
    },
  };
}

async function open<Content>(): Promise<IDBPDatabase<Schema<Content>>> {
  return openDB<Schema<Content>>(QUEUES, 2, {
    upgrade(db) {
      for (const name of db.objectStoreNames) db.deleteObjectStore(name);
      db.createObjectStore("queues", { keyPath: "id" });
      db.createObjectStore("files");
    },
    blocking: (_, __, event) => (event.target as IDBDatabase).close(), // another tab deletes it
  });
}

function filesOf(queue: string): IDBKeyRange {
  return IDBKeyRange.bound([queue, 0], [queue, Number.MAX_SAFE_INTEGER]);
}
