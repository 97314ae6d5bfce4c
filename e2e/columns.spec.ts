// Columns are changed by rules before the check, and each shows what is in it.

import { expect, type Page, test } from "@playwright/test";
import { expectNoFaults } from "./support/axe.ts";
import { openApi, reported, signIn } from "./support/service.ts";

async function choose(page: Page, text: string): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles({ name: "columns.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await expect(page.getByRole("table", { name: "Columns" })).toBeVisible();
}
const dialog = (page: Page) => page.getByRole("dialog", { name: "Change columns" });

test("a column is split, a text replaced, and the rows are stored as the rules made them", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const rows = Array.from({ length: 300 }, (_, i) => `${9_960_000 + i};Columnar Nr${i};K/${i}`);
  await choose(page, `objectId;Person;Account ID\n${rows.join("\n")}\n`);
  await expect(page.getByText("100 % filled · 300 values").first()).toBeVisible();
  await page.getByRole("button", { name: "Change Person" }).press("Enter");
  await dialog(page).getByLabel("What to do").selectOption("split");
  await dialog(page).getByLabel("New columns").fill("Last name, First name");
  await expect(dialog(page).getByText("300 rows change.")).toBeVisible();
  await expectNoFaults(page);
  await dialog(page).getByLabel("New columns").press("Enter");
  await expect(page.getByRole("combobox", { name: "Field for First name" })).toHaveValue("firstName");
  await page.getByRole("button", { name: "Change Account ID" }).click();
  await dialog(page).getByLabel("Find", { exact: true }).fill("^K/(\\d+)$");
  await dialog(page).getByLabel("Replace with").fill("K-$1");
  await dialog(page).getByLabel("A pattern").check();
  await expect(dialog(page).getByText("K-0")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("K/0 · K/1")).toBeVisible();
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(page.getByText("K-0 · K-1")).toBeVisible();
  await expectNoFaults(page);
  await expect(page.getByText("100 % filled").first()).toBeVisible();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("300 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(300);
  const api = await openApi();
  expect((await api.call("GET", "/customers/9960007")).json).toMatchObject({ lastName: "Columnar", firstName: "Nr7", accountID: "K-7" });
});

test("a pattern that takes too long is not used, and the page stays in reach", async ({ page }) => {
  await signIn(page, "/customers/upload");
  await choose(page, `Last name,Account ID\n${"a".repeat(60)}!,1\n`);
  await page.getByRole("button", { name: "Change Last name" }).click();
  await dialog(page).getByLabel("A pattern").check();
  await dialog(page).getByLabel("Find", { exact: true }).fill("^(a+)+$");
  await dialog(page).getByRole("button", { name: "Apply" }).click(); // before its preview has been found to be slow
  await expect(page.getByText("The pattern ^(a+)+$ takes too long")).toBeVisible({ timeout: 20_000 });
  await page.getByRole("button", { name: "Change Last name" }).click();
  await dialog(page).getByLabel("A pattern").check();
  await dialog(page).getByLabel("Find", { exact: true }).fill("^(a+)+$");
  await expect(dialog(page).getByText("This takes too long on a cell of this file.")).toBeVisible({ timeout: 20_000 });
  await dialog(page).getByRole("button", { name: "Apply" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("Write a simpler pattern.");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("1 row is ready")).toBeVisible();
});
