// Making an API key, which is shown once, and revoking one.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { appearances, SCHEMES } from "./support/repetitions.ts";
import { openApi, signIn } from "./support/service.ts";

const row = (page: Page, name: string) => page.getByRole("table", { name: "API keys" }).getByRole("row", { name });

async function openDialog(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New API key" }).click();
  await expect(page.getByRole("dialog", { name: "New API key" }).getByLabel("Name")).toBeFocused();
}

test("a new key is shown once, does what was checked and no more, and ends when it is revoked", async ({ page }) => {
  await signIn(page, "/settings");
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "API keys" }).click();
  await expect(page.getByRole("heading", { name: "API keys" })).toBeFocused();
  await openDialog(page);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("Choose at least one right.")).toBeVisible();
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").fill("Web shop");
  await page.getByRole("checkbox", { name: "Customers: Read" }).check();
  await page.getByRole("checkbox", { name: "Customers: Create" }).check();
  await page.getByRole("button", { name: "Create key" }).click();

  const key = await page.getByRole("textbox", { name: "API key" }).inputValue();
  expect(key).toMatch(/^ink_/);
  const status = async (method: string, path: string) =>
    (await fetch(new URL(`/v1${path}`, page.url()), { method, headers: { Authorization: `Bearer ${key}` } })).status;
  expect(await status("GET", "/customers")).toBe(200);
  expect(await status("GET", "/keys")).toBe(403);
  await expect(row(page, "Web shop")).toContainText("Customers: read, create");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.locator(`input[value="${key}"]`)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "API keys" })).toBeFocused();
  await page.reload();
  expect(await page.content()).not.toContain(key);

  await signIn(page, "/settings/keys");
  await page.getByRole("button", { name: "Revoke “Web shop”" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(await status("GET", "/customers")).toBe(200);
  await page.getByRole("button", { name: "Revoke “Web shop”" }).click();
  await page.getByRole("dialog", { name: "Revoke “Web shop”?" }).getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("“Web shop” is revoked.")).toBeVisible();
  await expect(row(page, "Web shop")).toHaveCount(0);
  const next = page.getByRole("table", { name: "API keys" }).getByRole("button", { name: /^Revoke/ }); // of keys of other tests
  if (await next.count()) await expect(next.and(page.locator(":focus"))).toHaveCount(1);
  else await expect(page.getByRole("heading", { name: "API keys" })).toBeFocused();
  expect(await status("GET", "/customers")).toBe(401);
  await page.getByText("that has ended").or(page.getByText("that have ended")).click();
  await expect(page.getByRole("table", { name: "Keys that have ended" })).toContainText("Web shop");
});

test("a key is copied with one button", async ({ context, page }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, "/settings/keys");
  await openDialog(page);
  const name = `Copied ${crypto.randomUUID()}`;
  await page.getByLabel("Name").fill(name);
  await page.getByRole("checkbox", { name: "All records: Read" }).check();
  await expect(page.getByRole("checkbox", { name: "Customers: Read" })).toBeDisabled(); // it is included
  await page.getByLabel("Expires").selectOption({ label: "Never" });
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("Copied.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await page.getByRole("textbox", { name: "API key" }).inputValue());
  await expect(row(page, name).locator('td[data-title="Expires"]')).toHaveText("Never");
});

test("the administrator's last key cannot be revoked, and the page says why", async ({ page }) => {
  const api = await openApi();
  await signIn(page, "/settings/keys");
  await page.getByRole("button", { name: "Revoke “ADMIN_KEY”" }).click();
  await expect(page.getByRole("dialog")).toContainText("You are signed in with this key.");
  const { json } = await api.call("GET", "/keys");
  const others = (json.keys as { id: string; scope: string; revokedAt: string | null }[]).filter(
    ({ id, scope, revokedAt }) => id !== "e2e" && scope.includes("admin") && revokedAt === null,
  );
  test.skip(others.length > 0, "another test has made an administrator's key");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("last");
});

for (const { colours: colorScheme, width } of appearances([1280, 390], SCHEMES)) {
  test(`the keys and the form of a new one fit the page and pass axe, ${colorScheme}, ${width} wide`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await signIn(page, "/settings/keys");
    await expect(page.getByRole("table", { name: "API keys" })).toBeVisible();
    await expectNoFaults(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await openDialog(page);
    await page.getByRole("button", { name: "Create key" }).click();
    await expectNoFaults(page);
  });
}
