// Settings apply before the app has loaded and reach other tabs at once.

import { expect, type Page, test } from "@playwright/test";
import { openAbout } from "./support/menu.ts";
import { signIn, stored } from "./support/service.ts";

const scheme = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);

test("the chosen colours apply before the app's code has loaded, so that nothing flashes", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await signIn(page, "/settings/browser");
  await page.getByRole("radio", { name: "Dark" }).check();
  await expect.poll(() => scheme(page)).toBe("dark");
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/assets/app-*.js", async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto("/settings/browser", { waitUntil: "commit" });
  await expect(page.getByText("Loading…")).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0); // nothing is painted before
  expect(await scheme(page)).toBe("dark");
  answer();
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await expect.poll(() => scheme(page)).toBe("dark");
});

test("spacing and number format change at once, also in another tab", async ({ context, page }) => {
  await stored({ lastName: "Dense", accountID: "D" });
  const other = await context.newPage();
  await signIn(other, "/customers?q=dense");
  await signIn(page, "/settings/browser");
  const height = async () => (await other.getByRole("row").last().boundingBox())?.height ?? 0;
  await expect(other.getByRole("link", { name: "Dense" }).first()).toBeVisible();
  const before = await height();
  await page.getByRole("radio", { name: "Compact" }).check();
  await expect.poll(height).toBeLessThan(before - 4);
  await openAbout(other);
  await expect(other.getByText("10,000")).toBeVisible();
  await page.getByRole("combobox", { name: "Regional format" }).selectOption({ label: "German (Germany)" });
  await expect(page.getByText("1.234.567,89")).toBeVisible();
  await expect(other.getByText("10.000")).toBeVisible();
});
