// Separate from draft-store.ts, so that signing out can delete a person's drafts without loading it.

import { openStorage } from "../../browser/browser-storage.ts";
import { deleteDatabase } from "../../browser/delete-database.ts";
import { isOf } from "../../browser/person.ts";
import { DRAFTS, UNFINISHED_DRAFTS } from "../../browser/storage-names.ts";
import type { UnfinishedWrite } from "./unfinished-drafts.ts";

const STORE = "drafts";

/** Returns what an earlier page has left, oldest first. */
export function readUnfinished(): UnfinishedWrite[] {
  try {
    return JSON.parse(openStorage(() => localStorage).getItem(UNFINISHED_DRAFTS) ?? "[]") as UnfinishedWrite[];
  } catch {
    return [];
  }
}

/** Throws where there is no room. */
export function storeUnfinished(writes: readonly UnfinishedWrite[]): void {
  const storage = openStorage(() => localStorage);
  if (writes.length === 0) storage.removeItem(UNFINISHED_DRAFTS);
  else storage.setItem(UNFINISHED_DRAFTS, JSON.stringify(writes));
}

export function hasUnfinishedDrafts(person: string): boolean {
  return readUnfinished().some(({ key }) => isOf(person, key));
}

/** Says whether text that `person`, from personKey(), typed here or in another tab is stored and not saved. */
export async function hasDrafts(person: string): Promise<boolean> {
  if (hasUnfinishedDrafts(person)) return true;
  const keys = await inDrafts("readonly", (store) => store.getAllKeys()).catch(() => []); // a browser that forbids it has none
  return keys.some((key) => isOf(person, String(key)));
}

/** Deletes those of one person, or with `others` of all others. Rejects when they could not be deleted. */
export async function deleteDrafts(person: string, others = false): Promise<void> {
  const isMeant = (key: unknown) => isOf(person, String(key)) !== others;
  const left = readUnfinished();
  if (left.length > 0) storeUnfinished(left.filter(({ key }) => !isMeant(key)));
  try {
    const keys = await inDrafts("readonly", (store) => store.getAllKeys());
    if (keys.every(isMeant)) return await deleteDatabase(DRAFTS); // it waits for what is being written
    for (const key of keys.filter(isMeant)) await inDrafts("readwrite", (store) => store.delete(key));
  } catch (error) {
    if ((error as Error).name !== "SecurityError") throw error; // IndexedDB is forbidden here, so there is nothing to delete
  }
}

/** Is empty when there is no such database; none is made. */
async function inDrafts<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | never[]> {
  const db = await openDatabase(false);
  if (!db) return [];
  try {
    return await askDatabase(db, mode, ask);
  } finally {
    db.close();
  }
}

/** Sends one request to the drafts. Resolves when what it wrote is stored. */
export function askDatabase<T>(db: IDBDatabase, mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const transaction = db.transaction(STORE, mode);
    const request = ask(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Opens the database of the drafts. Without `make` undefined where there is none. */
export function openDatabase(make: true): Promise<IDBDatabase>;
export function openDatabase(make: false): Promise<IDBDatabase | undefined>;
export function openDatabase(make: boolean): Promise<IDBDatabase | undefined> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DRAFTS, make ? 1 : undefined);
    let isNew = false;
    opening.onupgradeneeded = () => {
      if (make) return void opening.result.createObjectStore(STORE);
      isNew = true;
      opening.transaction?.abort();
    };
    opening.onerror = () => (isNew ? resolve(undefined) : reject(opening.error));
    opening.onsuccess = () => resolve(opening.result);
  });
}
