// Separate from draft-store.ts, so that signing out can delete the drafts without loading it.

import { openStorage } from "../storage/browser-storage.ts";
import { deleteDatabase } from "../storage/delete-database.ts";

export const DRAFTS = "intake-drafts";
const STORE = "drafts";
/** In local storage: what the last page could not write to IndexedDB any more. */
export const UNFINISHED_DRAFTS = "intake.drafts";

export function hasUnfinishedDrafts(): boolean {
  return openStorage(() => localStorage).getItem(UNFINISHED_DRAFTS) !== null;
}

/** Whether text that was typed here or in another tab is stored and not saved. */
export function hasDrafts(): Promise<boolean> {
  const found = new Promise<boolean>((resolve) => {
    const opening = indexedDB.open(DRAFTS);
    opening.onupgradeneeded = () => opening.transaction?.abort(); // there is none, and none is made
    opening.onerror = () => resolve(hasUnfinishedDrafts());
    opening.onsuccess = () => {
      const db = opening.result;
      const counting = db.transaction(STORE).objectStore(STORE).count();
      counting.onsuccess = () => resolve(counting.result > 0 || hasUnfinishedDrafts());
      counting.onerror = () => resolve(false);
      db.close(); // once that is done
    };
  });
  return found.catch(() => false); // a browser that forbids it has none
}

/** Rejects when they could not be deleted. */
export function deleteDrafts(): Promise<void> {
  openStorage(() => localStorage).removeItem(UNFINISHED_DRAFTS);
  return deleteDatabase(DRAFTS);
}
