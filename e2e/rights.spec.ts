// A person whose role hides a field and shows another one only: list, record, form, bulk change and file.

import { expect, type Page } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { invite, type OwnService, startService } from "./support/own-service.ts";
import { openApi, type Row } from "./support/service.ts";
import { test } from "./support/test.ts";

let service: OwnService;
let admin: Awaited<ReturnType<typeof openApi>>;
test.beforeAll(async () => {
  service = await startService(async () => ({}));
  admin = await openApi(service.port);
});
test.afterAll(() => service.remove());

async function enter(page: Page): Promise<void> {
  const conditions = { customers: { fields: { hidden: ["accountID"], readOnly: ["firstName"] }, export: false } };
  const role = await admin.call("POST", "/roles", { name: "Temp", scope: "customers:read customers:update customers:create", conditions });
  const { link } = await invite(service.port, "temp@example.org", String(role.json.id), "Tim Temp");
  await page.goto(link);
  await page.getByLabel("New password").fill("seven green kettles sing");
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await expect(page.getByRole("link", { name: "Uploads" })).toBeVisible();
}

test("what the role hides is nowhere, and what it only shows cannot be changed", async ({ page }) => {
  const { json } = await admin.call("POST", "/customers", { firstName: "Ada", lastName: "Fox", accountID: "planted-account" });
  const stored = async (): Promise<Row> => (await admin.call("GET", `/customers/${json.objectId}`)).json;
  await enter(page);
  const seen: string[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/v1/")) seen.push(await response.text().catch(() => ""));
  });
  await page.goto(`http://127.0.0.1:${service.port}/customers`);
  const link = page.getByRole("row", { name: /Fox/ }).getByRole("link").first();
  await expect(link).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Account ID" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Columns" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Export" })).toHaveCount(0);
  await link.click();
  const first = page.getByRole("textbox", { name: "First name" });
  await expect(first).toHaveValue("Ada");
  await expect(first).toHaveAttribute("readonly");
  await expect(first).toHaveAttribute("title", "Only to be seen with your rights.");
  await expect(page.getByText("Only to be seen with your rights.")).toBeVisible();
  await expect(page.getByLabel("Account ID")).toHaveCount(0);
  await expectNoFaults(page);
  await page.getByRole("textbox", { name: "Last name" }).fill("Wolf");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(async () => (await stored()).lastName).toBe("Wolf");
  expect(await stored()).toMatchObject({ firstName: "Ada", accountID: "planted-account" });
  expect(seen.length).toBeGreaterThan(3);
  expect(seen.join("\n")).not.toContain("planted-account");
});
