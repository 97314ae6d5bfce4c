// Separate from draft-store.ts, so that signing out can delete the drafts without loading it.

import { openStorage } from "../storage/browser-storage.ts";
import { deleteDatabase } from "../storage/delete-database.ts";

export const DRAFTS = "intake-drafts";
/** In local storage: what the last page could not write to IndexedDB any more. */
export const UNFINISHED_DRAFTS = "intake.drafts";

export function hasUnfinishedDrafts(): boolean {
  return openStorage(() => localStorage).getItem(UNFINISHED_DRAFTS) !== null;
}

/** Rejects when they could not be deleted. */
export function deleteDrafts(): Promise<void> {
  openStorage(() => localStorage).removeItem(UNFINISHED_DRAFTS);
  return deleteDatabase(DRAFTS);
}
