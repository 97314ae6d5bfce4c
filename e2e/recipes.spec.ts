// How a file is read, matched and corrected is saved as a recipe, offered for the next file of its form, and used.

import { expect, type Page, test } from "@playwright/test";
import { openApi, reported, signIn } from "./support/service.ts";

const HEADINGS = "Nummer;Wer;Kto";

async function choose(page: Page, name: string, text: string): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await expect(page.getByRole("table", { name: "Columns" })).toBeVisible();
}
const fieldOf = (page: Page, column: string) => page.getByRole("combobox", { name: `Field for ${column}` });
const checkFile = (page: Page) => page.getByRole("button", { name: "Check", exact: true }).click();

// No other test of the same service shall be offered them.
test.afterEach(async () => {
  const api = await openApi();
  const { recipes } = (await api.call("GET", "/recipes")).json as { recipes: { id: string }[] };
  for (const { id } of recipes) await api.call("DELETE", `/recipes/${id}`);
});

test("a recipe saved after a check is offered for the next file and does the same with it", async ({ page, browser }) => {
  const name = `Orders ${Date.now()}`;
  await signIn(page, "/customers/upload");
  await choose(page, "orders-2026-11.csv", `${HEADINGS}\n9910001.0;Ek;r-1\n9910002;Berg;r-2\n`);
  await fieldOf(page, "Nummer").selectOption("objectId");
  await fieldOf(page, "Wer").selectOption("lastName");
  await fieldOf(page, "Kto").selectOption("accountID");
  await checkFile(page);
  await page.getByRole("button", { name: "Remove “.0” in all" }).click();
  await expect(page.getByText("2 rows are ready")).toBeVisible();
  await page.getByRole("button", { name: "Save as recipe" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as recipe" });
  await expect(dialog.getByLabel("Name")).toHaveValue("orders");
  await dialog.getByLabel("Name").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Give the recipe a name.")).toBeVisible();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Name").press("Enter");
  await expect(page.getByText(`The recipe “${name}” is saved.`)).toBeVisible();

  // Another browser has no memory of the first file.
  const context = await browser.newContext();
  const other = await context.newPage();
  await signIn(other, "/customers/upload");
  await choose(other, "orders-2026-12.csv", `Kto;Wer;Nummer\nr-3;Lind;9910003.0\nr-4;Ek;9910004\n`);
  await expect(other.getByText(`This file looks like those of the recipe “${name}”`)).toBeVisible();
  await other.getByRole("button", { name: "Use the recipe" }).click();
  await expect(other.getByRole("combobox", { name: "Recipe" })).toHaveText(new RegExp(name));
  await expect(fieldOf(other, "Wer")).toHaveValue("lastName");
  await checkFile(other);
  await expect(other.getByText("2 rows are ready")).toBeVisible();
  await other.getByRole("button", { name: "Upload" }).click();
  await expect(other.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(other, "Created")).toBe(2);
  const api = await openApi();
  expect((await api.call("GET", "/customers/9910003")).json).toMatchObject({ lastName: "Lind", accountID: "r-3" });
  await context.close();
});

test("a recipe that matches more columns says which the file lacks; without the recipe the columns are as proposed", async ({ page }) => {
  const api = await openApi();
  const name = `Wide ${Date.now()}`;
  const content = { form: 1, mode: "upsert", choices: { delimiter: ";" }, columns: ["lastName", "accountID", "firstName"] };
  const rules = { autoFixes: [], leftOutGroups: [], values: [] };
  await api.call("POST", "/recipes", {
    name,
    collection: "customers",
    headings: ["Wer", "Kto", "Vorname"],
    content: { ...content, ...rules },
  });
  await signIn(page, "/customers/upload");
  await choose(page, "narrow.csv", "Wer;Kto\nEk;r-5\n");
  await page.getByRole("combobox", { name: "Recipe" }).selectOption(name);
  await expect(page.getByText(`The recipe “${name}” also matches columns that this file lacks: “Vorname”.`)).toBeVisible();
  await expect(page.getByRole("radio", { name: /^Add new ones and update/ })).toBeChecked();
  await expect(fieldOf(page, "Kto")).toHaveValue("accountID");
  await page.getByRole("combobox", { name: "Recipe" }).selectOption("none");
  await expect(fieldOf(page, "Wer")).toHaveValue("");
});

test("a recipe of one's own is replaced under its name, somebody else's is not", async ({ page }) => {
  const api = await openApi();
  const name = `Taken ${Date.now()}`;
  const content = { form: 1, mode: "create", choices: {}, columns: [], autoFixes: [], leftOutGroups: [], values: [] };
  await api.call("POST", "/recipes", { name, collection: "customers", headings: [], content });
  const { json: key } = await api.call("POST", "/keys", { name: "Colleague", scope: "write" });
  await signIn(page, "/customers/upload", String(key.key));
  await choose(page, "taken.csv", "Last name,Account ID\nEk,r-6\n");
  await checkFile(page);
  await page.getByRole("button", { name: "Save as recipe" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as recipe" });
  await dialog.getByLabel("Name").fill(name.toUpperCase());
  await dialog.getByRole("button", { name: "Replace" }).click();
  await expect(dialog.getByText(/ has saved a recipe of this name\. Choose another name\.$/)).toBeVisible();
  for (const label of ["Save", "Replace"]) {
    await dialog.getByLabel("Name").fill(`Own ${name}`);
    await dialog.getByRole("button", { name: label }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(`The recipe “Own ${name}” is saved.`)).toBeVisible();
    await page.getByRole("button", { name: "Save as recipe" }).click();
  }
  const { recipes } = (await api.call("GET", "/recipes?collection=customers")).json as { recipes: { name: string; version: number }[] };
  expect(recipes.find((one) => one.name === `Own ${name}`)?.version).toBe(2);
});
