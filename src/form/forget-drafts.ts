// Takes all drafts off this computer, when someone signs out. Apart from drafts.ts, so that no other page carries its code.

export const DRAFTS = "intake-drafts";

export function forgetDrafts(): void {
  try {
    indexedDB.deleteDatabase(DRAFTS);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
