const SHARE = 0.5; // of the free space that the browser reports
const LARGEST = 2 * 1024 ** 3; // bytes; for a larger file, choosing it again asks less of the user than the disk space

/** Whether the browser may keep a copy of so many bytes. A browser that tells nothing of its space keeps none. */
export async function hasRoomFor(bytes: number, storage: StorageManager | undefined = navigator.storage): Promise<boolean> {
  const { quota = 0, usage = 0 } = (await storage?.estimate?.().catch(() => ({}) as StorageEstimate)) ?? {};
  return bytes <= LARGEST && bytes <= (quota - usage) * SHARE;
}
