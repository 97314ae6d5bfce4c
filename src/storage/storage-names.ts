// Where this computer keeps what uploads need again: two databases (IndexedDB) and a folder (OPFS). Names only.

export const JOURNAL = "intake";
export const COLUMNS = "intake-columns";
export const COPIES = "uploads";
