// Holds requests back until a test lets them go, so that no test depends on the speed of the machine.

import { expect, type Page, type Request } from "@playwright/test";

export interface HeldRequests {
  /** Sends the held requests, and lets all later ones through. */
  letGo(): void;
  /** Says how many requests were held so far. */
  readonly count: number;
}

/** True for a batch of an upload, but not for one of its preview. */
export function isBatch(request: Request): boolean {
  return request.method() === "POST" && /\/v1\/[^/]+\?/.test(request.url()) && !request.url().includes("dryRun");
}

/** Lets the first `after` matching requests through and holds the others. A request that the page cancels meanwhile is dropped. */
export async function hold(page: Page, address: string, isHeld: (request: Request) => boolean, after = 0): Promise<HeldRequests> {
  let letGo = (): void => undefined;
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let seen = 0;
  await page.route(address, async (route) => {
    if (isHeld(route.request()) && ++seen > after) await isLetGo;
    await route.continue().catch(() => {});
  });
  return {
    letGo: () => letGo(),
    get count() {
      return Math.max(0, seen - after);
    },
  };
}

/**
 * Presses Save, and ends the session before the service gets the new customer: another request of the page could find out that it
 * has ended, too, and open its dialog over the button.
 */
export async function saveWithoutSession(page: Page, endSession: () => Promise<unknown>): Promise<void> {
  const saving = await hold(page, "**/v1/customers", (request) => request.method() === "POST");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => saving.count).toBe(1);
  await endSession();
  saving.letGo();
}

/** Holds all batches of uploads but the first `after`. */
export function holdBatches(page: Page, after: number): Promise<HeldRequests> {
  return hold(page, "**/v1/*?*", isBatch, after);
}
