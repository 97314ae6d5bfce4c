// The typeface, which comes after the page where it is new to the browser. Lines have other widths before.

import { expect, type Page } from "@playwright/test";

/** Waits until the page is drawn in it. `document.fonts.ready` does not wait for a style sheet that is still to come. */
export async function waitForTypeface(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(async () => (await document.fonts.load("13px Inter")).length)).toBeGreaterThan(0);
}
