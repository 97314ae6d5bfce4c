// A clerk enters, finds, corrects and deletes customers.

import { expect } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { openApi, signIn, stored } from "./support/service.ts";
import { test } from "./support/test.ts";

test("a clerk adds a customer by hand and finds it", async ({ page }) => {
  await signIn(page);
  await page.getByRole("link", { name: "New customer" }).click();
  await page.getByRole("textbox", { name: "First name" }).fill("Zoë");
  await page.getByRole("textbox", { name: "Last name" }).fill("van ’t Hoff");
  await page.getByRole("textbox", { name: "Account ID" }).fill("00071-Z");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Zoë van ’t Hoff" })).toBeVisible();

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Customers" }).click();
  await page.getByRole("searchbox", { name: "Search" }).fill("hoff zo");
  await page.getByRole("link", { name: "van ’t Hoff" }).click();
  await expect(page.getByRole("textbox", { name: "Account ID" })).toHaveValue("00071-Z");
});

test("a clerk corrects a name", async ({ page }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", { firstName: "Märta", lastName: "Angstrom", accountID: "00073" });
  await signIn(page, `/customers/${json.objectId}`);
  await page.getByRole("textbox", { name: "Last name" }).fill("Ångström");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Märta Ångström" })).toBeVisible();
  const { json: stored } = await api.call("GET", `/customers/${json.objectId}`);
  expect(stored).toMatchObject({ firstName: "Märta", lastName: "Ångström", accountID: "00073", version: 2 });
});

test("the second of two people who change the same customer is told", async ({ page, newBrowser }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", { firstName: "Noor", lastName: "Abdullah", accountID: "0900" });
  const colleague = await newBrowser();
  await signIn(page, `/customers/${json.objectId}`);
  await signIn(colleague, `/customers/${json.objectId}`);
  await page.getByRole("textbox", { name: "Last name" }).fill("Abdullah-Hoff");
  await colleague.getByRole("textbox", { name: "Account ID" }).fill("0911");
  await colleague.getByRole("button", { name: "Save", exact: true }).click();
  await expect(colleague.getByText("Saved.")).toBeVisible();

  await expect(page.getByText("You changed this customer elsewhere while you were editing.")).toBeVisible(); // both have one key
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("Abdullah-Hoff");
  await expect(page.getByRole("textbox", { name: "Account ID" })).toHaveValue("0911");

  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  const { json: stored } = await api.call("GET", `/customers/${json.objectId}`);
  expect(stored).toMatchObject({ lastName: "Abdullah-Hoff", accountID: "0911" });
});

test("a deleted customer is gone, and undo brings it back", async ({ page }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", { firstName: "Lucía", lastName: "D’Angelo", accountID: "00120" });
  await signIn(page, `/customers/${json.objectId}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Lucía D’Angelo is deleted.")).toBeVisible();
  expect((await api.call("GET", `/customers/${json.objectId}`)).status).toBe(404);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Lucía D’Angelo is restored.")).toBeVisible();
  expect((await api.call("GET", `/customers/${json.objectId}`)).json).toMatchObject({ lastName: "D’Angelo", accountID: "00120" });
});

test("undo of a deletion is one key away, by Shift+Tab and by Ctrl+Z, however long the list is", async ({ page }) => {
  const api = await openApi();
  const rows = Array.from({ length: 60 }, (_, i) => ({ firstName: "Reachable", lastName: `Row ${i}`, accountID: "R-1" }));
  await api.call("POST", "/customers", rows);
  const { json } = await api.call("POST", "/customers", { firstName: "Reachable", lastName: "Gone", accountID: "R-2" });
  await signIn(page, "/customers?q=reachable");
  for (const undo of [["Shift+Tab", "Enter"], ["Control+z"]]) {
    await page.getByRole("link", { name: "Gone" }).click();
    await page.getByRole("button", { name: "Delete" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Reachable Gone is deleted.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Customers" })).toBeFocused();
    expect((await api.call("GET", `/customers/${json.objectId}`)).status).toBe(404);
    for (const key of undo) await page.keyboard.press(key);
    await expect(page.getByText("Reachable Gone is restored.")).toBeVisible();
    expect((await api.call("GET", `/customers/${json.objectId}`)).json).toMatchObject({ lastName: "Gone", accountID: "R-2" });
  }
});

test("a link shows the same list: search and order are in the address", async ({ page }) => {
  const api = await openApi();
  await api.call(
    "POST",
    "/customers",
    ["Alpha", "Beta", "Gamma"].map((name) => ({ firstName: "Linkable", lastName: name, accountID: "0071" })),
  );
  await signIn(page);
  await page.getByRole("searchbox", { name: "Search" }).fill("linkable");
  await page.getByRole("button", { name: "Last name" }).click();
  await expect(page).toHaveURL(/q=linkable/);
  await expect(page).toHaveURL(/sort=lastName/);
  const table = page.getByRole("table", { name: "Customers" });
  await expect(table.getByRole("link")).toHaveText(["Alpha", "Beta", "Gamma"]);
  await page.getByRole("button", { name: "Last name" }).click();
  await expect(table.getByRole("link")).toHaveText(["Gamma", "Beta", "Alpha"]);
  await page.goBack();
  await expect(table.getByRole("link")).toHaveText(["Alpha", "Beta", "Gamma"]);
});

test("a save goes on after the user signs in again over the page", async ({ page }) => {
  await signIn(page, "/customers/new");
  await page.getByRole("textbox", { name: "Last name" }).fill("Patient");
  await page.getByRole("textbox", { name: "Account ID" }).fill("4711");
  let isRefused = true;
  await page.route("**/v1/customers", async (route) => {
    if (route.request().method() !== "POST" || !isRefused) return route.fallback();
    await route.continue({ headers: { ...route.request().headers(), authorization: "Bearer long-gone" } });
  });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again to continue" });
  await expect(dialog).toBeVisible();
  isRefused = false;
  const { ADMIN_KEY } = await import("./support/service.ts");
  await dialog.getByRole("textbox", { name: "API key" }).fill(ADMIN_KEY);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Patient" })).toBeVisible();
});

test("a save sends only what was changed, with the version that the user saw", async ({ page }) => {
  const { id } = await stored({ firstName: "Only", lastName: "Changed", accountID: "1" });
  await signIn(page, `/customers/${id}`);
  await page.getByRole("textbox", { name: "Account ID" }).fill("2");
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  expect((await sent).postDataJSON()).toEqual({ accountID: "2" });
  expect(await (await sent).headerValue("If-Match")).toBe(`"${id}-1"`);
});

test("the history says who changed what, and a clerk brings a version back by keyboard alone", async ({ page }) => {
  const { id, api, now } = await stored({ firstName: "Ines", lastName: "First", accountID: "H-1" });
  await api.call("PATCH", `/customers/${id}`, { lastName: "Second" });
  await signIn(page, `/customers/${id}`);
  await expect(page.getByLabel("What changed in version 2")).toHaveText("Last nameBefore First → After Second");
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Bring back version 1" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("First");
  expect(await now()).toMatchObject({ lastName: "First", version: 3 });

  await api.call("DELETE", `/customers/${id}`);
  await signIn(page, `/customers/${id}`);
  await expect(page.getByRole("heading", { name: "Ines First" })).toBeVisible();
  await page.getByRole("button", { name: "Bring back version 3" }).click();
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveValue("First");
});
