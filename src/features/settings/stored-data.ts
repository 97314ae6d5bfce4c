// Measures and deletes what this computer stores.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { DRAFTS, deleteDrafts, hasUnfinishedDrafts } from "../../state/delete-drafts.ts";
import type { UploadManager } from "../../state/upload-manager.ts";
import type { Views } from "../../state/views.ts";
import { openMappings } from "../../storage/indexeddb-mappings.ts";
import { openCopies } from "../../storage/opfs-copies.ts";
import { COLUMNS, JOURNAL, QUEUES } from "../../storage/storage-names.ts";

export interface StoredAmount {
  count: number;
  bytes: number;
}

export type StoredKind = "drafts" | "uploads" | "columns" | "views";

export async function readStored(collections: readonly Collection[], views: Views): Promise<Record<StoredKind, StoredAmount>> {
  if (hasUnfinishedDrafts()) {
    const { openDrafts } = await import("../../state/draft-store.ts");
    await openDrafts(() => true).read(""); // moves them to where they are counted
  }
  const [drafts, journal, columns, queues, copies] = await Promise.all([
    measure(DRAFTS, "drafts"),
    measure(JOURNAL, "uploads"),
    measure(COLUMNS, "mappings"),
    measure(QUEUES, "files"),
    openCopies().bytes(),
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
  if (kind === "drafts") await deleteDrafts();
  if (kind === "uploads") await uploadManager.clear();
  if (kind === "columns") await openMappings().clear();
  if (kind === "views") for (const collection of collections) views.put(collection, { views: [] });
}

function measureViews(collections: readonly Collection[], views: Views): StoredAmount {
  const all = collections.map(views.of);
  const count = all.reduce(
    (sum, saved) => sum + saved.views.length + (saved.columns ? 1 : 0) + (typeof saved.home === "object" ? 1 : 0),
    0,
  );
  return { count, bytes: count === 0 ? 0 : all.reduce((sum, saved) => sum + bytesOf(saved), 0) };
}

/** The size of a database, and the number of entries in its store `counted`. Does not create a missing database. */
async function measure(name: string, counted: string): Promise<StoredAmount> {
  const isThere = (await indexedDB.databases().catch(() => [])).some((one) => one.name === name);
  if (!isThere) return { count: 0, bytes: 0 };
  const db = await finished(indexedDB.open(name));
  try {
    const amount = { count: 0, bytes: 0 };
    for (const store of db.objectStoreNames) {
      const found = await bytesIn(db, store);
      amount.bytes += found.bytes;
      if (store === counted) amount.count = found.count;
    }
    return amount;
  } finally {
    db.close();
  }
}

/** Reads one value at a time, because an upload can have many batches. */
function bytesIn(db: IDBDatabase, store: string): Promise<StoredAmount> {
  const request = db.transaction(store).objectStore(store).openCursor();
  const amount = { count: 0, bytes: 0 };
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      if (!request.result) return resolve(amount);
      amount.count += 1;
      amount.bytes += bytesOf(request.result.value);
      request.result.continue();
    };
  });
}

function finished<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** An estimate: browsers do not tell how many bytes a value takes. */
export function bytesOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (value instanceof Blob) return value.size;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "object" || value === null) return 8;
  return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + bytesOf(one), 0);
}
