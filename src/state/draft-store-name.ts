// Separate from draft-store.ts, so that signing out can delete the drafts without loading it.

export const DRAFTS = "intake-drafts";
