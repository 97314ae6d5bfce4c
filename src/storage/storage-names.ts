// The names of three databases (IndexedDB) and a folder (OPFS) with what uploads need again.

export const JOURNAL = "intake";
export const COLUMNS = "intake-columns";
export const QUEUES = "intake-queues";
export const COPIES = "uploads";
