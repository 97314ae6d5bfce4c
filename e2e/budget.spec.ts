// The bytes that pages may cost: what a browser really fetches for the list, what each other page adds, and no file beyond its share.

import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, type Page, test } from "@playwright/test";
import { openApi } from "./support/service.ts";

const KB = 1_000; // bytes, gzipped as hard as it goes
const LIST_SCRIPTS = 130 * KB;
const STYLES = 12 * KB;
const OTHER_PAGE = 40 * KB; // and the upload's worker

const ASSETS = new URL("../dist/app/assets/", import.meta.url);
const gzipped = (name: string) => gzipSync(readFileSync(new URL(name, ASSETS)), { level: 9 }).length;
const bytes = (names: Iterable<string>, ending: string) =>
  [...names].filter((name) => name.endsWith(ending)).reduce((sum, name) => sum + gzipped(name), 0);

/** The build's files that the browser fetches for an address until nothing more comes. */
async function fetched(page: Page, address: string): Promise<Set<string>> {
  const names = new Set<string>();
  const hear = (response: { url(): string }) => {
    const name = /\/assets\/([^?]+)$/.exec(response.url())?.[1];
    if (name) names.add(name);
  };
  page.on("response", hear);
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  page.off("response", hear);
  return names;
}

test("the list, every other page, and every file keep to their bytes", async ({ page }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", { lastName: "Budget", accountID: "B" });
  await page.addInitScript((token) => sessionStorage.setItem("intake.token", token), api.token);
  const list = await fetched(page, "/customers");
  expect(bytes(list, ".js"), [...list].join()).toBeGreaterThan(50 * KB);
  expect(bytes(list, ".js"), [...list].join()).toBeLessThanOrEqual(LIST_SCRIPTS);
  expect(bytes(list, ".css")).toBeLessThanOrEqual(STYLES);
  for (const name of list) {
    const [sent] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith(name)),
      page.evaluate((path) => void fetch(path), `/assets/${name}`),
    ]);
    expect(await sent.headerValue("content-encoding"), name).toBe("br");
  }

  for (const path of ["/customers/new", `/customers/${json.objectId}`, "/customers/upload", "/uploads", "/customers/dictionary"]) {
    const own = [...(await fetched(page, path))].filter((name) => !list.has(name));
    expect(bytes(own, ".js"), path).toBeGreaterThan(0);
    expect(bytes(own, ".js") + bytes(own, ".css"), path).toBeLessThanOrEqual(OTHER_PAGE);
  }
  // Pages that this test does not know, and the worker.
  const built = readdirSync(ASSETS).filter((name) => /\.(js|css)$/.test(name));
  for (const name of built) if (!list.has(name)) expect(gzipped(name), name).toBeLessThanOrEqual(OTHER_PAGE);
  expect(readdirSync(ASSETS).filter((name) => /^upload-worker-.*\.js$/.test(name))).toHaveLength(1);
});
