// Chromium by Playwright, and how long a page's main thread was blocked. Knows no page of the app.

import { type Browser, chromium, type Page } from "@playwright/test";
import { findChromium } from "../../e2e/support/browser.ts";

export async function launch(): Promise<Browser> {
  return chromium.launch({ ...findChromium(), timeout: 60_000 });
}

/** A page in a context of its own. Functions that run in it were compiled by tsx, which lets them ask for `__name`. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(30_000);
  await page.addInitScript({ content: "globalThis.__name = (value) => value;" });
  return page;
}

export interface Blocks {
  /** The longest "longtask" entry in ms; 0: none was 50 ms or longer. */
  longestTask: number;
  /** The longest time between two animation frames in ms; about 17 when nothing blocks. */
  longestFrame: number;
}

/** From here on the page remembers its longest tasks and frames. */
export async function watchBlocks(page: Page): Promise<() => Promise<Blocks>> {
  await page.evaluate(() => {
    const seen = { longestTask: 0, longestFrame: 0 };
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longestTask = Math.max(seen.longestTask, Math.round(duration));
    });
    observer.observe({ type: "longtask" });
    let last = performance.now();
    const frame = () => {
      const now = performance.now();
      seen.longestFrame = Math.max(seen.longestFrame, Math.round(now - last));
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(window, { benchBlocks: seen });
  });
  return () => page.evaluate(() => (window as unknown as { benchBlocks: Blocks }).benchBlocks);
}
