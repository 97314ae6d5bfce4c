// Measures the page: Lighthouse, search while typing, rendering 100 rows, and interactions on a slow processor.

import type { Browser, Locator, Page } from "@playwright/test";
import { watchNetwork } from "../../e2e/support/network-idle.ts";
import { post, prepareBatches } from "../floors/poster.ts";
import { openPage } from "../support/browser.ts";
import { customerRows } from "../support/customers.ts";
import { type LighthouseFigures, runLighthouse } from "../support/lighthouse.ts";
import { type Service, startService } from "../support/service.ts";
import { median } from "../support/table.ts";
import { measureOpenings, type Opening } from "./openings.ts";

const SEED = 1;
const SLOWER = 4; // times, as Lighthouse's mobile preset has it
const SEARCHES = 11;
const RENDERS = 9;
const UNBOUNDED = { RATE_PER_SECOND: "1000000", RATE_BURST: "1000000" };

export interface PageFigures {
  records: number;
  lighthouse: { page: string; figures: LighthouseFigures }[];
  /** ms from the last letter to its rows on the screen, the delay before a search included. */
  search: { p50: number; most: number };
  /** ms from the last byte of 100 rows to the frame that shows them, at full speed. */
  render: { p50: number; most: number };
  /** ms of an interaction as the browser counts it (Event Timing), with a processor 4 × slower. */
  interactions: { count: number; p75: number; most: number; slowest: string };
  openings: Opening[];
}

interface OpenPage {
  page: Page;
  waitForIdle(): Promise<void>;
}

export async function measurePage(browser: Browser, records: number, rounds: number): Promise<PageFigures> {
  const service = await startService(UNBOUNDED);
  try {
    await post(service, prepareBatches(records, SEED));
    const token = await service.signIn();
    const lighthouse = [];
    for (const [page, path, signedIn] of PAGES)
      lighthouse.push({ page, figures: await measureWith(service.origin + path, signedIn ? token : "", rounds) });
    const open = async () => {
      const page = await openPage(browser);
      const waitForIdle = watchNetwork(page);
      await page.addInitScript((kept) => sessionStorage.setItem("intake.token", kept), token);
      await page.addInitScript(watch);
      await page.goto(`${service.origin}/customers`);
      await page.getByRole("table", { name: "Customers" }).waitFor();
      return { page, waitForIdle };
    };
    const names = [...customerRows(records, SEED)].filter((_, i) => i % Math.max(1, Math.floor(records / SEARCHES)) === 0);
    return {
      records,
      lighthouse,
      search: await measureSearch(
        await open(),
        names.slice(0, SEARCHES).map(([, , lastName]) => lastName),
      ),
      render: await measureRender(await open()),
      interactions: await measureInteractions(await open(), service),
      openings: await measureOpenings(browser, service.origin, token, rounds),
    };
  } finally {
    await service.stop();
  }
}

const PAGES = [
  ["sign-in", "/", false],
  ["list", "/customers", true],
  ["form", "/customers/new", true],
] as const;

/** Each figure's median. */
async function measureWith(url: string, token: string, rounds: number): Promise<LighthouseFigures> {
  const all: LighthouseFigures[] = [];
  for (let i = 0; i < rounds; i++) all.push(await runLighthouse(url, token));
  const names = Object.keys(all[0] as LighthouseFigures) as (keyof LighthouseFigures)[];
  return Object.fromEntries(names.map((name) => [name, median(all.map((one) => one[name]))])) as unknown as LighthouseFigures;
}

interface Watched {
  input: number;
  rows: number;
  /** Comes from the Event Timing API: one interaction may be several events. */
  events: { id: number; name: string; duration: number }[];
}

