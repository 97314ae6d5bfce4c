// The documentation of the API: a guide in three languages, search, and requests with the reader's own key.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { ADMIN_KEY } from "./support/service.ts";

/** Enters a key, so that the page shows what it may see. */
async function showFor(page: Page, key: string): Promise<void> {
  await page.getByLabel("Your API key").fill(key);
  await page.getByLabel("Your API key").press("Enter");
}

test("a reader finds an operation, tries it with a key, and sees what the service answers", async ({ page }) => {
  const messages: string[] = [];
  page.on("console", (message) => message.type() === "error" && messages.push(message.text()));
  await page.goto("/docs");
  // Without a key it has the general part, and no collection.
  await expect(page.getByRole("heading", { name: "Quickstart" })).toBeVisible();
  await expect(page.locator("#post_customers")).toHaveCount(0);
  const home = page.locator("#home");
  await home.getByRole("button", { name: "Try it out" }).click();
  await home.getByRole("button", { name: "Send GET" }).click();
  await expect(home.getByRole("status")).toContainText("401 Unauthorized");
  await showFor(page, "ink_nobody.0123456789abcdef0123456789abcdef");
  await expect(page.getByText("This key is not known here, or no answer came")).toBeVisible();
  await showFor(page, ADMIN_KEY);
  await expect(page.locator("#post_customers")).toHaveCount(1);
  await page.getByRole("heading", { level: 1 }).click(); // out of the field
  await page.keyboard.press("/");
  await page.keyboard.type("writes one or many");
  await expect(page.locator("nav a[data-named]")).toHaveCount(1); // others have these words in their text
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#post_customers$/);

  await page.getByLabel("Search the documentation").fill("rfc 7396");
  await expect(page.getByRole("navigation").getByRole("link", { name: /patch/i }).first()).toBeVisible(); // only its text has the words
  await page.getByLabel("Search the documentation").fill("xyzzy");
  await expect(page.getByText("Nothing found")).toBeVisible();

  const operation = page.locator("#post_customers");
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.getByLabel("Parameters").fill("dryRun=true");
  await operation.getByRole("button", { name: "Send POST" }).click();
  await expect(operation.getByRole("status")).toContainText("201 Created");
  await expect(operation.getByRole("status")).toContainText('"lastName": "Ångström"');
  await operation.getByLabel("Intake-Source").fill("nonsense");
  await operation.getByRole("button", { name: "Send POST" }).click();
  await expect(operation.getByRole("status")).toContainText("400 Bad Request");
  expect(messages.filter((text) => !text.includes("401"))).toEqual([expect.stringContaining("status of 400")]);
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain("ink_");
});

test("a language is chosen once for all samples, also by the arrow keys, and stays", async ({ page }) => {
  await page.goto("/docs");
  await showFor(page, ADMIN_KEY);
  await expect(page.locator("#batches")).toHaveCount(1);
  const quickstart = page.locator("#quickstart");
  await quickstart.getByRole("tab", { name: "curl" }).first().focus();
  await page.keyboard.press("ArrowRight");
  await expect(quickstart.getByRole("tab", { name: "TypeScript" }).first()).toBeFocused();
  await expect(page.locator("#batches").getByText("await fetch").first()).toBeVisible();
  await expect(page.getByText("curl -sS").first()).toBeHidden();
  await page.reload();
  await expect(quickstart.getByRole("tab", { name: "TypeScript", selected: true }).first()).toBeVisible();
});

// Each colour and each width once: axe reads the longest page of all.
for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 390],
] as const) {
  test(`the page is readable for everybody, ${colorScheme}, at ${width} px`, async ({ page }) => {
    test.slow();
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await page.goto("/docs");
    await expectNoFaults(page);
    await showFor(page, ADMIN_KEY);
    await page.locator("#read_customer").getByRole("button", { name: "Try it out" }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await expectNoFaults(page);
    await page.goto("/problems/VALIDATION");
    await expect(page.getByRole("heading", { name: "The data is refused" })).toBeVisible();
    await expectNoFaults(page);
  });
}
