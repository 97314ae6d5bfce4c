// Tests how many bytes a browser may fetch for the list, and how many more for each other page.

import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, type Page, test } from "@playwright/test";
import { watchNetwork } from "./support/network-idle.ts";
import { openApi } from "./support/service.ts";

const KB = 1_000; // bytes, gzipped at level 9
const LIST_SCRIPTS = 132 * KB; // what a first visit may cost; fields of several values brought the last thousand bytes, files three hundred, filters by parents one
const STYLES = 12 * KB;
const STYLES_WITH_PAGE = 14 * KB; // the list's, and those of one other page
const LARGEST_FILE = 40 * KB; // one that the list does not fetch; the worker of uploads is the largest
/** Says what a page fetches when the list is there already. */
const OTHER_PAGES = {
  "/": 26 * KB, // a quarter of it reads what this browser has of uploads
  "/customers/new": 54.8 * KB, // with people, the names that fields get meanwhile, files that wait for Save, what reads every form of dates, numbers and addresses, labels, rules, conditions, computed fields and sections
  "/customers/ID": 60 * KB, // with people, the names that fields get meanwhile, files that wait for Save, trees, merges, sections, the menu of the ways to save, the changed fields' names, the ways to a field and rules
  "/customers/upload": 26.5 * KB, // with what a column of a parent needs
  "/uploads": 18.5 * KB, // with parts that it shares with other pages, and half of which it uses
  "/customers/dictionary": 7.2 * KB, // with the ways into its editor, its versions and data quality
  "/activity": 27.2 * KB, // its days are typed in the reader's form, and what is not counted is named
  "/recipes": 21 * KB, // with the parents that a file may create
  "/customers/deleted": 9 * KB, // with the cells that other lists of records have
};
const MOST_FILES = 26; // of a page; each is a request, and build/chunks.ts says which modules are one
const LANGUAGE = 72.5 * KB; // all texts in one other language, fetched once; a fifth of them is about shaping the dictionary, a fortieth about twins

const AT_REST = 2_000; // ms after which a page fetches what nobody waits for (`later` in src/app/code/lazy-page.tsx)

const ASSETS = new URL("../dist/app/assets/", import.meta.url);
const gzipped = (name: string) => gzipSync(readFileSync(new URL(name, ASSETS)), { level: 9 }).length;
const bytes = (names: Iterable<string>, extension: string) =>
  [...names].filter((name) => name.endsWith(extension)).reduce((sum, name) => sum + gzipped(name), 0);

/** The files of the build that the browser fetches for an address. */
async function fetched(page: Page, address: string): Promise<Set<string>> {
  const names = new Set<string>();
  const hear = (response: { url(): string }) => {
    const name = /\/assets\/([^?]+)$/.exec(response.url())?.[1];
    if (name) names.add(name);
  };
  const waitForIdle = watchNetwork(page);
  page.on("response", hear);
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await waitForIdle();
  // The typeface is fetched for the first text that is painted, which on a busy machine may be later.
  await page.evaluate(async () => {
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    await document.fonts.ready;
  });
  page.off("response", hear);
  return names;
}

test("the list, every other page and every file stay within their byte budgets", async ({ page }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", { lastName: "Budget", accountID: "B" });
  await page.addInitScript((token) => sessionStorage.setItem("intake.token", token), api.token);
  // Then nothing is fetched ahead or at rest, however slow the machine is, so that each page is measured alone.
  await page.addInitScript((rest) => {
    const { setTimeout } = window;
    window.setTimeout = ((run: () => void, ms?: number, ...given: unknown[]) =>
      ms === rest ? 0 : setTimeout(run, ms, ...given)) as typeof setTimeout;
  }, AT_REST);
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  const list = await fetched(page, "/customers");
  expect(bytes(list, ".js"), [...list].join()).toBeGreaterThan(50 * KB);
  expect(bytes(list, ".js"), [...list].join()).toBeLessThanOrEqual(LIST_SCRIPTS);
  expect(bytes(list, ".css")).toBeLessThanOrEqual(STYLES);
  // Only the letters that the page shows count of the typeface. They are compressed already.
  expect([...list].filter((name) => name.endsWith(".woff2")).map((name) => name.replace(/-wght.*/, ""))).toEqual(["inter-latin"]);
  for (const name of [...list].filter((name) => /\.(js|css)$/.test(name))) {
    const [sent] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith(name)),
      page.evaluate((path) => void fetch(path), `/assets/${name}`),
    ]);
    expect(await sent.headerValue("content-encoding"), name).toBe("br");
  }

  for (const [path, bound] of Object.entries(OTHER_PAGES)) {
    const own = [...(await fetched(page, path.replace("ID", String(json.objectId))))].filter((name) => !list.has(name));
    expect(bytes(own, ".js"), path).toBeGreaterThan(0);
    expect(bytes(own, ".js"), path).toBeLessThanOrEqual(bound);
    expect(own.filter((name) => name.endsWith(".js")).length, path).toBeLessThanOrEqual(MOST_FILES);
    expect(bytes([...list, ...own], ".css"), path).toBeLessThanOrEqual(STYLES_WITH_PAGE);
  }
  // Files of pages that this test does not open, and the worker.
  const built = readdirSync(ASSETS).filter((name) => /\.(js|css)$/.test(name));
  for (const name of built)
    if (!list.has(name)) expect(gzipped(name), name).toBeLessThanOrEqual(/^[a-z]{2}-/.test(name) ? LANGUAGE : LARGEST_FILE);
  expect(readdirSync(ASSETS).filter((name) => /^upload-worker-.*\.js$/.test(name))).toHaveLength(1);
});

test("the pages that are opened next come without the network, once the list is at rest", async ({ page }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", { lastName: "Ahead", accountID: "A" });
  await page.addInitScript((token) => sessionStorage.setItem("intake.token", token), api.token);
  const scripts = new Set<string>();
  // The hash at the end may itself begin with a hyphen.
  page.on("requestfinished", (request) => scripts.add(/\/assets\/([a-z-]+)-[\w-]{7}\.js$/.exec(request.url())?.[1] ?? ""));
  await page.goto("/customers?q=Ahead");
  await expect(page.getByRole("table", { name: "Customers" })).toBeVisible();
  for (const name of ["record-page", "upload-page"]) await expect.poll(() => [...scripts]).toContain(name);
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.getByRole("link", { name: "Upload a file" }).first().click();
  await expect(page.getByText("Drop a CSV file here")).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "Ahead" }).first().click();
  await expect(page).toHaveURL(new RegExp(`/customers/${json.objectId}`));
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("Ahead");
});
