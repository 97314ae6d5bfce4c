// Measures what corrections of a long file cost in the browser: find and replace, and rules for thousands of values.

import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { MEMBERS_DICTIONARY } from "../../e2e/support/ugly-file.ts";
import type { WorkerEvent } from "../../src/upload/worker/messages.ts";
import { openBareTab } from "../floors/bare-chromium.ts";
import { openApp } from "../support/app-tab.ts";
import { type Blocks, watchBlocks } from "../support/browser.ts";
import { type Service, startService } from "../support/service.ts";
import { median, printTable } from "../support/table.ts";

const VALUES = 10_000; // different wrong values
const SAMPLE_EVERY = 100; // ms
const QUIET_MS = 2_000; // ms after the page is drawn

export interface CorrectionFigures {
  rows: number;
  replace: ReplaceFigures[];
  /** MB that the tab needed at most beyond the idle page. Each file is checked twice, the second time with the rules. */
  memory: Record<MemoryCase, number[]>;
}

/** Right values; wrong ones, of which none is corrected; and wrong ones with a rule for each. */
type MemoryCase = "right" | "wrong" | "mapped";

/** ms from the last key in "Find" to the first example, and to the count of all rows. The 250 ms in which more keys may come are in it. */
interface ReplaceFigures {
  /** While the page still counts what stands in the columns. */
  isBusy: boolean;
  first: number;
  all: number;
  blocks: Blocks;
}

export async function measureCorrections(browser: Browser, customers: string, rows: number, rounds: number): Promise<CorrectionFigures> {
  const replace: ReplaceFigures[] = [];
  const served = await startService();
  try {
    for (let i = 0; i < rounds; i++)
      for (const isBusy of [true, false]) replace.push(await findAndReplace(browser, served, customers, isBusy));
  } finally {
    await served.stop();
  }
  const memory: CorrectionFigures["memory"] = { right: [], wrong: [], mapped: [] };
  const [right, wrong] = [await writeMembers(rows, false), await writeMembers(rows, true)];
  const club = await startService({ DICTIONARY: MEMBERS_DICTIONARY });
  try {
    // In turns, so that other load on the machine affects all of them.
    for (let i = 0; i < rounds; i++) {
      memory.right.push(await mostMegabytes(club, right, NO_RULES, rows));
      memory.wrong.push(await mostMegabytes(club, wrong, NO_RULES, 0));
      memory.mapped.push(await mostMegabytes(club, wrong, RULES, rows));
    }
  } finally {
    await club.stop();
  }
  return { rows, replace, memory };
}

export function printCorrections({ rows, replace, memory }: CorrectionFigures): void {
  const spread = (all: readonly number[]) => `${Math.min(...all).toLocaleString("en")}–${Math.max(...all).toLocaleString("en")}`;
  printTable(
    `Find and replace over ${rows.toLocaleString("en")} rows, medians (goals: first result 1,000 ms, no task over 50 ms)`,
    ["while", "first result ms", "of rounds", "all rows ms", "longest task ms", "longest frame ms"],
    [true, false].map((isBusy) => {
      const figures = replace.filter((one) => one.isBusy === isBusy);
      const first = figures.map((one) => one.first);
      return [
        isBusy ? "columns are being counted" : "nothing else is done",
        median(first),
        spread(first),
        median(figures.map(({ all }) => all)),
        Math.max(...figures.map(({ blocks }) => blocks.longestTask)) || "none of 50 or more",
        Math.max(...figures.map(({ blocks }) => blocks.longestFrame)),
      ];
    }),
  );
  const base = median(memory.right);
  printTable(
    `Two checks of ${rows.toLocaleString("en")} rows, memory of the tab at most (VmRSS, garbage included; goal: 50 MB over the same file without)`,
    ["file", "MB", "of rounds", "over the right file"],
    (
      [
        ["right values", memory.right],
        [`${VALUES.toLocaleString("en")} different wrong values`, memory.wrong],
        ["  the same, a rule for each of them", memory.mapped],
      ] as const
    ).map(([what, all]) => [what, median(all), spread(all), median(all) - base]),
  );
}

async function findAndReplace(browser: Browser, { origin }: Service, path: string, isBusy: boolean): Promise<ReplaceFigures> {
  const { page } = await openApp(browser, origin);
  await page.getByLabel("CSV file").waitFor({ state: "attached" });
  await tapColumns(page);
  await page.getByLabel("CSV file").setInputFiles(path);
  await page.getByRole("table", { name: "Columns" }).waitFor();
  if (!isBusy) await page.waitForFunction(() => "benchCounted" in window, undefined, { timeout: 120_000 });
  await page.getByRole("button", { name: "Change lastName" }).click();
  await page.getByRole("textbox", { name: "Find", exact: true }).waitFor();
  await timePreview(page);
  const readBlocks = await watchBlocks(page);
  await page.getByRole("textbox", { name: "Find", exact: true }).fill("Smith");
  await page.getByText(/[\d,]+ rows change\./).waitFor({ timeout: 120_000 });
  const times = await page.evaluate(() => (window as unknown as { benchPreview: { first: number; all: number } }).benchPreview);
  const blocks = await readBlocks();
  await page.close();
  return { isBusy, first: Math.round(times.first), all: Math.round(times.all), blocks };
}

