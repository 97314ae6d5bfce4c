// Playwright's test, with browsers for further people or computers.

import { type Browser, test as base, type Page } from "@playwright/test";

/** A page in a browser of its own, which knows nothing of the test's. It is closed when the test ends, however that ends. */
export type NewBrowser = (options?: Parameters<Browser["newContext"]>[0]) => Promise<Page>;

export const test = base.extend<{ newBrowser: NewBrowser }>({
  newBrowser: async ({ browser }, use) => {
    const opened: Awaited<ReturnType<Browser["newContext"]>>[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      opened.push(context);
      return context.newPage();
    });
    await Promise.all(opened.map((context) => context.close()));
  },
});
