// Measures how long the app takes to upload a file, beside the bare poster; each with a store of its own.

import type { Browser } from "@playwright/test";
import { residentMegabytes } from "../floors/bare-chromium.ts";
import { post, prepareBatches } from "../floors/poster.ts";
import { openApp } from "../support/app-tab.ts";
import { type Blocks, watchBlocks } from "../support/browser.ts";
import { startService } from "../support/service.ts";
import { median, round } from "../support/table.ts";

export interface UploadFigures {
  rows: number;
  /** Medians. */
  appRowsPerSecond: number;
  posterRowsPerSecond: number;
  /** The app's rows a second to the poster's. */
  ratio: number;
  blocks: Blocks;
  /** MB, VmRSS of the service after all rows. */
  serviceMemory: number;
}

interface Round {
  rowsPerSecond: number;
  blocks: Blocks;
  serviceMemory: number;
}

export async function measureUpload(browser: Browser, path: string, rows: number, seed: number, rounds: number): Promise<UploadFigures> {
  const bodies = prepareBatches(rows, seed);
  const app: Round[] = [];
  const poster: number[] = [];
  for (let i = 0; i < rounds; i++) {
    poster.push(rows / (await postOnce(bodies)));
    app.push(await uploadOnce(browser, path, rows));
  }
  const appMedian = median(app.map(({ rowsPerSecond }) => rowsPerSecond));
  return {
    rows,
    appRowsPerSecond: Math.round(appMedian),
    posterRowsPerSecond: Math.round(median(poster)),
    ratio: round(appMedian / median(poster)),
    blocks: {
      longestTask: Math.max(...app.map(({ blocks }) => blocks.longestTask)),
      longestFrame: Math.max(...app.map(({ blocks }) => blocks.longestFrame)),
    },
    serviceMemory: Math.max(...app.map(({ serviceMemory }) => serviceMemory)),
  };
}

async function postOnce(bodies: readonly string[]): Promise<number> {
  const service = await startService();
  try {
    return await post(service, bodies);
  } finally {
    await service.stop();
  }
}

async function uploadOnce(browser: Browser, path: string, rows: number): Promise<Round> {
  const service = await startService();
  try {
    const tab = await openApp(browser, service.origin);
    await tab.check(path);
    const readBlocks = await watchBlocks(tab.page);
    const { seconds, report } = await tab.upload();
    const figures = { blocks: await readBlocks(), serviceMemory: residentMegabytes(service.pid) };
    await tab.page.close();
    if (report.counts.created !== rows) throw new Error(`Of ${rows} rows ${JSON.stringify(report.counts)} ${report.why ?? ""}`);
    return { rowsPerSecond: rows / seconds, ...figures };
  } finally {
    await service.stop();
  }
}
