const SHARE = 0.5; // of the free space that the browser reports
const LARGEST = 2 * 1024 ** 3; // bytes; for a larger file, choosing it again asks less of the user than the disk space

const UNTOLD = 64 * 1024 ** 2; // bytes, where the browser says nothing of its space

/** Says whether the browser may keep a copy of so many bytes. */
export async function hasRoomFor(bytes: number, storage: StorageManager | undefined = navigator.storage): Promise<boolean> {
  if (!storage?.estimate) return bytes <= UNTOLD; // WebKit of GTK; it refuses what is too much
  const { quota = 0, usage = 0 } = (await storage.estimate().catch(() => ({}) as StorageEstimate)) ?? {};
  return bytes <= LARGEST && bytes <= (quota - usage) * SHARE;
}
