// A tab that was open during a deployment reloads itself once, and never over unsaved work.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { holdBatches } from "./support/hold-requests.ts";
import { PORTS } from "./support/ports.ts";
import { ADMIN_KEY } from "./support/service.ts";
import { deployNewBuild, openStaticHost, publish, type StaticHost } from "./support/static-host.ts";

let root: string;
let host: StaticHost;
let loads: string[]; // every time the tab was loaded

test.beforeEach(async ({ page }) => {
  const out = mkdtempSync(join(tmpdir(), "intake-stale-"));
  publish(out, "--api", `http://127.0.0.1:${PORTS.foreign}/v1`);
  root = join(out, "root");
  host = await openStaticHost(root, "/", PORTS.staleHost);
  loads = [];
  page.on("load", () => loads.push(page.url()));
});
test.afterEach(async () => {
  await host.close();
  rmSync(join(root, ".."), { recursive: true });
});

/** Signs in so that a reload keeps it. */
async function signInForTab(page: Page, path: string): Promise<void> {
  await page.goto(`${host.origin}${path}`);
  await page.getByLabel("Stay signed in until this tab closes").check();
  await page.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("link", { name: "Uploads" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

const NEW_VERSION = "This page needs the new version of the app";

async function chooseFile(page: Page, rows: number): Promise<void> {
  const lines = Array.from({ length: rows }, (_, i) => `${5_500_000 + i},,Stale,S`).join("\n");
  const file = { name: "stale.csv", mimeType: "text/csv", buffer: Buffer.from(`objectId,firstName,lastName,accountID\n${lines}`) };
  await page.getByLabel("CSV file").setInputFiles(file);
}

test("a page of the old build opens all the same: the tab reloads once by itself", async ({ page }) => {
  const lastPart = page.waitForResponse(/\/live-[\w-]+\.js$/); // the list fetches it at rest; from the new build it would be gone
  await signInForTab(page, "/customers");
  await lastPart;
  deployNewBuild(root);
  await page.getByRole("link", { name: "Data dictionary" }).click();
  await expect(page.getByRole("table", { name: "Fields" })).toBeVisible();
  expect(loads).toEqual([`${host.origin}/customers`, `${host.origin}/customers/dictionary`]);
});

test("a tab does not reload again and again when the host still serves the old page", async ({ page }) => {
  host.cachedPage = readFileSync(join(root, "index.html"), "utf8");
  await signInForTab(page, "/customers");
  deployNewBuild(root, (name) => name.startsWith("dictionary-page"));
  await page.getByRole("link", { name: "Data dictionary" }).click();
  await expect(page.getByText(NEW_VERSION)).toBeVisible();
  expect(loads).toHaveLength(2);
  host.cachedPage = undefined;
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("table", { name: "Fields" })).toBeVisible();
});

test("a form with unsaved text is not reloaded away", async ({ page }) => {
  await signInForTab(page, "/customers/new");
  await page.getByRole("textbox", { name: "Last name" }).fill("Unsaved");
  deployNewBuild(root);
  await page.getByRole("link", { name: "Data dictionary" }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("Unsaved");
  expect(loads).toHaveLength(1);
  await page.getByRole("link", { name: "Data dictionary" }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("table", { name: "Fields" })).toBeVisible();
  expect(loads).toHaveLength(2);
});

test("a running upload goes on, and a page of the old build says that there is a new version", async ({ page }) => {
  const held = await holdBatches(page, 2);
  await signInForTab(page, "/customers/upload");
  await chooseFile(page, 20_000);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("rows/s")).toBeVisible();
  deployNewBuild(root);
  await page.getByRole("link", { name: "Data dictionary" }).click();
  await expect(page.getByText(NEW_VERSION)).toBeVisible();
  await expect(page.getByRole("button", { name: "Reload" })).toBeVisible();
  expect(loads).toHaveLength(1);
  held.letGo();
  await expect(page.getByText("stale.csv: 20,000 of 20,000 rows stored.")).toBeVisible({ timeout: 40_000 });
});

test("a file that is matched but not sent yet stays, until the user reloads", async ({ page }) => {
  await signInForTab(page, "/customers/upload");
  await chooseFile(page, 3);
  await expect(page.getByRole("button", { name: "Check" })).toBeVisible();
  deployNewBuild(root);
  await page.getByRole("link", { name: "Data dictionary" }).click();
  await expect(page.getByText(NEW_VERSION)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("button", { name: "Check" })).toBeVisible();
  expect(loads).toHaveLength(1);
});

test("an upload whose worker belongs to the old build says so", async ({ page }) => {
  await signInForTab(page, "/customers/upload");
  await expect(page.getByText("Drop a CSV file here")).toBeVisible();
  deployNewBuild(root);
  await chooseFile(page, 3);
  await expect(page.getByText("There is a new version of the app")).toBeVisible();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByText("Drop a CSV file here")).toBeVisible();
  await chooseFile(page, 3);
  await expect(page.getByRole("button", { name: "Check" })).toBeVisible();
});
