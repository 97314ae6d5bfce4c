// Records stored under other rules, in the app: an upload that updates them, and the page that counts and corrects them.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi, signIn } from "./support/service.ts";

const DATA_PACKAGE = new URL("../core/dictionary/datapackage.json", import.meta.url);

let service: OwnService;
let folder: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "intake-narrowed-"));
  const dictionary = join(folder, "dictionary.json");
  const dataPackage = JSON.parse(readFileSync(DATA_PACKAGE, "utf8"));
  writeFileSync(dictionary, JSON.stringify(dataPackage));
  service = await startService(async () => ({ DICTIONARY: dictionary }));
  const api = await openApi(service.port);
  const records = [1, 2, 3].map((objectId) => ({ objectId, lastName: `Long name ${objectId}`, accountID: "A" }));
  expect((await api.call("POST", "/customers", records)).status).toBe(201);
  await service.kill();
  for (const field of dataPackage.resources[0].schema.fields) {
    if (field.name === "lastName") field.constraints.maxLength = 5;
    if (field.name === "firstName") field.constraints = { ...field.constraints, required: true };
  }
  writeFileSync(dictionary, JSON.stringify(dataPackage));
  await service.start();
});
test.afterAll(async () => {
  await service.remove();
  rmSync(folder, { recursive: true });
});

test("a cell that is as it is stored is ready, and one that was changed is asked to be corrected", async ({ page }) => {
  const upload = async (third: string) => {
    const rows = [1, 2].map((id) => `${id},,Long name ${id},B`).join("\n");
    const buffer = Buffer.from(`objectId,firstName,lastName,accountID\n${rows}\n3,,${third},B\n`);
    await page.getByLabel("CSV file").setInputFiles({ name: "narrowed.csv", mimeType: "text/csv", buffer });
    await page.getByText("Add new ones and update existing ones").click();
    await page.getByRole("button", { name: "Check", exact: true }).click();
  };
  await signIn(page, `http://127.0.0.1:${service.port}/customers/upload`);
  await upload("Longer name");
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  const problems = page.getByRole("region", { name: "Problems", exact: true });
  await expect(problems).toContainText("Last name may have at most 5 characters");
  await expect(problems).not.toContainText("Enter the");
  await signIn(page, `http://127.0.0.1:${service.port}/customers/upload`);
  await upload("Long name 3");
  await expect(page.getByText("3 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Upload 3 rows" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const stored = await (await openApi(service.port)).all("customers");
  expect(stored.map(({ lastName, accountID }) => [lastName, accountID])).toEqual([1, 2, 3].map((id) => [`Long name ${id}`, "B"]));
});

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 390],
] as const) {
  test(`the page of data quality passes axe and is worked with the keyboard, ${colorScheme}, ${width} wide`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await signIn(page, `http://127.0.0.1:${service.port}/customers/dictionary`);
    await page.getByRole("link", { name: "Data quality" }).press("Enter");
    await expect(page.getByRole("table", { name: "Broken rules" })).toBeVisible();
    await expectNoFaults(page);
    await page.getByRole("link", { name: "Last name is longer than 5 characters" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await page.getByRole("checkbox", { name: "Select Long name 1" }).press("Space");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expectNoFaults(page);
    await page.getByRole("button", { name: "Correct 1 customer…" }).press("Enter");
    await expect(page.getByRole("combobox", { name: "Field" })).toHaveValue("lastName");
    await expectNoFaults(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Correct 1 customer…" })).toBeFocused();
  });
}
