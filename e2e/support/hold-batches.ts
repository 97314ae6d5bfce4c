// Requests that stay on their way until a test lets them go, so that what is "under way" never depends on how fast a machine is. For tests only.

import type { Page, Request } from "@playwright/test";

export interface Held {
  /** Lets what is held go, and everything after it. */
  letGo(): void;
  /** Requests that were held, so far. */
  readonly count: number;
}

/** Batches of an upload, and not those of its preview. */
export function isBatch(request: Request): boolean {
  return request.method() === "POST" && /\/v1\/[^/]+\?/.test(request.url()) && !request.url().includes("dryRun");
}

/** Lets the first `after` of those requests through; the others wait. A request that the page gives up meanwhile is forgotten. */
export async function hold(page: Page, address: string, isHeld: (request: Request) => boolean, after = 0): Promise<Held> {
  let letGo = (): void => undefined;
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let met = 0;
  await page.route(address, async (route) => {
    if (isHeld(route.request()) && ++met > after) await isLetGo;
    await route.continue().catch(() => {});
  });
  return {
    letGo: () => letGo(),
    get count() {
      return Math.max(0, met - after);
    },
  };
}

/** Holds all batches but the first ones. */
export function holdBatches(page: Page, after: number): Promise<Held> {
  return hold(page, "**/v1/*?*", isBatch, after);
}
