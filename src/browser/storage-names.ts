// The names of what the browser keeps: databases (IndexedDB), a folder (OPFS) and an entry of local storage.

export const JOURNAL = "intake";
export const COLUMNS = "intake-columns";
export const QUEUES = "intake-queues";
export const COPIES = "uploads";
export const DRAFTS = "intake-drafts";
/** Holds in local storage what the last page could not write to IndexedDB any more. */
export const UNFINISHED_DRAFTS = "intake.drafts";
