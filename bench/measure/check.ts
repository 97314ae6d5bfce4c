// Measures how long the app takes to check a file, beside bare PapaParse, and how long it blocks the main thread.

import type { Browser } from "@playwright/test";
import { openPapa, PAPA_MODES, type PapaMode } from "../floors/papa-tab.ts";
import { openApp } from "../support/app-tab.ts";
import { type Blocks, watchBlocks } from "../support/browser.ts";
import type { Service } from "../support/service.ts";
import { median, round } from "../support/table.ts";

export interface CheckFigures {
  rows: number;
  /** Medians, s. */
  appSeconds: number;
  papaSeconds: Record<PapaMode, number>;
  /** Belongs to the first, cold check. */
  blocks: Blocks;
}

export async function measureCheck(browser: Browser, service: Service, path: string, rows: number, rounds: number): Promise<CheckFigures> {
  const tab = await openApp(browser, service.origin);
  await tab.page.getByLabel("CSV file").waitFor({ state: "attached" });
  const readBlocks = await watchBlocks(tab.page);
  const first = await tab.check(path);
  if (first.check.rowsRead !== rows) throw new Error(`The app read ${first.check.rowsRead} rows of ${rows}.`);
  const blocks = await readBlocks();
  await tab.page.close(); // its animation frames would take time from all that follows
  const papa = await openPapa(browser, path);
  await papa.parse("chunks"); // warms PapaParse's scripts, as the app's are warm
  const app: number[] = [];
  const peers: Record<PapaMode, number[]> = { text: [], chunks: [], file: [] };
  for (let i = 0; i < rounds; i++) {
    // In turns, so that other load on the machine affects all of them.
    app.push(await checkOnce(browser, service, path));
    for (const way of PAPA_MODES) peers[way].push((await papa.parse(way)).seconds);
  }
  await papa.close();
  const papaSeconds = { text: round(median(peers.text)), chunks: round(median(peers.chunks)), file: round(median(peers.file)) };
  return { rows, appSeconds: round(median(app)), papaSeconds, blocks };
}

/** In a tab of its own: the worker of the first would know the file already. */
async function checkOnce(browser: Browser, service: Service, path: string): Promise<number> {
  const { page, check } = await openApp(browser, service.origin);
  const { seconds } = await check(path);
  await page.close();
  return seconds;
}