/** Notes in the page that the columns are counted. */
async function tapColumns(page: Page): Promise<void> {
  await page.evaluate(() => {
    const Real = window.Worker;
    window.Worker = class extends Real {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        this.addEventListener("message", ({ data }: MessageEvent<WorkerEvent>) => {
          if (data.type === "columns" && data.found?.is === "profile" && data.found.profile.isDone)
            Object.assign(window, { benchCounted: true });
        });
      }
    };
  });
}

/** Notes in the page when the first example stands in the preview, and when all rows are counted. */
async function timePreview(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { typedAt: 0, first: 0, all: 0 };
    Object.assign(window, { benchPreview: seen });
    document.addEventListener("input", () => (seen.typedAt = performance.now()), true);
    const watch = () => {
      const preview = document.querySelector('[aria-label="Preview"]');
      const since = performance.now() - seen.typedAt;
      if (seen.typedAt > 0 && seen.first === 0 && preview?.querySelector("li")) seen.first = since;
      if (seen.typedAt > 0 && seen.all === 0 && /rows? changes?\./.test(preview?.textContent ?? "")) seen.all = since;
      requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
  });
}

/** `act`: makes the app check the file again. `ready`: rows afterwards. */
async function mostMegabytes({ origin, signIn }: Service, path: string, act: string, ready: number): Promise<number> {
  const tab = await openBareTab();
  try {
    const token = await signIn();
    await tab.goTo(origin);
    await tab.until("document.querySelector('main, form')");
    await tab.evaluate(`sessionStorage.setItem("intake.token", ${JSON.stringify(token)})`);
    await tab.goTo(`${origin}/members/upload`);
    await tab.until("document.querySelector('input[type=file]')");
    await tab.evaluate(TAP);
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const idle = tab.megabytes();
    let most = idle;
    const timer = setInterval(() => (most = Math.max(most, tab.megabytes())), SAMPLE_EVERY);
    await tab.chooseFile("input[type=file]", path);
    await tab.until(`${CHECK} && (${CHECK}.click(), true)`);
    await tab.until("/rows are ready|No row is ready/.test(document.querySelector('main').innerText)");
    await tab.evaluate(`window.benchWorker.postMessage({ type: "act", act: ${act} })`);
    await tab.until("window.benchChecks.at(-1) === null && window.benchChecks.length > 1");
    const words = ready === 0 ? "No row is ready" : `${ready.toLocaleString("en")} rows are ready`;
    await tab.until(`document.querySelector('main').innerText.includes("${words}")`);
    clearInterval(timer);
    return most - idle;
  } finally {
    await tab.close();
  }
}

const CHECK = `[...document.querySelectorAll("main button")].find(({ textContent }) => textContent === "Check")`;
/** Finds the worker that checks, which is the one that gets the plan, and notes when it begins and ends another check. */
const TAP = `(() => {
  const post = Worker.prototype.postMessage;
  window.benchChecks = [];
  Worker.prototype.postMessage = function (command, ...others) {
    if (command.type === "check") {
      window.benchWorker = this;
      this.addEventListener("message", ({ data }) => {
        const recheck = data.state?.corrections?.recheck;
        if (recheck !== undefined && (recheck !== null || window.benchChecks.length > 0)) window.benchChecks.push(recheck);
      });
    }
    return post.call(this, command, ...others);
  };
})()`;

/** Does what the button of the table of values does, for all values at once; and makes a correction that changes no row. */
const RULES = `{ do: "values", field: "status", values: Array.from({ length: ${VALUES} }, (_, i) => ({ from: "State " + i, to: i % 2 === 0 ? "Active" : "Inactive" })) }`;
const NO_RULES = '{ do: "autoFix", field: "status", name: "hidden", isOn: true }';

async function writeMembers(rows: number, isWrong: boolean): Promise<string> {
  const path = new URL(`../files/members-${rows}-${isWrong ? VALUES : 0}.csv`, import.meta.url).pathname;
  if (existsSync(path)) return path;
  const out = createWriteStream(`${path}.part`);
  let text = "number,name,status\n";
  for (let i = 0; i < rows; i++) {
    text += `${i + 1},Somebody ${i},${isWrong ? `State ${(i * 7) % VALUES}` : "Inactive"}\n`;
    if (text.length < 256 * 1024) continue;
    if (!out.write(text)) await once(out, "drain");
    text = "";
  }
  out.end(text);
  await once(out, "finish");
  await rename(`${path}.part`, path);
  return path;
}
