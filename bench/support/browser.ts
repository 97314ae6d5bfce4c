// Chromium by Playwright, and how long a page blocks its main thread.

import { type Browser, chromium, type Page } from "@playwright/test";
import { findChromium } from "../../e2e/support/browser.ts";

export async function launch(): Promise<Browser> {
  return chromium.launch({ ...findChromium(), timeout: 60_000 });
}

/** A page in a context of its own. It defines `__name`, which functions compiled by tsx need. */
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

/** Starts to measure; the returned function reads the figures. */
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
