// Counts the keys that somebody presses, as the browser hears them.

import type { Page } from "@playwright/test";

/** Keys that were pressed, without Shift, Ctrl and the like for themselves. */
export async function countKeys(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const count = { keys: 0 };
    Object.assign(window, { count });
    const isModifier = (key: string) => ["Control", "Shift", "Alt", "Meta"].includes(key);
    window.addEventListener("keydown", ({ isTrusted, key }) => void (isTrusted && !isModifier(key) && count.keys++), true);
  });
  return () => page.evaluate(() => (window as unknown as { count: { keys: number } }).count.keys);
}
