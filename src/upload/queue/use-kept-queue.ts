import { useEffect } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { useMayUpload } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";

/** Brings back the files that waited when the tab was closed or reloaded. Nothing is loaded where none did. */
export function useStoredQueue(collection: Collection): void {
  const { uploadManager } = useServices();
  const mayUpload = useMayUpload(collection);
  useEffect(() => {
    if (!mayUpload) return;
    const leaving = new AbortController();
    async function restore(): Promise<void> {
      if (uploadManager.state().queue || !(await uploadManager.waiting()).some((one) => one.collection === collection.name)) return;
      const { fileQueueOf } = await import("../manager/file-queue.ts");
      await fileQueueOf(uploadManager).restore(collection, leaving.signal);
    }
    void restore().catch(() => undefined); // the part could not be loaded: the next visit tries again
    return () => leaving.abort();
  }, [uploadManager, collection, mayUpload]);
}
