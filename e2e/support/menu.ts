// The links of the sidebar, and the menu of whoever is signed in: account, language, appearance, about and signing out.

import { expect, type Page } from "@playwright/test";

/** Opens it, unless it is open. */
export async function openMenu(page: Page): Promise<void> {
  const button = page.getByRole("navigation", { name: "Main" }).locator("button[aria-haspopup=dialog]");
  if ((await button.getAttribute("aria-expanded", { timeout: 5_000 })) !== "true") await button.click({ timeout: 5_000 });
}

/** Presses "Sign out" in it. What it asks then is for the caller to answer. A page that arrives meanwhile closes the menu. */
export async function signOut(page: Page): Promise<void> {
  await expect(async () => {
    await openMenu(page);
    await page.getByRole("dialog", { name: "Account" }).getByRole("button", { name: "Sign out" }).click({ timeout: 2_000 });
  }).toPass();
}

export async function openAbout(page: Page): Promise<void> {
  await expect(() => followAbout(page)).toPass();
}

/** Tries it once, and fails if something else stands over the menu. */
export async function followAbout(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByRole("link", { name: "About", exact: true }).click({ timeout: 2_000 });
}

/** Follows a link of the sidebar. On phones and tablets the links stand behind a button. */
export async function goTo(page: Page, name: string): Promise<void> {
  const bar = page.getByRole("navigation", { name: "Main" });
  const menu = bar.getByRole("button", { name: "Menu" });
  if (await menu.isVisible()) await menu.click();
  await bar.getByRole("link", { name, exact: true }).click();
}
