// Keeps what is being written to the drafts when the page ends. IndexedDB would drop it; local storage takes it at once.

import { readUnfinished, storeUnfinished } from "./delete-drafts.ts";
import type { Draft } from "./draft-store.ts";

/** A draft that was to be written, or without one: deleted. `at`: epoch milliseconds. */
export interface UnfinishedWrite {
  key: string;
  draft?: Draft | undefined;
  at: number;
}

const unfinished = new Map<string, UnfinishedWrite>();
let isLeaving = false;
let mayStore = () => false;

// It is added before those of the forms, so that what they write at the end comes with isLeaving.
window.addEventListener("pagehide", () => {
  isLeaving = true;
  keep();
});
window.addEventListener("pageshow", () => {
  isLeaving = false;
});

/** `may` is asked before anything is kept. */
export function beginWrite(write: UnfinishedWrite, may: () => boolean): { end(): void } {
  mayStore = may;
  unfinished.set(write.key, write);
  if (isLeaving) keep();
  return { end: () => void (unfinished.get(write.key) === write && unfinished.delete(write.key)) };
}

/** Forgets those, and nothing that another tab has left meanwhile. */
export function finishedWrites(done: readonly UnfinishedWrite[]): void {
  if (done.length > 0) replaceBy(readUnfinished().filter(({ key, at }) => !done.some((one) => one.key === key && one.at === at)));
}

function keep(): void {
  if (unfinished.size === 0 || !mayStore()) return;
  replaceBy([...readUnfinished().filter(({ key }) => !unfinished.has(key)), ...unfinished.values()]);
}

function replaceBy(writes: readonly UnfinishedWrite[]): void {
  try {
    storeUnfinished(writes);
  } catch {
    // There is no room: then only IndexedDB may have it.
  }
}
