// A steward changes the kind of a field in the app, takes that back, and empties what is retired.

import { expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { ADMIN_KEY, openApi, signIn } from "./support/service.ts";
import { test } from "./support/test.ts";

let service: OwnService;
const address = (path = "/customers/dictionary") => `http://127.0.0.1:${service.port}${path}`;

test.beforeAll(async () => {
  service = await startService();
  const api = await openApi(service.port);
  const names = ["01.02.1980", "31.12.1981", "unknown", "1990-05-06"];
  const records = names.map((firstName, i) => ({ objectId: i + 1, lastName: "Long", accountID: `A${i}`, firstName }));
  expect((await api.call("POST", "/customers", records)).status).toBe(201);
});
test.afterAll(() => service.remove());
test.describe.configure({ mode: "serial" });

async function valuesNow(): Promise<unknown[]> {
  const { json } = await (await openApi(service.port)).call("GET", "/customers?sort=objectId");
  return (json.customers as { firstName: unknown }[]).map(({ firstName }) => firstName);
}

async function openDialog(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("main").getByRole("button", { name: "First name" }).click();
  await page.getByRole("button", { name: "Change kind…" }).click();
}

test("the dialog says what does not convert and converts, and Undo gives every value back as it was written", async ({ page }) => {
  await signIn(page, address());
  await openDialog(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("New kind").selectOption("date");
  await expect(dialog).toContainText("3 values convert. 1 does not. 0 records have none.");
  await dialog.getByLabel("unknown").fill("2000-01-01");
  await expect(dialog).toContainText("4 values convert. 0 do not.");
  await dialog.getByLabel("unknown").fill("");
  await expect(dialog).toContainText("3 values convert.");
  await expectNoFaults(page);
  await dialog.getByRole("button", { name: "Convert 3 values" }).click();
  await expect(dialog).toContainText("3 values are converted. 1 is left in the retired field.");
  expect(await valuesNow()).toEqual(["1980-02-01", "1981-12-31", null, "1990-05-06"]);
  await expectNoFaults(page);
  await dialog.getByRole("button", { name: "Undo" }).click();
  await expect(dialog).toContainText("The field has its old kind and its old values again.");
  expect(await valuesNow()).toEqual(["01.02.1980", "31.12.1981", "unknown", "1990-05-06"]);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("heading", { name: "Customers: data dictionary" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("what is retired is listed, brought back, and emptied for good when its name is typed", async ({ page, browserName }) => {
  await signIn(page, address("/customers/dictionary?versions="));
  const retired = page.getByRole("region", { name: "Retired" });
  await expect(retired).toContainText("3 records have a value there.");
  if (browserName !== "firefox") await expectNoFaults(page); // axe ends Firefox 153 itself here
  await retired.getByRole("button", { name: "Bring back First name (date)" }).click();
  await expect(page.getByRole("list", { name: "Changes" })).toContainText("is brought back.");
  await page.getByRole("button", { name: "Discard this draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard", exact: true }).click();
  await page.getByRole("link", { name: "Versions" }).click();
  await retired.getByRole("button", { name: "Empty for good… First name (date)" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Empty for good" }).click();
  await expect(dialog).toContainText("Type the name firstName_date.");
  await expectNoFaults(page);
  await dialog.getByLabel("Type firstName_date to confirm").fill("firstName_date");
  await dialog.getByRole("button", { name: "Empty for good" }).click();
  await expect(retired).toHaveCount(0);
  const { json } = await (await openApi(service.port)).call("GET", "/dictionary/retired");
  expect(json.retired).toEqual([]);
});

test("by keyboard alone, on a phone, in German", async ({ newBrowser }) => {
  const page = await newBrowser({ viewport: { width: 390, height: 800 }, locale: "de-DE" });
  await page.goto(address());
  await page.getByRole("textbox", { name: "API-Schlüssel" }).fill(ADMIN_KEY);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Bearbeiten" }).press("Enter");
  await page.getByRole("main").getByRole("button", { name: "Vorname" }).press("Enter");
  await page.getByRole("button", { name: "Art ändern …" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Neue Art")).toBeFocused();
  await dialog.getByLabel("Neue Art").selectOption("date");
  await expect(dialog).toContainText("3 Werte lassen sich umwandeln. 1 nicht.");
  await expectNoFaults(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await dialog.getByRole("button", { name: "3 Werte umwandeln" }).press("Enter");
  await expect(dialog).toContainText("3 Werte sind umgewandelt.");
  await dialog.getByRole("button", { name: "Schließen" }).press("Enter");
  await expect.poll(valuesNow).toEqual(["1980-02-01", "1981-12-31", null, "1990-05-06"]);
});
