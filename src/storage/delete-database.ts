const TIMEOUT_MS = 5_000; // a tab that holds it open may be about to let go

/** Resolves when it is gone, also where a browser keeps none at all; rejects when it stays. */
export function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    try {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
      setTimeout(() => reject(new Error(`Another tab holds ${name}.`)), TIMEOUT_MS);
    } catch (error) {
      if ((error as Error).name === "SecurityError")
        resolve(); // forbidden to this page, so there is nothing
      else reject(error);
    }
  });
}
