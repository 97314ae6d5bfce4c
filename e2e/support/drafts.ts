// Reads what a page has stored of what was typed and not saved.

import { expect, type Page } from "@playwright/test";

/** The drafts that are stored on this computer, as JSON. */
export function storedDrafts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found = (await indexedDB.databases()).find(({ name }) => name === "intake-drafts");
    if (!found) return "";
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open("intake-drafts");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const drafts = await new Promise<unknown[]>((resolve, reject) => {
      const reading = db.transaction("drafts").objectStore("drafts").getAll();
      reading.onsuccess = () => resolve(reading.result);
      reading.onerror = () => reject(reading.error);
    }).finally(() => db.close());
    return JSON.stringify(drafts);
  });
}

/** Waits until a draft with that text is stored on this computer. A document that ends before that loses it. */
export async function waitForDraft(page: Page, text: string): Promise<void> {
  await expect.poll(() => storedDrafts(page)).toContain(JSON.stringify(text));
}
