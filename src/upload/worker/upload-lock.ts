// The Web Lock of whoever works on an upload, so that two tabs never work on the same one.

import { UPLOAD_LOCK } from "../storage/indexeddb-journal.ts";

/** Returns undefined while another tab has it. Resolve the result's promise before anybody here takes it again. */
export async function takeLock(uploadId: string): Promise<(() => Promise<void>) | undefined> {
  if (!navigator.locks) return () => Promise.resolve(); // pages without TLS have none
  return new Promise((resolve) => {
    const ended = navigator.locks.request(`${UPLOAD_LOCK}${uploadId}`, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(undefined);
      return new Promise<void>((letGo) => {
        resolve(async () => {
          letGo();
          await ended;
        });
      });
    });
  });
}

/** Holds what works on each upload here, so that whoever comes next in this tab waits for it and is not refused. */
const working = new Map<string, Promise<void>>();

/** Holds it while `run` works. A tab that dies lets it go. `onWait` is called when something in this tab must end before. */
export async function withLock(uploadId: string, run: (isOurs: boolean) => Promise<void>, onWait?: () => void): Promise<void> {
  const before = working.get(uploadId);
  if (before) onWait?.();
  const ended = runAfter(before, uploadId, run);
  const settled = ended.catch(() => undefined);
  working.set(uploadId, settled);
  try {
    await ended;
  } finally {
    if (working.get(uploadId) === settled) working.delete(uploadId);
  }
}

async function runAfter(before: Promise<void> | undefined, uploadId: string, run: (isOurs: boolean) => Promise<void>): Promise<void> {
  await before;
  const release = await takeLock(uploadId);
  try {
    await run(release !== undefined);
  } finally {
    await release?.();
  }
}
