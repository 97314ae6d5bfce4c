// Measures one address by Lighthouse with its mobile preset. `npm exec` fetches Lighthouse and runs this file.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { findChromium } from "../../e2e/support/browser.ts";

const VERSION = "12.8.2"; // the last for Node 20
const LIMIT = 180_000; // ms, including the download

export interface LighthouseFigures {
  /** 0 – 100. */
  performance: number;
  accessibility: number;
  bestPractices: number;
  /** ms */
  firstPaint: number;
  largestPaint: number;
  blocked: number;
  layoutShift: number;
}

/** With a token the page is signed in. Throws with Lighthouse's output when it cannot be fetched or run. */
export async function runLighthouse(url: string, token = ""): Promise<LighthouseFigures> {
  const self = new URL(import.meta.url).pathname;
  const run = `node --import tsx ${JSON.stringify(self)} ${JSON.stringify(url)} ${JSON.stringify(token)}`;
  const child = spawn("npm", ["exec", "--yes", `--package=lighthouse@${VERSION}`, "-c", run], { timeout: LIMIT, killSignal: "SIGTERM" });
  let [output, complaints] = ["", ""];
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (complaints += data));
  await new Promise((resolve) => child.once("close", resolve));
  const line = output.split("\n").find((one) => one.startsWith("{"));
  if (!line) throw new Error(`Lighthouse gave no figures. Its output: ${complaints.slice(-500)}`);
  return JSON.parse(line) as LighthouseFigures;
}

interface Audited {
  lhr: { categories: Record<string, { score: number }>; audits: Record<string, { numericValue: number }> };
}

interface Puppet {
  launch(options: object): Promise<{
    newPage(): Promise<{ evaluateOnNewDocument(run: (token: string) => void, token: string): Promise<unknown> }>;
    close(): Promise<void>;
  }>;
}

/** Inside `npm exec`, which put the package's commands in front of the PATH. */
async function measure(url: string, token: string): Promise<LighthouseFigures> {
  const modules = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, ".."))
    .find((folder) => existsSync(join(folder, "lighthouse/core/index.js")));
  if (!modules) throw new Error("Lighthouse is not on the path.");
  const load = (path: string) => import(pathToFileURL(join(modules, path)).href);
  const { default: lighthouse } = (await load("lighthouse/core/index.js")) as {
    default(url: string, flags: object, config: undefined, page: unknown): Promise<Audited>;
  };
  const { default: puppeteer } = (await load("puppeteer-core/lib/esm/puppeteer/puppeteer-core.js")) as { default: Puppet };
  const browser = await puppeteer.launch({ ...findChromium(), headless: true });
  try {
    const page = await browser.newPage();
    if (token) await page.evaluateOnNewDocument((kept) => sessionStorage.setItem("intake.token", kept), token);
    const flags = {
      output: "json",
      logLevel: "error",
      disableStorageReset: true,
      onlyCategories: ["performance", "accessibility", "best-practices"],
    };
    const { lhr } = await lighthouse(url, flags, undefined, page);
    const score = (name: string) => Math.round((lhr.categories[name]?.score ?? 0) * 100);
    const value = (name: string) => lhr.audits[name]?.numericValue ?? Number.NaN;
    return {
      performance: score("performance"),
      accessibility: score("accessibility"),
      bestPractices: score("best-practices"),
      firstPaint: Math.round(value("first-contentful-paint")),
      largestPaint: Math.round(value("largest-contentful-paint")),
      blocked: Math.round(value("total-blocking-time")),
      layoutShift: Math.round(value("cumulative-layout-shift") * 1000) / 1000,
    };
  } finally {
    await browser.close();
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [, , url = "", token = ""] = process.argv;
  console.log(`\n${JSON.stringify(await measure(url, token))}`);
  process.exit(0);
}
