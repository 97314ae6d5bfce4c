// Network faults, slow answers and colleagues: nothing that was typed is lost and nothing is done twice.

import { expect, type Page, test } from "@playwright/test";
import { hold, holdBatches } from "./support/hold-requests.ts";
import { signOut } from "./support/menu.ts";
import { ADMIN_KEY, openApi, saveBy, signIn, stored } from "./support/service.ts";

async function typeCustomer(page: Page, lastName: string): Promise<void> {
  await page.getByRole("textbox", { name: "Last name" }).fill(lastName);
  await page.getByRole("textbox", { name: "Account ID" }).fill("T-1");
}

test("a save without a connection says so at once and does not happen later by itself", async ({ page, context }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", { lastName: "Offline", accountID: "1" });
  await signIn(page, `/customers/${json.objectId}`);
  await page.getByRole("textbox", { name: "Last name" }).fill("Offline-Changed");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("cannot be reached");
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("Offline-Changed");
  await context.setOffline(false);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  expect((await api.call("GET", `/customers/${json.objectId}`)).json).toMatchObject({ lastName: "Offline-Changed", version: 2 });
});

test("a page whose code cannot be fetched says so, and the app stays", async ({ page, context }) => {
  await page.route("**/assets/dictionary-page*", (route) => route.abort());
  await signIn(page);
  await page.getByRole("link", { name: "Data dictionary" }).click();
  await expect(page.getByRole("alert")).toContainText("This page could not be loaded");
  await page.unroute("**/assets/dictionary-page*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("table", { name: "Fields" })).toBeVisible();
  await context.close();
});

test("a response that gets lost makes no second customer, even when the text changes before the next try", async ({ page }) => {
  await signIn(page, "/customers/new");
  await typeCustomer(page, "Lostanswer");
  await page.route("**/v1/customers", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("cannot be reached");
  await page.unroute("**/v1/customers");
  await page.getByRole("textbox", { name: "First name" }).fill("Once");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Once Lostanswer" })).toBeVisible();
  expect(await (await openApi()).all("customers", "lostanswer")).toHaveLength(1);
});

test("text that is typed during a save stays, and the next save stores it", async ({ page }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", { lastName: "Slow", accountID: "1" });
  await signIn(page, `/customers/${json.objectId}`);
  const held = await hold(page, "**/v1/customers/*", (request) => request.method() === "PATCH");
  await page.getByRole("textbox", { name: "Last name" }).fill("Slower");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("textbox", { name: "Account ID" }).fill("typed meanwhile");
  await expect.poll(() => held.count).toBe(1);
  held.letGo();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Account ID" })).toHaveValue("typed meanwhile");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("version 3")).toBeVisible();
  expect((await api.call("GET", `/customers/${json.objectId}`)).json).toMatchObject({ lastName: "Slower", accountID: "typed meanwhile" });
});

test("a form whose customer was deleted meanwhile stays, and saving creates it again", async ({ page }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", { firstName: "Gone", lastName: "Meanwhile", accountID: "G" });
  await signIn(page, `/customers/${json.objectId}`);
  await page.getByRole("textbox", { name: "Account ID" }).fill("G-2");
  await api.call("DELETE", `/customers/${json.objectId}`);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Someone else has deleted this customer.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  expect((await api.call("GET", `/customers/${json.objectId}`)).json).toMatchObject({ lastName: "Meanwhile", accountID: "G-2" });
});

test("the sign-in over the page stays when the user presses Escape", async ({ page }) => {
  await signIn(page, "/customers/new");
  await typeCustomer(page, "Escape");
  await page.route("**/v1/customers", (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: "Bearer gone" } }),
  );
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again to continue" });
  await expect(dialog).toBeVisible();
  for (let i = 0; i < 4; i++) await page.keyboard.press("Escape");
  await page.unroute("**/v1/customers");
  await dialog.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Escape" })).toBeVisible();
});

test("signing out over a running upload asks first, and its report stays", async ({ page }) => {
  const held = await holdBatches(page, 2);
  await signIn(page, "/customers/upload");
  const rows = Array.from({ length: 20_000 }, (_, i) => `${9_500_000 + i},,Leaving,L`).join("\n");
  const file = { name: "leaving.csv", mimeType: "text/csv", buffer: Buffer.from(`objectId,firstName,lastName,accountID\n${rows}`) };
  await page.getByLabel("CSV file").setInputFiles(file);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("rows/s")).toBeVisible();
  await signOut(page);
  await page.getByRole("dialog").getByRole("button", { name: "Stop and sign out" }).click();
  held.letGo();
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible({ timeout: 20_000 });
  await signIn(page, "/uploads");
  await expect(page.getByRole("region", { name: "leaving.csv" })).toContainText("cancelled");
});

test("an error of the service after storing makes no second customer", async ({ page }) => {
  await signIn(page, "/customers/new");
  await typeCustomer(page, "Aftercommit");
  await page.route("**/v1/customers", async (route) => {
    await route.fetch();
    await route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: '{"detail":"Something went wrong.","code":"INTERNAL"}',
    });
  });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Something went wrong.");
  await page.unroute("**/v1/customers");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Aftercommit" })).toBeVisible();
  expect(await (await openApi()).all("customers", "aftercommit")).toHaveLength(1);
});

for (const [button, verb, message] of [
  ["Save and close", "PATCH", "Saved."],
  ["Delete", "DELETE", "is deleted."],
] as const) {
  test(`a user who leaves while "${button}" is under way stays on the next page and goes on typing`, async ({ page }) => {
    const { id } = await stored({ lastName: "Leftmeanwhile", accountID: "1" });
    await signIn(page, `/customers/${id}`);
    await page.getByRole("textbox", { name: "Account ID" }).fill("2");
    const held = await hold(page, `**/v1/customers/${id}`, (request) => request.method() === verb);
    if (verb === "PATCH") await saveBy(page, button);
    else await page.getByRole("button", { name: button, exact: true }).click();
    await expect.poll(() => held.count).toBe(1);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Customers" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByRole("link", { name: "New customer" }).click();
    await page.getByRole("textbox", { name: "Last name" }).fill("Typing on");
    held.letGo();
    await expect(page.getByText(message)).toBeVisible();
    await page.getByRole("link", { name: "Customers" }).first().click();
    await expect(page.getByRole("dialog")).toContainText("Leave without saving?");
    await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
    await expect(page.getByRole("link", { name: "Customers" })).toBeFocused();
    await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("Typing on");
  });
}
