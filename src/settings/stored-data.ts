// Measures and deletes what this computer stores.

import type { Collection } from "../../core/dictionary/collections.ts";
import { isOf } from "../browser/person.ts";
import { COLUMNS, DRAFTS, JOURNAL, QUEUES } from "../browser/storage-names.ts";
import { deleteDrafts, hasUnfinishedDrafts } from "../records/drafts/delete-drafts.ts";
import type { Views } from "../records/query/views.ts";
import type { UploadManager } from "../upload/manager/upload-manager.ts";
import { openMappings } from "../upload/storage/indexeddb-mappings.ts";
import { openCopies } from "../upload/storage/opfs-copies.ts";

export interface StoredAmount {
  count: number;
  bytes: number;
}

export type StoredKind = "drafts" | "uploads" | "columns" | "views";

/** Reads what the person, from personKey(), has in this browser: of others there is nothing to be seen. */
export async function readStored(
  person: string,
  collections: readonly Collection[],
  views: Views,
): Promise<Record<StoredKind, StoredAmount>> {
  if (hasUnfinishedDrafts(person)) {
    const { openDrafts } = await import("../records/drafts/draft-store.ts");
    await openDrafts(() => true).read(""); // moves them to where they are counted
  }
  const own = await ownUploads(person);
  const isOwnUpload = (key: IDBValidKey) => own.includes(String(firstOf(key)));
  const isOwn = (key: IDBValidKey) => isOf(person, String(firstOf(key)));
  const [drafts, journal, columns, queues, copies] = await Promise.all([
    measure(DRAFTS, "drafts", isOwn),
    measure(JOURNAL, "uploads", isOwnUpload),
    measure(COLUMNS, "mappings", (key) => firstOf(key) === person),
    measure(QUEUES, "files", isOwn),
    openCopies().bytes(own),
  ]);
  const uploads = { count: journal.count, bytes: journal.bytes + queues.bytes + copies };
  return { drafts, uploads, columns, views: measureViews(collections, views) };
}

/** Deletes only uploads that have ended. One that can be continued is discarded on the uploads page. */
export async function deleteStored(
  kind: StoredKind,
  uploadManager: UploadManager,
  collections: readonly Collection[],
  views: Views,
): Promise<void> {
  if (kind === "drafts") await deleteDrafts(uploadManager.person());
  if (kind === "uploads") await uploadManager.clear();
  if (kind === "columns") await openMappings(uploadManager.person()).clear();
  if (kind === "views") {
    for (const collection of collections) {
      const { isFavourite, isFolded } = views.of(collection); // of the sidebar
      views.put(collection, { isFavourite, isFolded });
    }
  }
}

function measureViews(collections: readonly Collection[], views: Views): StoredAmount {
  const all = collections.map(views.of);
  const count = all.reduce((sum, saved) => sum + (saved.columns ? 1 : 0) + (saved.home ? 1 : 0), 0);
  return { count, bytes: count === 0 ? 0 : all.reduce((sum, saved) => sum + bytesOf(saved), 0) };
}

/** Returns what a key that is a list begins with. */
function firstOf(key: IDBValidKey): IDBValidKey | undefined {
  return Array.isArray(key) ? key[0] : key;
}

/** Returns the size of a person's entries in a database, and their number in its store `counted`. */
async function measure(name: string, counted: string, isOwn: (key: IDBValidKey) => boolean): Promise<StoredAmount> {
  const amount = { count: 0, bytes: 0 };
  await inDatabase(name, async (db) => {
    for (const store of db.objectStoreNames) {
      const found = await bytesIn(db, store, isOwn);
      amount.bytes += found.bytes;
      if (store === counted) amount.count = found.count;
    }
  });
  return amount;
}

/** Returns the ids of the person's uploads. */
async function ownUploads(person: string): Promise<string[]> {
  let own: string[] = [];
  await inDatabase(JOURNAL, async (db) => {
    const all: { id: string; person: string }[] = await finished(db.transaction("uploads").objectStore("uploads").getAll());
    own = all.filter((one) => one.person === person).map(({ id }) => id);
  });
  return own;
}

/** Does not create a missing database. */
async function inDatabase(name: string, work: (db: IDBDatabase) => Promise<void>): Promise<void> {
  const isThere = (await indexedDB.databases().catch(() => [])).some((one) => one.name === name);
  if (!isThere) return;
  const db = await finished(indexedDB.open(name));
  await work(db).finally(() => db.close());
}

/** Reads one value at a time, because an upload can have many batches. */
function bytesIn(db: IDBDatabase, store: string, isOwn: (key: IDBValidKey) => boolean): Promise<StoredAmount> {
  const request = db.transaction(store).objectStore(store).openCursor();
  const amount = { count: 0, bytes: 0 };
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const entry = request.result;
      if (!entry) return resolve(amount);
      if (isOwn(entry.primaryKey)) {
        amount.count += 1;
        amount.bytes += bytesOf(entry.value);
      }
      entry.continue();
    };
  });
}

function finished<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Returns an estimate: browsers do not tell how many bytes a value takes. */
export function bytesOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (value instanceof Blob) return value.size;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "object" || value === null) return 8;
  return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + bytesOf(one), 0);
}
