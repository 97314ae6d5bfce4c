// The links to the previous and the next record, in the order of the list or else of the key.

import { expect, test } from "@playwright/test";
import { openApi, signIn } from "./support/service.ts";

test.describe("the links to the previous and next customer", () => {
  test("follow the list the user came from, by key and by button", async ({ page }) => {
    const api = await openApi();
    const names = ["Cedar", "Alder", "Beech"];
    await api.call(
      "POST",
      "/customers",
      names.map((lastName) => ({ firstName: "Besider", lastName, accountID: "1" })),
    );
    await signIn(page, "/customers?q=besider&sort=lastName");
    await page.getByRole("link", { name: "Alder" }).click();
    await expect(page.getByRole("heading", { name: "Besider Alder" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Previous customer" })).toBeDisabled();
    await page.getByRole("textbox", { name: "Account ID" }).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await expect(page.getByRole("heading", { name: "Besider Beech" })).toBeFocused();
    await page.getByRole("link", { name: "Next customer" }).click();
    await expect(page.getByRole("heading", { name: "Besider Cedar" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Next customer" })).toBeDisabled();
    await page.keyboard.press("Alt+ArrowUp");
    await expect(page.getByRole("heading", { name: "Besider Beech" })).toBeVisible();
    await page.getByRole("link", { name: "Cancel" }).click();
    await expect(page).toHaveURL(/q=besider&sort=lastName/);
  });

  test("stand beside a way back to the list as it was left, as far down as it was scrolled", async ({ page, browserName }) => {
    const api = await openApi();
    const rows = Array.from({ length: 40 }, (_, i) => ({ lastName: `Wayback ${i + 10}`, accountID: "1" }));
    await api.call("POST", "/customers", rows);
    await signIn(page, "/customers?q=wayback&sort=lastName");
    await page.getByRole("link", { name: "Wayback 45" }).click();
    await expect(page.getByRole("heading", { name: "Wayback 45" })).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Customers" }).click();
    await expect(page).toHaveURL(/q=wayback&sort=lastName/);
    await expect(page.getByRole("link", { name: "Wayback 45" })).toBeVisible();
    // Only some browsers tell which page was before. The others begin at the top.
    if (browserName === "chromium") await expect(page.getByRole("link", { name: "Wayback 45" })).toBeInViewport();
    await signIn(page, "/customers/999999999");
    await page.getByRole("link", { name: "Back to customers" }).click();
    await expect(page.getByRole("heading", { name: "Customers", exact: true })).toBeVisible();
  });

  test("go on beyond the page of the list", async ({ page }) => {
    const api = await openApi();
    const rows = Array.from({ length: 51 }, (_, i) => ({ lastName: `Pager ${String(i + 10)}`, accountID: "1" }));
    await api.call("POST", "/customers", rows);
    await signIn(page, "/customers?q=pager&sort=lastName");
    await page.getByRole("link", { name: "Pager 59" }).click();
    await page.getByRole("link", { name: "Next customer" }).click();
    await expect(page.getByRole("heading", { name: "Pager 60" })).toBeVisible();
    await page.getByRole("link", { name: "Previous customer" }).click();
    await expect(page.getByRole("heading", { name: "Pager 59" })).toBeVisible();
  });

  test("follow the key when the record was opened by its address", async ({ page }) => {
    const api = await openApi();
    for (const objectId of [501, 507]) await api.call("PUT", `/customers/${objectId}`, { lastName: `Direct ${objectId}`, accountID: "1" });
    await signIn(page, "/customers/501");
    await page.getByRole("link", { name: "Next customer" }).click();
    await expect(page.getByRole("heading", { name: "Direct 507" })).toBeVisible();
  });
});
