// Where the typeface is new to the browser, it is fetched after the first page.

import { openStorage } from "../../browser/browser-storage.ts";

const FETCHED = "intake.typeface"; // in local storage, once a page has fetched it

/** Fetches it at once, if an earlier page has done so: then it is in the cache, and the first words are set in it. */
export function fetchKnownTypeface(): void {
  if (openStorage(() => localStorage).getItem(FETCHED)) void importFaces();
}

export function fetchTypeface(): void {
  void importFaces();
  try {
    openStorage(() => localStorage).setItem(FETCHED, "1");
  } catch {
    // The storage is full: the next page fetches it late as well.
  }
}

/** The browser then fetches those files whose letters it shows. Without them the font of the computer stays. */
function importFaces(): Promise<unknown> {
  return import("./typeface.css").catch(() => {});
}
