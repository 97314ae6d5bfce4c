// Waits until a page has asked for nothing for a while. "networkidle" also counts the change feed, which never ends.

import type { Page, Request } from "@playwright/test";

const QUIET = 500; // ms
const LIMIT = 30_000; // ms

/** To be called before the page asks for anything. The function that it returns rejects after 30 s. */
export function watchNetwork(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let last = performance.now();
  const end = (request: Request) => {
    if (open.delete(request)) last = performance.now();
  };
  page.on("request", (request) => {
    if (request.headers().accept?.includes("text/event-stream")) return;
    open.add(request);
    last = performance.now();
  });
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return async function waitForIdle() {
    const begin = performance.now();
    while (open.size > 0 || performance.now() - last < QUIET) {
      if (performance.now() - begin > LIMIT) throw new Error(`Still waiting for ${[...open].map((request) => request.url()).join(", ")}`);
      await page.waitForTimeout(50);
    }
  };
}
