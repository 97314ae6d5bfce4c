// Computed values in the app: live in the form and said to be computed, and passed over in a file that was exported.

import { expect, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi, signIn } from "./support/service.ts";

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(async () => ({ DICTIONARY: "core/dictionary/staff-rules.example.json" }));
});
test.afterAll(() => service.remove());

const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;
const age = (year: number) => String(new Date().getUTCFullYear() - year);

test("a new person's full name and age follow what is typed, and are stored", async ({ page }) => {
  await signIn(page, at("/staff/new"));
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Birth date").fill("1990-01-01");
  const full = page.getByRole("status", { name: "Full name" });
  await expect(full).toHaveText("Ada Lovelace");
  await expect(full).toHaveAccessibleDescription("Is computed.");
  await expect(page.getByRole("status", { name: "Age" })).toHaveText(age(1990));
  await page.getByLabel("E-mail").fill("ada@example.com");
  await expectNoFaults(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/staff\/\d+$/);
  const [stored] = await (await openApi(service.port)).all("staff");
  expect(stored).toMatchObject({ fullName: "Ada Lovelace", age: Number(age(1990)) });
});

test("a file with columns of computed values is uploaded without them, and its preview says so", async ({ page }) => {
  const api = await openApi(service.port);
  expect((await api.call("POST", "/staff", { id: 77, firstName: "Grace", lastName: "Hopper", email: "grace@example.com" })).status).toBe(
    201,
  );
  const buffer = Buffer.from(
    "id,firstName,lastName,fullName,age,email\n77,Grace,Murray,Grace Hopper,1,grace@example.com\n78,Ben,Kurz,Nobody,2,ben@example.com\n",
  );
  await signIn(page, at("/staff/upload"));
  await page.getByLabel("CSV file").setInputFiles({ name: "staff.csv", mimeType: "text/csv", buffer });
  const sentence = page.getByText("“fullName”, “age” are computed, and their columns are passed over.");
  await expect(sentence).toBeVisible();
  await page.getByText("Add new ones and update existing ones").click();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await expect(sentence).toBeVisible();
  await page.getByRole("button", { name: "Upload 2 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const stored = (await api.all("staff")).filter(({ id }) => Number(id) < 100);
  expect(stored.map(({ fullName, age: years }) => [fullName, years])).toEqual([
    ["Grace Murray", null],
    ["Ben Kurz", null],
  ]);
  await signIn(page, at("/staff"));
  await page.getByRole("checkbox", { name: "Select this page" }).check();
  await page.getByRole("button", { name: "Change…" }).click();
  const fields = page.getByRole("dialog").getByLabel("Field", { exact: true }).locator("option");
  await expect(fields.filter({ hasText: "First name" })).toHaveCount(1);
  await expect(fields.filter({ hasText: /Full name|Age/ })).toHaveCount(0); // they are not offered to be changed
});
