const TIMEOUT_MS = 5_000; // a tab that holds it open may be about to let go

/** Resolves when the IndexedDB database is gone or the browser allows none. Rejects when it could not be deleted. */
export function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    try {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
      setTimeout(() => reject(new Error(`Another tab holds ${name}.`)), TIMEOUT_MS);
    } catch (error) {
      if ((error as Error).name === "SecurityError")
        resolve(); // IndexedDB is forbidden here, so there is nothing to delete
      else reject(error);
    }
  });
}
