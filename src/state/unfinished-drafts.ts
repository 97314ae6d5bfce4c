// What is being written to the drafts when the page ends. IndexedDB would drop it; local storage takes it at once.

import { openStorage } from "../storage/browser-storage.ts";
import { UNFINISHED_DRAFTS } from "./delete-drafts.ts";
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

// Added before those of the forms, so that what they write at the end comes with isLeaving.
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

/** What an earlier page has left, oldest first. */
export function readUnfinished(): UnfinishedWrite[] {
  try {
    return JSON.parse(openStorage(() => localStorage).getItem(UNFINISHED_DRAFTS) ?? "[]") as UnfinishedWrite[];
  } catch {
    return [];
  }
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
  const storage = openStorage(() => localStorage);
  try {
    if (writes.length === 0) storage.removeItem(UNFINISHED_DRAFTS);
    else storage.setItem(UNFINISHED_DRAFTS, JSON.stringify(writes));
  } catch {
    // no room: then only IndexedDB may have it
  }
}
