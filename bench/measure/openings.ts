// Measures how long a person waits for what comes next once the list is at rest, with a slow processor and slow 4G.

import type { Browser, Page } from "@playwright/test";
import { openPage } from "../support/browser.ts";
import { median } from "../support/table.ts";

export interface Opening {
  what: string;
  /** ms from the press to the frame that shows it. */
  p50: number;
  most: number;
}

// Slow 4G as Lighthouse has it.
const NETWORK = { offline: false, latency: 150, downloadThroughput: (1_638.4 * 1_000) / 8, uploadThroughput: (750 * 1_000) / 8 };
const SLOWER = 4; // times
const AT_REST = 10_000; // ms until everything is fetched ahead, also on such a network
const FILE = { name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from("Last name,First name,Account ID\nEk,Ann,1\nBerg,Bo,2\n") };

/** `origin`: of a service with records. Each opening is that of a new browser profile. */
export async function measureOpenings(browser: Browser, origin: string, token: string, rounds: number): Promise<Opening[]> {
  const took = { record: [] as number[], upload: [] as number[], columns: [] as number[] };
  for (let i = 0; i < rounds; i++) {
    const list = await openList(browser, origin, token);
    took.record.push(await waitFor(list, "main form input", () => press(list, "main table tbody th a")));
    await list.close();
    const again = await openList(browser, origin, token);
    took.upload.push(await waitFor(again, "main input[type=file]", () => press(again, "main a[href$='/upload']")));
    await again.waitForTimeout(AT_REST);
    took.columns.push(await waitFor(again, "main table select", () => again.locator("main input[type=file]").setInputFiles(FILE)));
    await again.close();
  }
  const named = { record: "a record of the list", upload: "the upload page", columns: "the columns of a small file" };
  return (Object.keys(named) as (keyof typeof named)[]).map((key) => ({
    what: named[key],
    p50: median(took[key]),
    most: Math.max(...took[key]),
  }));
}

async function openList(browser: Browser, origin: string, token: string): Promise<Page> {
  const page = await openPage(browser);
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.addInitScript((kept) => sessionStorage.setItem("intake.token", kept), token);
  await page.goto(`${origin}/customers`);
  await page.getByRole("table", { name: "Customers" }).waitFor();
  await page.waitForTimeout(AT_REST);
  return page;
}

/** By the mouse alone: Playwright's own click also asks the slowed page where the element is, which would be measured too. */
async function press(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} has no place on the page`);
  await page.mouse.move(box.x + 10, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.up();
}

/** From the click, or the choice of a file, to the frame in which the element is drawn. Both times are the page's own. */
async function waitFor(page: Page, selector: string, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate((wanted) => {
    const times: { begun?: number; shown?: number } = {};
    Object.assign(window, { benchOpening: times });
    const begin = ({ timeStamp }: Event) => {
      times.begun ??= timeStamp;
    };
    for (const type of ["click", "change"]) addEventListener(type, begin, { capture: true, once: true });
    const tick = () => {
      if (times.begun === undefined || !document.querySelector(wanted)) return requestAnimationFrame(tick);
      return setTimeout(() => (times.shown = performance.now())); // after the frame that has it
    };
    requestAnimationFrame(tick);
  }, selector);
  await act();
  const found = await page.waitForFunction(() => {
    const { begun, shown } = (window as unknown as { benchOpening: { begun?: number; shown?: number } }).benchOpening;
    return begun !== undefined && shown !== undefined && Math.round(shown - begun);
  });
  return Number(await found.jsonValue());
}