/** Runs in the page before its own scripts: when something was typed, when rows changed, and every interaction. */
function watch(): void {
  const watched: Watched = { input: 0, rows: 0, events: [] };
  Object.assign(window, { benchWatched: watched });
  addEventListener("input", () => (watched.input = performance.now()), true);
  new MutationObserver((changes) => {
    if (!changes.some(({ target }) => target instanceof Element && target.closest("table"))) return;
    requestAnimationFrame(() => setTimeout(() => (watched.rows = performance.now())));
  }).observe(document, { childList: true, subtree: true, characterData: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
      if (entry.interactionId) watched.events.push({ id: entry.interactionId, name: entry.name, duration: entry.duration });
  }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

const watched = (page: Page) => page.evaluate(() => (window as unknown as { benchWatched: Watched }).benchWatched);

async function measureSearch({ page, waitForIdle }: OpenPage, lastNames: readonly string[]): Promise<PageFigures["search"]> {
  const box = page.getByRole("searchbox", { name: "Search" });
  const took: number[] = [];
  for (const name of lastNames) {
    const word = (name.match(/\p{L}{2,}/u)?.[0] ?? name).toLocaleLowerCase();
    await box.fill("");
    await waitForIdle();
    await box.pressSequentially(word, { delay: 60 });
    await page.waitForURL((url) => url.searchParams.get("q") === word);
    await waitForIdle();
    await page.waitForTimeout(100);
    const { input, rows } = await watched(page);
    if (rows > input) took.push(Math.round(rows - input));
  }
  await page.close();
  return { p50: median(took), most: Math.max(...took) };
}

async function measureRender({ page, waitForIdle }: OpenPage): Promise<PageFigures["render"]> {
  const size = page.getByRole("combobox", { name: "Rows per page" });
  const took: number[] = [];
  for (let i = 0; i < RENDERS; i++) {
    await page.evaluate(() => performance.clearResourceTimings());
    await page.goto(`${new URL(page.url()).origin}/customers?limit=25`);
    await page.getByRole("table", { name: "Customers" }).waitFor();
    await waitForIdle();
    await size.selectOption("100");
    await page.getByRole("row").nth(100).waitFor();
    await page.waitForTimeout(100);
    const came = await page.evaluate(() =>
      Math.max(
        ...(performance.getEntriesByType("resource") as PerformanceResourceTiming[])
          .filter(({ name }) => name.includes("limit=100"))
          .map(({ responseEnd }) => responseEnd),
      ),
    );
    took.push(Math.round((await watched(page)).rows - came));
  }
  await page.close();
  return { p50: median(took), most: Math.max(...took) };
}

/** Searches, sorts, filters, selects, opens, types and saves. */
async function measureInteractions({ page, waitForIdle }: OpenPage, service: Service): Promise<PageFigures["interactions"]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const events: Watched["events"] = [];
  const keep = async () => events.push(...(await watched(page)).events);
  for (let i = 0; i < 3; i++) {
    await page.getByRole("searchbox", { name: "Search" }).pressSequentially("smi", { delay: 80 });
    await waitForIdle();
    await press(page.getByRole("button", { name: "Last name" }));
    await waitForIdle();
    for (const name of ["Filter", "Views", "Columns"]) {
      await press(page.getByRole("button", { name, exact: true }));
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
    }
    await press(page.getByRole("checkbox", { name: "Select this page" }));
    await press(page.getByRole("checkbox", { name: "Select this page" }));
    await press(page.getByRole("table", { name: "Customers" }).getByRole("link").first());
    const input = page.getByRole("textbox", { name: "First name" });
    await input.pressSequentially("x", { delay: 80 });
    await page.keyboard.press("Tab");
    await press(page.getByRole("button", { name: "Save", exact: true }));
    await page.getByText("Saved.").first().waitFor();
    await page.waitForTimeout(300);
    await keep();
    await page.goto(`${service.origin}/customers`);
    await page.getByRole("table", { name: "Customers" }).waitFor();
    await waitForIdle();
  }
  await page.close();
  return sumUp(events);
}

/** Clicks by mouse events alone. Playwright's own click also asks the slowed page where the element is, which would be measured too. */
async function press(target: Locator): Promise<void> {
  await target.waitFor();
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target} has no place on the page`);
  const page = target.page();
  await page.mouse.move(box.x + Math.min(box.width / 2, 40), box.y + box.height / 2);
  await page.waitForTimeout(150);
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForTimeout(250);
}

/** An interaction lasts as long as its longest event (INP). The browser does not report those below 16 ms. */
function sumUp(events: Watched["events"]): PageFigures["interactions"] {
  const byId = new Map<string, { name: string; duration: number }>();
  for (const [i, { id, name, duration }] of events.entries()) {
    const key = String(id || i);
    if (duration > (byId.get(key)?.duration ?? 0)) byId.set(key, { name, duration });
  }
  const all = [...byId.values()].sort((a, b) => a.duration - b.duration);
  const slowest = all.at(-1);
  return {
    count: all.length,
    p75: all[Math.floor(all.length * 0.75)]?.duration ?? 0,
    most: slowest?.duration ?? 0,
    slowest: slowest?.name ?? "",
  };
}
